import sql, { raw } from 'sql-template-tag'
import type { Database, Executor } from './connect.ts'
import { lockSchema } from './migrate.ts'
import { DatabaseUnusable } from './unusable.ts'

/**
 * The place of each table on a cluster of machines; a new table gets its line here. distributed: grows with the
 * services, by the named column · reference: small and joined or referred to, a copy everywhere · local: current work,
 * on the coordinator only.
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
    change_comments: 'service_id',
    good_screenshots: 'service_id',
    degraded_periods: 'service_id',
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
    'contacts',
    'contact_groups',
    'contact_suspensions',
    'contact_weekly_suspensions',
    'escalations',
    'rotations',
    'escalation_suspensions',
    'escalation_weekly_suspensions',
    'notification_addresses',
    'second_factors',
    'recovery_codes',
    'oidc_identities',
    'passkeys',
    'oauth_clients',
    'periodic_report_addresses',
    'report_templates',
    'report_schedules',
    'tags',
    'wide_suspensions',
    'wide_weekly_suspensions',
    'wallboards',
    'templates',
    'contact_templates',
    'status_pages',
    'status_page_components',
    'status_page_incidents',
    'status_page_incident_templates',
    'status_page_logos',
    'status_page_subscribers',
  ],
  local: [
    'migrations',
    'schedule',
    'forced_analyses',
    'held_failures',
    'escalation_statuses',
    'notification_intents',
    'deliveries',
    'sessions',
    'api_keys',
    'api_key_tokens',
    'assistant_confirmations',
    'audit_log',
    'audit_chains',
    'authentications',
    'messages',
    'failing_gateways',
    'account_tokens',
    'oauth_codes',
    'passkey_challenges',
    'usage_counters',
    'usage_notifications',
    'diagnostics',
    'removed_services',
    'machine_clocks',
    'known_devices',
    'sms_days',
    'address_codes',
    'sensor_tokens',
    'reports',
    'report_files',
    'report_counters',
    'periodic_report_plans',
    'periodic_reports',
    'packed_day_notes',
    'core',
    'config_directory',
    'missed_rounds',
    'processes',
    'process_messages',
    'login_failures',
    'stream_events',
    'stream_epochs',
    'status_page_failures',
    'status_page_notices',
    'status_page_stops',
    'heartbeats',
    'pings',
    'ping_watch',
    'ping_outages',
    'registrations',
    'registry_servers',
  ],
} as const

/** Checks for the functions and the catalogue of Citus, which only the coordinator has. */
async function isCitus(executor: Executor): Promise<boolean> {
  const [found] = await executor.query<{ is: boolean }>(sql`select to_regclass('pg_dist_partition') is not null as is`)
  return found?.is === true
}

async function spreadTables(executor: Executor): Promise<ReadonlySet<string>> {
  if (!(await isCitus(executor))) return new Set()
  const rows = await executor.query<{ name: string }>(sql`select logicalrelid::text as name from pg_dist_partition`)
  return new Set(rows.map((row) => row.name))
}

/** True if this database is distributed already, whatever this process was configured for. */
export async function isSpread(executor: Executor): Promise<boolean> {
  return (await spreadTables(executor)).has('services')
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly definition: string
}

async function foreignKeysOf(executor: Executor, tables: readonly string[]): Promise<ForeignKey[]> {
  return executor.query<ForeignKey>(sql`
    select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conparentid = 0
      and (conrelid::regclass::text = any(${tables}) or confrelid::regclass::text = any(${tables}))
    order by conrelid::regclass::text, conname`)
}

/**
 * On the coordinator of a Citus cluster: distributes the remaining tables, all or none. Rows on different machines can
 * be joined on `service_id` only. Foreign keys are dropped before and restored after. Otherwise Citus would at once
 * manage every table that refers to a new reference table, and such a table with an identity column can no longer be
 * distributed (citusdata/citus#7036).
 */
export async function spreadOverMachines(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockSchema(transaction)
    if (!(await isCitus(transaction))) {
      throw new DatabaseUnusable('CITUS is on, but the database has no extension citus: create it, or leave CITUS off.')
    }
    const done = await spreadTables(transaction)
    const reference = placement.reference.filter((table) => !done.has(table))
    const distributed = Object.entries(placement.distributed).filter(([table]) => !done.has(table))
    const missing = [...reference, ...distributed.map(([table]) => table)]
    if (missing.length === 0) return
    // One connection per machine, which sees the earlier changes of this transaction.
    await transaction.execute(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
    const keys = await foreignKeysOf(transaction, missing)
    for (const { table, name } of keys) await transaction.execute(raw(`alter table ${table} drop constraint ${name}`))
    for (const table of reference) await transaction.execute(raw(`select create_reference_table('${table}')`))
    for (const [table, column] of distributed) {
      const beside = table === 'services' ? '' : `, colocate_with => 'services'`
      await transaction.execute(raw(`select create_distributed_table('${table}', '${column}'${beside})`))
    }
    for (const { table, name, definition } of keys)
      await transaction.execute(raw(`alter table ${table} add constraint ${name} ${definition}`))
  })
}
