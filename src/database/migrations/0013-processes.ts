/** Processes that share the database: their identities, and the messages between them. A crash may lose this work. */
export const processes = `
create table core (
  is_only boolean primary key default true check (is_only),
  id text not null
);

create unlogged table processes (
  id text primary key,
  announcement text not null,
  revision bigint not null,
  beats bigint not null,
  has_left boolean not null default false
) with (fillfactor = 50);

create unlogged table process_messages (
  id bigint generated always as identity primary key,
  receiver text not null,
  content bytea not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
create index process_messages_receiver on process_messages (receiver, id);

alter table sensors add column connection_no bigint not null default 0;
`
