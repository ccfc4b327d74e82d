/**
 * Analyses that are judged, and not known to lie on the machine of their shard yet: written with the state of their
 * services, and deleted once their machine has them. Only a cluster has any.
 */
export const unsentAnalyses = `
create table unsent_analyses (
  id bigint generated always as identity primary key,
  machine text not null,
  written_at timestamptz not null default now(),
  analyses_count int not null,
  oldest_id bigint not null,
  analyses text not null
);
`
