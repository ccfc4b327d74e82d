/**
 * The start from which delays of notification modes count: the beginning of the open period, by the clock as it is set
 * now. Null in older rows means the beginning itself. Also the session that holds a round: its end frees the round
 * before its lease.
 */
export const delaysAndHolders = `
alter table service_statuses add column delays_from timestamptz;
alter table schedule add column held_by text;
`
