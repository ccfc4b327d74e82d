/** What the far end calls a message that it took, so that the end of a failure can answer the message that told it. */
export const messageReferences = `
alter table notification_intents add column reference text;
`
