/**
 * Reports are worked on in turns of their accounts: `turn` is the number of a report's last turn. A known device is a
 * network from which a username has logged in, as a digest of both.
 */
export const fairTurns = `
create sequence report_turns;
alter table reports add column turn bigint;
create index reports_turn on reports (owner_id, turn);
create table known_devices (
  device bytea primary key,
  seen_at timestamptz not null
);
create index known_devices_age on known_devices (seen_at);
`
