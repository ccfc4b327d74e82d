/** The accounts of identities of an identity provider. */
export const oidcIdentities = `
create table oidc_identities (
  issuer text not null,
  subject text not null,
  account_id integer not null references accounts on delete cascade,
  created_at timestamptz not null,
  last_login_at timestamptz not null,
  primary key (issuer, subject)
);
create index oidc_identities_account on oidc_identities (account_id);
`
