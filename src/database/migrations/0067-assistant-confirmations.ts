/** Writes of assistants that wait for the confirmation of a person; only digests are stored, each is used once. */
export const assistantConfirmations = `
create table assistant_confirmations (
  token_hash bytea primary key,
  account_id integer not null,
  content_hash bytea not null,
  expires_at timestamptz not null
);
create index assistant_confirmations_account on assistant_confirmations (account_id, expires_at);
`
