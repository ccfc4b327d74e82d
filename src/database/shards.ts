import sql, { raw } from 'sql-template-tag'
import type { Executor } from './connect.ts'

/**
 * Where each table lives once the database is spread over machines; a new table gets its line here.
 * distributed: grows with the services, by the named column · reference: small and joined or referred to, a copy everywhere ·
 * local: work in hand, on the coordinator only.
 */
export const placement = {
  distributed: {
    services: 'id',
    service_statuses: 'service_id',
    analyses_hot: 'service_id',
    packed_days: 'service_id',
    hourly_performance: 'service_id',
    daily_performance: 'service_id',
    path_step_sets: 'service_id',
    hourly_step_performance: 'service_id',
    status_changes: 'service_id',
    suspensions: 'service_id',
    weekly_suspensions: 'service_id',
    corrections: 'service_id',
  },
  reference: [
    'distributions',
    'packages',
    'accounts',
    'administrators',
    'user_data',
    'user_settings',
    'sensors',
    'groups',
    'shares',
    'notification_addresses',
    'second_factors',
    'recovery_codes',
    'oauth_clients',
    'periodic_report_addresses',
    'report_templates',
    'report_schedules',
  ],
  local: [
    'migrations',
    'schedule',
    'forced_analyses',
    'held_failures',
    'notification_intents',
    'sessions',
    'authentications',
    'letters',
    'account_tokens',
    'oauth_codes',
    'usage_counters',
    'usage_notifications',
    'diagnostics',
    'removed_services',
    'machine_clocks',
    'sensor_tokens',
    'reports',
    'report_files',
    'report_mails',
    'report_counters',
    'packed_day_notes',
  ],
} as const

async function spreadTables(executor: Executor): Promise<Set<string>> {
  const rows = await executor.query<{ name: string }>(sql`select logicalrelid::text as name from pg_dist_partition`)
  return new Set(rows.map((row) => row.name))
}

/** On the coordinator of a Citus cluster: spreads the tables that are not yet. Rows on different machines meet on `service_id` only. */
export async function spreadOverMachines(executor: Executor): Promise<void> {
  const done = await spreadTables(executor)
  for (const table of placement.reference) {
    if (!done.has(table)) await executor.execute(raw(`select create_reference_table('${table}')`))
  }
  for (const [table, column] of Object.entries(placement.distributed)) {
    const beside = table === 'services' ? '' : `, colocate_with => 'services'`
    if (!done.has(table))
      await executor.execute(raw(`select create_distributed_table('${table}', '${column}'${beside})`))
  }
}
