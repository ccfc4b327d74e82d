/**
 * The rows of these tables may be lost, but not their numbering. The numbers of an unlogged sequence begin again after
 * a crash, and a promoted standby cannot read it at all (`bad magic number in sequence`), so that nothing more could be
 * recorded there.
 */
export const loggedSequences = `
alter sequence stream_events_id_seq set logged;
alter sequence process_messages_id_seq set logged;
`
