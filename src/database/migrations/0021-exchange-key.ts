/** What seals the messages between processes. Made by whoever starts first. */
export const exchangeKey = `
alter table core add column exchange_key bytea;
`
