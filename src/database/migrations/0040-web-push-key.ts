/** What tells the push services of browsers who sends (RFC 8292). Made by whoever starts first; browsers that subscribed know its public half. */
export const webPushKey = `
alter table core add column web_push_key bytea;
`
