/** Which sensors are known to be lost, and letters about them: to the administrator, without an account or a link. */
export const sensorLosses = `
alter table sensors add column lost_at timestamptz;
alter table letters
  alter column account_id drop not null,
  alter column expires_at drop not null,
  add column sensor_id integer,
  add column facts jsonb;
create index letters_sensor on letters (sensor_id, address, id) where status = 'pending' and sensor_id is not null;
`
