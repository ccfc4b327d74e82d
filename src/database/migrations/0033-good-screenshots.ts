/** Screenshots of good pages: one picture per service, type and UTC day. A JPEG is not compressed again. */
export const goodScreenshots = `
create table good_screenshots (
  service_id integer not null,
  type_id text not null,
  day date not null,
  analysis_id bigint not null,
  sensor_id integer not null,
  taken_at timestamptz not null,
  digest text not null,
  picture bytea not null,
  primary key (service_id, type_id, day)
);
alter table good_screenshots alter column picture set storage external;
`
