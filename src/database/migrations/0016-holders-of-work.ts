/** By which session a notice, a letter, a mail, a report or a diagnosis is held: its end gives it back before the lease. */
export const holdersOfWork = `
alter table notification_intents add column held_by text;
alter table letters add column held_by text;
alter table report_mails add column held_by text;
alter table periodic_report_mails add column held_by text;
alter table reports add column held_by text;
alter table diagnostics add column held_by text;
`
