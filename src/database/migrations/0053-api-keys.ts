/**
 * API keys of accounts and administrators, whose numbers never meet, and the access tokens that keys are exchanged for.
 * Only digests are stored. After a rotation the former key works for a while.
 */
export const apiKeys = `
create table api_keys (
  id integer generated always as identity primary key,
  owner_id integer not null,
  parent_account_id integer,
  name text not null,
  scopes text[] not null,
  group_ids integer[],
  tag_ids integer[],
  prefix text not null,
  key_hash bytea not null unique,
  previous_hash bytea unique,
  previous_expires_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz
) with (fillfactor = 70);
create index api_keys_owner on api_keys (owner_id);
create index api_keys_parent on api_keys (parent_account_id) where parent_account_id is not null;

create table api_key_tokens (
  token_hash bytea primary key,
  api_key_id integer not null references api_keys on delete cascade,
  scopes text[] not null,
  expires_at timestamptz not null
);
create index api_key_tokens_key on api_key_tokens (api_key_id, expires_at);
`
