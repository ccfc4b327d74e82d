/**
 * Passkeys of accounts, and the challenges that one answer of a passkey may use. A second factor may have no
 * application: then only passkeys and recovery codes complete a login.
 */
export const passkeys = `
create table passkeys (
  id integer generated always as identity primary key,
  owner_id integer not null references accounts on delete cascade,
  parent_account_id integer,
  name text not null,
  credential_id bytea not null unique,
  public_key bytea not null,
  sign_count bigint not null,
  user_handle bytea not null,
  rp_id text not null,
  transports text[] not null,
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
) with (fillfactor = 70);
create index passkeys_owner on passkeys (owner_id);
create index passkeys_parent on passkeys (parent_account_id) where parent_account_id is not null;

create table passkey_challenges (
  challenge_hash bytea primary key,
  purpose text not null,
  account_id integer,
  session_id text,
  user_handle bytea,
  expires_at timestamptz not null
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);

create index oidc_identities_unproven on oidc_identities (proof_until) where proof_digest is not null;

alter table second_factors alter column secret drop not null;
alter table second_factors add column is_confirmed boolean not null default false;
update second_factors set is_confirmed = true
where account_id in (select id from user_data where has_2fa_enabled);
`
