/**
 * Logins of assistants by OAuth: an API key of the client that nobody knows, and refresh tokens that are used once. A
 * key may let assistants confirm their own changes.
 */
export const assistantLogins = `
alter table api_keys add column can_confirm_itself boolean not null default false, add column client_id text;
alter table api_key_tokens add column is_refresh boolean not null default false, add column replaced_at timestamptz;
alter table oauth_codes add column scopes text[], add column api_key_id integer;
`
