/** Who acknowledged a failure by the link of a message: the contact or the address that was told, as it was called then. */
export const acknowledgedByLink = `
alter table status_changes add column acknowledged_by_name text;
`
