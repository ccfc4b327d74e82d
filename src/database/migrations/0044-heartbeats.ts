/**
 * Services that report in. `services.ping_uuid` and `ping_slug` name their addresses; `heartbeats` has them again for
 * the ping endpoint, with the state between two rounds. `ping_watch` has one row: every ping before its moment is
 * stored. `ping_outages` are the times in which pings could not be received.
 */
export const heartbeats = `
alter table services add column ping_uuid uuid, add column ping_slug text;
alter table accounts add column ping_key text;
create unique index accounts_ping_key on accounts (ping_key);
create table heartbeats (
  service_id integer primary key,
  owner_id integer not null,
  ping_uuid uuid not null unique,
  ping_slug text,
  base_at timestamptz,
  runs jsonb not null default '[]',
  failure jsonb,
  judged_ping_id bigint not null default 0
) with (fillfactor = 70);
create index heartbeats_slug on heartbeats (owner_id, ping_slug);
create table pings (
  service_id integer not null,
  id bigint generated always as identity,
  time timestamptz not null,
  kind text not null,
  exit_status smallint,
  rid uuid,
  ip_address text not null,
  method text not null,
  user_agent text not null,
  run_time bigint,
  body bytea,
  body_size integer not null,
  primary key (service_id, id)
);
create table ping_watch (
  id smallint primary key,
  heard_until timestamptz not null
);
create table ping_outages (
  id integer generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null
);
create index ping_outages_end on ping_outages (ended_at);
`
