/**
 * One table for all mails except notifications: account mails, reports and periodic reports. Waiting messages,
 * handed-over ones and the logs move along. `queue` names the sender; each queue is read in its own order.
 */
export const messages = `
alter table letters rename to messages;
alter index letters_account rename to messages_account;
alter index letters_sensor rename to messages_sensor;
alter index letters_gateway rename to messages_gateway;
alter table messages
  add column queue text not null default 'letter',
  add column report_id integer references reports on delete cascade,
  add column periodic_report_id integer references periodic_reports on delete cascade;
insert into messages (queue, kind, report_id, address, subject, status, attempts, error_message, created_at, next_attempt_at,
  handed_over_at, finished_at, held_by)
select 'report', 'report', report_id, address, subject, status, attempts, error_message, created_at, next_attempt_at,
  handed_over_at, finished_at, held_by from report_mails order by created_at, report_id, address;
insert into messages (queue, kind, periodic_report_id, address, subject, status, attempts, error_message, created_at, next_attempt_at,
  handed_over_at, finished_at, held_by)
select 'periodic_report', 'periodic_report', report_id, address, subject, status, attempts, error_message, created_at, next_attempt_at,
  handed_over_at, finished_at, held_by from periodic_report_mails order by created_at, report_id, address;
drop table report_mails;
drop table periodic_report_mails;
drop index letters_due;
create index messages_due on messages (queue, next_attempt_at, id) where status = 'pending';
create unique index messages_report on messages (report_id, address) where report_id is not null;
create unique index messages_periodic_report on messages (periodic_report_id, address) where periodic_report_id is not null;
`
