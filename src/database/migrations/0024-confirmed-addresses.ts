/**
 * When a notification address was confirmed; null: it receives nothing. Earlier addresses count as confirmed, and so do
 * rows of an older export, which lack the column. A code is kept for a day, so that codes can be counted; its digest is
 * written when it is sent.
 */
export const confirmedAddresses = `
alter table notification_addresses add column confirmed_at timestamptz default now();
create table address_codes (
  id bigint generated always as identity primary key,
  address_id integer not null,
  account_id integer not null,
  destination text not null,
  code_digest bytea,
  expires_at timestamptz,
  tries_left integer not null,
  created_at timestamptz not null
);
create index address_codes_address on address_codes (address_id, id);
create index address_codes_destination on address_codes (destination, created_at);
create index address_codes_account on address_codes (account_id, created_at);
create index address_codes_age on address_codes (created_at);
`
