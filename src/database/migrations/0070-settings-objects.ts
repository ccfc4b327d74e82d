/**
 * Settings of addresses are objects. A channel without fields once took any JSON, and then no list with such an
 * address could be read.
 */
export const settingsObjects = `
update notification_addresses set settings = '{}' where jsonb_typeof(settings) <> 'object';
alter table notification_addresses add constraint settings_are_an_object check (jsonb_typeof(settings) = 'object');
`
