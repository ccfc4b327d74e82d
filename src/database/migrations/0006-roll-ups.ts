/**
 * Sums of the history. Hours and days are counted since 1970 in UTC; response times in milliseconds, of ok checks that
 * measured one.
 */
export const rollUps = `
create table hourly_performance (
  service_id integer not null,
  hour integer not null,
  response_time_sum bigint not null,
  ok_checks integer not null,
  error_checks integer not null,
  unknown_checks integer not null,
  timed_checks integer not null,
  response_time_minimum integer,
  response_time_maximum integer,
  primary key (service_id, hour)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);

create table daily_performance (
  service_id integer not null,
  day integer not null,
  sensor_id integer not null,
  ok_checks integer not null,
  response_time_sum bigint not null,
  error_checks integer not null,
  unknown_checks integer not null,
  timed_checks integer not null,
  response_time_minimum integer,
  response_time_maximum integer,
  primary key (service_id, day, sensor_id)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
`
