import sql, { raw } from 'sql-template-tag'
import type { Database, Executor } from './connect.ts'
import { lockSchema } from './migrate.ts'
import { DatabaseUnusable } from './unusable.ts'

/**
 * The place of each table on a cluster of machines; a new table gets its line here. distributed: the history, which
 * fills the disks, by the named column · local: everything else, on the coordinator only. Nothing is copied to every
 * machine, because each write and each lock of a foreign key on such a table waits for all others of that table.
 */
export const placement = {
  distributed: {
    analyses_hot: 'service_id',
    packed_days: 'service_id',
    hourly_performance: 'service_id',
    daily_performance: 'service_id',
    path_step_sets: 'service_id',
    hourly_step_performance: 'service_id',
  },
  local: [
    'services',
    'service_statuses',
    'status_changes',
    'status_change_counts',
    'suspensions',
    'weekly_suspensions',
    'corrections',
    'change_comments',
    'good_screenshots',
    'degraded_periods',
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
    'unsent_analyses',
    'core',
    'config_directory',
    'service_metrics_export',
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

/** Enough that the shards of one machine can be moved to two. */
const shardsPerMachine = 2

/** Checks for the functions and the catalogue of Citus, which only the coordinator has. */
async function isCitus(executor: Executor): Promise<boolean> {
  const [found] = await executor.query<{ is: boolean }>(sql`select to_regclass('pg_dist_partition') is not null as is`)
  return found?.is === true
}

async function distributedTables(executor: Executor): Promise<ReadonlySet<string>> {
  if (!(await isCitus(executor))) return new Set()
  const rows = await executor.query<{ name: string }>(sql`select logicalrelid::text as name from pg_dist_partition`)
  return new Set(rows.map((row) => row.name))
}

/** True if this database is distributed already, whatever this process was configured for. */
export async function isDistributed(executor: Executor): Promise<boolean> {
  return (await distributedTables(executor)).has(first)
}

/**
 * The first table to distribute, and those that are placed like it, so that all rows of a service lie on one machine.
 */
const [first, ...others] = Object.keys(placement.distributed) as [string, ...string[]]

async function shardCount(executor: Executor): Promise<number> {
  const [row] = await executor.query<{ machines: number }>(sql`
    select count(*) as machines from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards`)
  return Math.max(row?.machines ?? 1, 1) * shardsPerMachine
}

/** On the coordinator of a Citus cluster: distributes the history over its machines, all of it or nothing. */
export async function distribute(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockSchema(transaction)
    if (!(await isCitus(transaction))) {
      throw new DatabaseUnusable('CITUS is on, but the database has no extension citus: create it, or leave CITUS off.')
    }
    const done = await distributedTables(transaction)
    // One connection per machine, which sees the earlier changes of this transaction.
    await transaction.execute(sql`set local citus.multi_shard_modify_mode = 'sequential'`)
    if (!done.has(first)) {
      const shards = await shardCount(transaction)
      await transaction.execute(
        raw(
          `select create_distributed_table('${first}', '${placement.distributed.analyses_hot}', colocate_with => 'none', shard_count => ${shards})`,
        ),
      )
    }
    for (const table of others.filter((name) => !done.has(name)))
      await transaction.execute(
        raw(`select create_distributed_table('${table}', 'service_id', colocate_with => '${first}')`),
      )
  })
}
