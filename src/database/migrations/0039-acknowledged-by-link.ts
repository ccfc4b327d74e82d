/**
 * The person who acknowledged a failure through a message's link: the notified contact or address, by its name at that
 * time.
 */
export const acknowledgedByLink = `
alter table status_changes add column acknowledged_by_name text;
`
