/** Outages of one heartbeat, whose pings alone were refused; null: of everybody. */
export const ownPingOutages = `
alter table ping_outages add column service_id integer;
create index ping_outages_service on ping_outages (service_id, ended_at) where service_id is not null;
`
