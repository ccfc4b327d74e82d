import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import type { NoticeFacts } from '../../src/domain/notification/notice.ts'
import type { SettingValue } from '../../src/domain/services/service-types.ts'
import { type Monitoring, type MonitoringOptions, startMonitoring } from '../../src/monitoring/start.ts'
import { scheduleNew } from '../../src/service-state/schedule.ts'
import { type VirtualClock, virtualClock } from './clock.ts'
import { testDatabase } from './database.ts'
import { type FakeStations, fakeStations } from './fake-stations.ts'
import { mortal } from './mortal.ts'

export interface ServiceOptions {
  readonly typeId?: string
  readonly interval?: number
  readonly isActive?: boolean
  readonly settings?: Readonly<Record<string, SettingValue>>
  readonly sensorIds?: readonly number[]
  readonly modeId?: string
  readonly recoveryModeId?: string
  readonly channelIds?: readonly string[]
  readonly conditionIds?: readonly string[]
}

export interface IntentRow {
  readonly event_id: string
  readonly notification_condition_id: string
  readonly address: string
  readonly account_id: number
  readonly facts: NoticeFacts
}

/** A database with one account, one group, three connected sensors and one address, and time that passes by hand. */
export interface MonitoringWorld {
  readonly database: Database
  readonly url: string
  readonly clock: VirtualClock
  readonly stations: FakeStations
  /** Three in Poland; a fourth in Germany is not assigned. */
  readonly sensorIds: readonly [number, number, number]
  readonly spareSensorId: number
  readonly groupId: number
  /** Starts one more process; it does nothing until it drains. */
  start(options?: Partial<MonitoringOptions>): Promise<MortalMonitoring>
  addService(options?: ServiceOptions): Promise<number>
  /** Lets time pass; every round happens at its own moment. */
  pass(monitoring: Monitoring, seconds: number): Promise<void>
  /** Lets every process die. */
  endProcesses(): void
  /** Forgets every service. */
  clear(): Promise<void>
  drop(): Promise<void>
}

export interface MortalMonitoring extends Monitoring {
  /** Ends it as `kill -9` does: nothing is handed back, nothing more is written. */
  die(): void
}

export const silentLog = { info: () => {}, warn: () => {}, error: () => {} } satisfies MonitoringOptions['log']

const baseTables = sql`
  with distribution as (insert into distributions (name) values ('Test') returning id),
  package as (
    insert into packages (distribution_id, name, minimum_interval, available_notification_channel_ids, available_service_types)
    select id, 'unlimited', 1, '{email,sms}', '[]' from distribution returning id, distribution_id),
  account as (
    insert into accounts (distribution_id, package_id, username, name)
    select distribution_id, id, 'alice', 'Alice' from package returning id),
  stations as (
    insert into sensors (name, city, country, category_ids) values
      ('Warsaw', 'Warszawa', 'PL', '{default}'), ('Cracow', 'Kraków', 'PL', '{default,ipv6}'),
      ('Gdansk', 'Gdańsk', 'PL', '{default}'), ('Berlin', 'Berlin', 'DE', '{default}') returning id),
  home as (
    insert into groups (owner_id, name, assigned_sensor_ids)
    select id, 'Home', jsonb_build_object('default', (select jsonb_agg(id order by id) from
      (select id from stations order by id limit 3) first), 'ipv6', '[]'::jsonb, 'mobile', '[]'::jsonb, 'webappcheck', '[]'::jsonb)
    from account returning id, owner_id),
  address as (
    insert into notification_addresses (group_id, notification_channel_id, address)
    select id, channel, target from home, (values ('email', 'alice@shop.example'), ('sms', '+48500100200')) as to_alice (channel, target))
  select home.id as group_id, home.owner_id, (select array_agg(id order by id) from stations) as sensor_ids from home`

/** Drains that leave the same moment due. */
const standstill = 20

/** Lets time pass up to a moment; every round and boundary happens at its own. */
export async function passTime(
  { database, clock }: Pick<MonitoringWorld, 'database' | 'clock'>,
  monitoring: Monitoring,
  target: number,
): Promise<void> {
  let [before, repeats] = [0, 0]
  for (let round = 0; round < 10_000; round++) {
    const [next] = await database.query<{ due_at: number | null }>(
      sql`select min(least(due_at, boundary_at)) as due_at from schedule`,
    )
    if (next?.due_at == null || next.due_at > target) {
      clock.advanceTo(target)
      return
    }
    clock.advanceTo(next.due_at)
    repeats = next.due_at === before ? repeats + 1 : 0
    before = next.due_at
    // After a lost connection monitoring pauses by this clock, which would otherwise stand still until the limit.
    if (repeats >= standstill) clock.advance(500)
    await monitoring.drain()
  }
  throw new Error(`Monitoring does not finish what was due at ${before}.`)
}

export async function monitoringWorld(): Promise<MonitoringWorld> {
  const { database, url, drop } = await testDatabase()
  const clock = virtualClock()
  const stations = fakeStations()
  const [base] = await database.query<{ group_id: number; owner_id: number; sensor_ids: number[] }>(baseTables)
  const [first, second, third, spare] = base?.sensor_ids ?? []
  if (!base || !first || !second || !third || !spare) throw new Error('The world was not made.')
  stations.connect(first, second, third, spare)
  const processes = new Set<() => void>()

  return {
    ...{ database, url, clock, stations, drop },
    sensorIds: [first, second, third],
    spareSensorId: spare,
    groupId: base.group_id,
    async start(options) {
      const own = mortal(options?.database ?? database)
      processes.add(own.die)
      const monitoring = await startMonitoring({
        ...{ stations, clock, timers: clock, log: silentLog, manual: true },
        keepArtifact: async () => null,
        retentionDays: 400,
        pruneArtifacts: async () => 0,
        ...options,
        database: own,
      })
      return { ...monitoring, die: own.die }
    },
    addService: (options) => addService(database, clock.now(), base, options ?? {}),
    pass: (monitoring, seconds) => passTime({ database, clock }, monitoring, clock.now() + seconds * 1000),
    endProcesses() {
      for (const die of processes) die()
      processes.clear()
    },
    async clear() {
      stations.answer = () => 'ok'
      stations.connect(first, second, third, spare)
      stations.jobs.length = 0
      await database.execute(sql`truncate services, service_statuses, schedule, forced_analyses, analyses_hot, status_changes,
        path_step_sets, hourly_step_performance, hourly_performance, daily_performance, notification_intents, held_failures, degraded_periods cascade`)
    },
  }
}

async function addService(
  database: Database,
  now: number,
  base: { group_id: number; owner_id: number },
  options: ServiceOptions,
): Promise<number> {
  const { interval = 60, typeId = 'http', isActive = true, settings = {}, sensorIds = [] } = options
  const { modeId = 'default', recoveryModeId = 'default' } = options
  const { channelIds = ['email'], conditionIds = ['failure', 'recovery'] } = options
  return database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ id: number }>(sql`
      insert into services (owner_id, group_id, name, type_id, address, interval, is_active, extended_settings, sensor_ids,
        notification_mode_id, recovery_notification_mode_id, notification_channel_ids, notification_condition_ids, created_at)
      values (${base.owner_id}, ${base.group_id}, 'Shop', ${typeId}, 'shop.example', ${interval}, ${isActive},
        ${JSON.stringify(settings)}, ${sensorIds}, ${modeId}, ${recoveryModeId}, ${channelIds}, ${conditionIds},
        ${new Date(now)}) returning id`)
    if (row === undefined) throw new Error('No service was made.')
    await scheduleNew(transaction, row.id, now)
    return row.id
  })
}

export interface StatusView {
  readonly check_status: string
  readonly monitoring_status: string
  readonly valid_until: number | null
  readonly state: string | null
  readonly last_analysis_id: number | null
}

export async function statusOf(database: Database, serviceId: number): Promise<StatusView | undefined> {
  const [row] = await database.query<StatusView>(sql`select * from service_statuses where service_id = ${serviceId}`)
  return row
}

export interface AnalysisView {
  readonly analysis_id: number
  readonly verdict: string
  readonly sensor_ids: number[]
  readonly results: string[]
  readonly failures: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null
}

export async function analysesOf(database: Database, serviceId: number): Promise<AnalysisView[]> {
  return database.query<AnalysisView>(
    sql`select * from analyses_hot where service_id = ${serviceId} order by analysis_id`,
  )
}

export interface ChangeView {
  readonly status: string
  readonly pause_reason: string | null
  readonly start_time: number
  readonly end_time: number | null
}

export async function changesOf(database: Database, serviceId: number): Promise<ChangeView[]> {
  return database.query<ChangeView>(sql`
    select status, pause_reason, start_time, end_time from status_changes where service_id = ${serviceId} order by change_id`)
}

export async function intentsOf(database: Database, serviceId: number): Promise<IntentRow[]> {
  return database.query<IntentRow>(sql`select * from notification_intents where service_id = ${serviceId} order by id`)
}

export async function planOf(database: Database, serviceId: number): Promise<{ due_at: number; reason: string }> {
  const [row] = await database.query<{ due_at: number; reason: string }>(
    sql`select due_at, reason from schedule where service_id = ${serviceId}`,
  )
  if (row === undefined) throw new Error('The service has no plan.')
  return row
}
