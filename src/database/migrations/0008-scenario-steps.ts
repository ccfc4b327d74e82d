/**
 * Results of scenarios by step. For each sensor `step_times` holds one number per name of the set, in the order of
 * `sensor_ids`. src/history/step-history.ts explains the numbers.
 */
export const scenarioSteps = `
alter table analyses_hot add column step_set_id bigint, add column step_times integer[];

create table path_step_sets (
  service_id integer not null,
  set_id bigint not null,
  names text[] not null,
  primary key (service_id, set_id)
);

create table hourly_step_performance (
  service_id integer not null,
  hour integer not null,
  set_id bigint not null,
  step smallint not null,
  ok_checks integer not null,
  error_checks integer not null,
  response_time_sum bigint not null,
  response_time_minimum integer,
  response_time_maximum integer,
  primary key (service_id, hour, set_id, step)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.05);
`
