/**
 * The degraded state beside the states of the specification: the reasons that hold with the beginning of the period,
 * the signs of the rules (domain/judging/degraded.ts), and the beginning that was notified last. Periods are kept like
 * status changes; only the last one of a service is open.
 */
export const degraded = `
alter table service_statuses
  add column degraded_reasons text[] not null default '{}',
  add column degraded_since timestamptz,
  add column degraded_signs jsonb not null default '[]',
  add column degraded_told_since timestamptz;
create table degraded_periods (
  service_id integer not null,
  period_id bigint not null,
  start_time timestamptz not null,
  end_time timestamptz,
  primary key (service_id, period_id)
);
create index degraded_periods_open on degraded_periods (service_id) where end_time is null;
`
