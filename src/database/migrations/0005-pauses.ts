/** The next change by a service's calendar, and failures that quiet hours suppress until they end. */
export const pauses = `
alter table schedule add column boundary_at timestamptz not null default 'infinity';
create index schedule_boundary on schedule (boundary_at) where boundary_at < 'infinity';

create table held_failures (
  service_id integer not null,
  change_id bigint not null,
  analysis_id bigint not null,
  checks jsonb not null,
  primary key (service_id, change_id)
);
`
