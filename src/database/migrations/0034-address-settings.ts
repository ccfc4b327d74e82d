/**
 * Addresses that consist of fields, and whether they are in use. `destination` is the host that receives the messages,
 * so that a failing host delays nobody else. It is null if the operator's gateway carries them. `settings` of an intent
 * belong to an address that is tested before it is saved.
 */
export const addressSettings = `
alter table notification_addresses
  add column settings jsonb not null default '{}',
  add column destination text,
  add column is_enabled boolean not null default true,
  add column disabled_reason text;
alter table notification_intents
  add column settings jsonb,
  add column destination text;
`
