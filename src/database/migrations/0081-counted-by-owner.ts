/** The index of an account's services has all that counting the visible ones reads, so counts read no rows. */
export const countedByOwner = `
drop index services_owner;
create index services_owner on services (owner_id, id) include (group_id, is_archived);
`
