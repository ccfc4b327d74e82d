/** The session that holds a message, a mail, a report or a diagnostic: its end releases the work before the lease. */
export const holdersOfWork = `
alter table notification_intents add column held_by text;
alter table letters add column held_by text;
alter table report_mails add column held_by text;
alter table periodic_report_mails add column held_by text;
alter table reports add column held_by text;
alter table diagnostics add column held_by text;
`
