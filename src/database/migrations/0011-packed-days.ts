/**
 * Closed days of the history, one row for each service and UTC day since 1970. `data` is packed and compressed by the program
 * (src/history/packed); `id_squares` is the sum of the squares of the analyses' ids, which tells one set of them from another. A day is noted once all its analyses are packed; an hour later they go from `analyses_hot`.
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
