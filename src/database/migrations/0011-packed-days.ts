/**
 * Closed days of the history, one row per service and UTC day since 1970. The program packs and compresses `data`
 * (src/history/packed). `id_squares`, the sum of the squares of the analyses' ids, identifies a set of them. A day is
 * recorded once all its analyses are packed; an hour later they are deleted from `analyses_hot`.
 */
export const packedDays = `
create table packed_days (
  service_id integer not null,
  day integer not null,
  analyses integer not null,
  checks integer not null,
  failed_analyses integer not null,
  id_squares numeric not null,
  data bytea not null,
  primary key (service_id, day)
) partition by range (day);
alter table packed_days alter column data set storage external;

create table packed_day_notes (
  day integer primary key,
  packed_at timestamptz not null
);
`
