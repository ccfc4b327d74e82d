/** The key of the messages between processes. The first process makes it. */
export const exchangeKey = `
alter table core add column exchange_key bytea;
`
