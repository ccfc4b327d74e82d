/**
 * Links with an identity that wait until the person proves the account, and who blocked an account. Blocks that stand
 * already may be the operator's, so they count as such.
 */
export const provenLinks = `
alter table oidc_identities
  add column proof_digest bytea,
  add column proof_until timestamptz,
  add column proof_is_read_only boolean;
alter table accounts add column blocked_by_operator boolean not null default false;
update accounts set blocked_by_operator = true where is_blocked;
`
