/**
 * The state of monitoring itself: lost sensors, with mails about them to the administrator (without an account or a
 * link), and the difference between each machine's clock and the time since its start.
 */
export const watching = `
alter table sensors add column lost_at timestamptz;
alter table letters
  alter column account_id drop not null,
  alter column expires_at drop not null,
  add column sensor_id integer,
  add column facts jsonb;
create index letters_sensor on letters (sensor_id, address, id) where status = 'pending' and sensor_id is not null;

create table machine_clocks (
  machine text primary key,
  wall_offset double precision not null
);
`
