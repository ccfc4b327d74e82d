/** Users' descriptions of notification addresses. */
export const addressDescriptions = `
alter table notification_addresses add column description text not null default '';
`
