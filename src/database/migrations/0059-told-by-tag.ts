/**
 * Recipients by tag: an address of a group may hear of services with a tag alone (null: of all in the group), and a
 * tag names contacts as services and groups do.
 */
export const toldByTag = `
alter table notification_addresses add column tag_ids integer[];
alter table tags
  add column contact_ids integer[] not null default '{}',
  add column contact_group_ids integer[] not null default '{}';
`
