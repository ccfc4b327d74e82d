/** Remote stations: their descriptions of themselves, and their tokens. */
export const farSensors = `
alter table sensors add column version text not null default '';

create table sensor_tokens (
  digest bytea primary key,
  sensor_id integer not null references sensors on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz
);
create index sensor_tokens_sensor on sensor_tokens (sensor_id);
`
