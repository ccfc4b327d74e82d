/**
 * Accounts that another account made for its customers. They are primary accounts of their own: `parent_account_id` is
 * of sub-accounts alone.
 */
export const dependentAccounts = `
alter table accounts
  add column maker_account_id integer references accounts on delete set null,
  add column maker_may_edit boolean not null default false,
  add column maker_may_block boolean not null default false,
  add column is_2fa_setup_required boolean not null default false;
create index accounts_maker on accounts (maker_account_id) where maker_account_id is not null;
`
