/**
 * The key that identifies us to browsers' push services (RFC 8292). The first process makes it; subscribed browsers
 * know its public half.
 */
export const webPushKey = `
alter table core add column web_push_key bytea;
`
