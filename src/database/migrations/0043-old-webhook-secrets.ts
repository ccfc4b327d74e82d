/** Until when the second secret of a webhook signs beside the first; null: until somebody removes it. */
export const oldWebhookSecrets = `
alter table notification_addresses add column old_secret_until timestamptz;
`
