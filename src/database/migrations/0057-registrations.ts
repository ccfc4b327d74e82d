/**
 * The answers of the registries of domains (domain/expiry/registration.ts), for all accounts together, and the wishes
 * of their servers.
 */
export const registrations = `
create table registrations (
  domain text primary key,
  registration jsonb,
  misses int not null default 0,
  answered_at timestamptz,
  fault jsonb,
  failures int not null default 0,
  etag text,
  ask_after timestamptz not null,
  leased_until timestamptz
);

create table registry_servers (
  url text primary key,
  ask_after timestamptz not null,
  etag text,
  content text
);
`
