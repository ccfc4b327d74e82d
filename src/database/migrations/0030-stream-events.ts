/**
 * The events of the event stream, for six minutes. They are read by their transactions, so that a transaction which
 * ends late is not skipped. A crash empties both tables: readers then see another epoch and read everything again.
 */
export const streamEvents = `
create unlogged table stream_events (
  id bigint generated always as identity primary key,
  transaction_id xid8 not null default pg_current_xact_id(),
  time timestamptz not null default clock_timestamp(),
  kind text not null,
  owner_id integer,
  service_id integer,
  subject_id bigint
);
create index stream_events_transaction on stream_events (transaction_id);
create unlogged table stream_epochs (
  is_present boolean primary key default true check (is_present),
  epoch integer not null
);
`
