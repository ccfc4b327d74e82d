/**
 * The destination's own reference to an accepted message, so that the end of a failure can answer the failure's
 * message.
 */
export const messageReferences = `
alter table notification_intents add column reference text;
`
