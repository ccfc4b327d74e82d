/** What people write beside a notification address. */
export const addressDescriptions = `
alter table notification_addresses add column description text not null default '';
`
