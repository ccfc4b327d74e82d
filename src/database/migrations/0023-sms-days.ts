/**
 * The number of SMS that each account sent on each day (UTC), when it was notified of the day's limit, and which
 * messages are counted.
 */
export const smsDays = `
create table sms_days (
  account_id integer not null,
  day date not null,
  count integer not null,
  told_at timestamptz,
  primary key (account_id, day)
);
alter table notification_intents add column sms_counted_at timestamptz;
`
