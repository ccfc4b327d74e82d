/**
 * From when the delays of notification modes count: the beginning of the open period, by the clock as it is set now; null in rows that
 * were written before, then it is the beginning itself. And by which session a round is held: its end frees the round before its lease.
 */
export const delaysAndHolders = `
alter table service_statuses add column delays_from timestamptz;
alter table schedule add column held_by text;
`
