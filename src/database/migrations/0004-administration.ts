/** Monthly usage, diagnostics of stations, the queue of deletions, and indexes of the logs. */
export const administration = `
create table usage_counters (
  month date not null,
  account_id integer not null,
  group_id integer not null,
  service_type_id text not null,
  analyses bigint not null,
  checks bigint not null,
  primary key (month, account_id, group_id, service_type_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create table usage_notifications (
  month date not null,
  account_id integer not null,
  group_id integer not null,
  service_type_id text not null,
  notification_channel_id text not null,
  sent bigint not null,
  primary key (month, account_id, group_id, service_type_id, notification_channel_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create table diagnostics (
  id bigint generated always as identity primary key,
  kind text not null,
  account_id integer not null,
  sensor_id integer not null references sensors on delete cascade,
  request jsonb not null,
  status text not null default 'pending',
  lines text[] not null default '{}',
  created_at timestamptz not null,
  leased_until timestamptz
) with (fillfactor = 70);
create index diagnostics_waiting on diagnostics (id) where status in ('pending', 'in_progress');
create index diagnostics_account on diagnostics (account_id, id);

create table removed_services (
  service_id integer primary key
);

create index notification_intents_log on notification_intents (account_id, id);
create index notification_intents_age on notification_intents using brin (created_at);
create index authentications_log on authentications (account_id, id);
create index authentications_age on authentications using brin (time);
`
