/** The columns of configuration as code for the kinds that joined it later. See 0060-managed.ts. */
const tables = [
  ...['wide_suspensions', 'wide_weekly_suspensions', 'templates', 'wallboards', 'periodic_report_addresses'],
  'status_page_incident_templates',
]

export const managedKinds = tables
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
