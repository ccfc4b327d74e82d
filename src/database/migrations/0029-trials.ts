/** Trials of definitions count against limits of their account; the other requests belong to one service. */
export const trials = `
alter table forced_analyses alter column service_id drop not null, add column account_id integer;
create index forced_analyses_account on forced_analyses (account_id, requested_at) where account_id is not null;
`
