/**
 * Reports are worked on in turns of their accounts: `turn` is when a report had its last one, by a count.
 * A known device is a network from which somebody has logged in under a name, as a digest of both.
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
