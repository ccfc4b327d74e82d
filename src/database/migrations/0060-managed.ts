/**
 * Objects that configuration as code made: their key, the mark of the configuration, and digests of what it set. The
 * API keeps keys unique, because a unique rule of a growing table would have to begin with its service.
 */
const tables = [
  ...['tags', 'groups', 'services', 'contacts', 'contact_groups', 'rotations', 'escalations', 'notification_addresses'],
  ...['suspensions', 'weekly_suspensions', 'report_templates', 'status_pages', 'status_page_components'],
  ...['contact_suspensions', 'contact_weekly_suspensions', 'escalation_suspensions', 'escalation_weekly_suspensions'],
]

export const managed = tables
  .map(
    (table) => `
alter table ${table}
  add column managed_key text,
  add column managed_by text,
  add column managed_state jsonb;
create index ${table}_managed on ${table} (managed_key, managed_by) where managed_key is not null;
`,
  )
  .join('')
