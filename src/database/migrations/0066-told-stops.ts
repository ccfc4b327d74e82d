/** Planned stops that a status page has told of, by the key of a stop or its series, and notices about them. */
export const toldStops = `
create table status_page_stops (
  status_page_id integer not null references status_pages on delete cascade,
  key text not null,
  id text not null,
  series text,
  start_time timestamptz not null,
  end_time timestamptz not null,
  component_ids integer[] not null,
  status text not null,
  primary key (status_page_id, key)
);
alter table status_page_notices alter column incident_id drop not null, add column stop_id text;
`
