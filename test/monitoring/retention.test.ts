import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createArtifactStore } from '../../src/database/artifacts.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { removeServices } from '../../src/database/services.ts'
import { Retention, type RetentionOptions } from '../../src/monitoring/retention.ts'
import { type VirtualClock, virtualClock } from '../support/clock.ts'
import { type MonitoringWorld, monitoringWorld, silentLog } from '../support/monitoring.ts'

const day = 86_400_000
/** An ordinary minute of a day. */
const noon = Date.UTC(2026, 10, 21, 12)

let world: MonitoringWorld
let clock: VirtualClock

beforeAll(async () => {
  world = await monitoringWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  clock = virtualClock(noon)
  await world.clear()
  await world.database.execute(sql`truncate authentications, diagnostics, removed_services`)
})

function retention(options: Partial<RetentionOptions> = {}): Retention {
  const { database } = world
  return new Retention({
    database,
    clock,
    log: silentLog,
    retentionDays: 400,
    pruneArtifacts: async () => 0,
    ...options,
  })
}

async function logIn(time: number): Promise<void> {
  await world.database.execute(sql`insert into authentications (account_id, time, ip_address, user_agent, method, success)
    values (1, ${new Date(time)}, '', '', 'basic', true)`)
}

async function tell(eventId: string, at: number, status: string): Promise<void> {
  await world.database.execute(sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, facts, status, created_at)
    values (1, ${eventId}, 1, 1, 1, 'email', 'failure', '', '{}', ${status}, ${new Date(at)})`)
}

async function left<Row extends object>(statement: ReturnType<typeof sql>): Promise<Row[]> {
  return world.database.query<Row>(statement)
}

test('logs and settled notices go after the days that they are kept, waiting ones stay', async () => {
  // Whole days are kept: the day that began 400 days ago is the oldest.
  const oldest = Math.floor(noon / day) * day - 400 * day
  for (const at of [oldest - 1, oldest]) await logIn(at)
  await tell('too old', oldest - 1, 'sent')
  await tell('failed', oldest - 1, 'failed')
  await tell('waits', oldest - 1, 'pending')
  await tell('young enough', oldest, 'sent')
  await retention().keep()
  expect(await left(sql`select time from authentications`)).toEqual([{ time: oldest }])
  expect(await left(sql`select event_id from notification_intents order by 1`)).toEqual([
    { event_id: 'waits' },
    { event_id: 'young enough' },
  ])
})

test('more than fits one deletion goes in several', async () => {
  await world.database.execute(sql`
    insert into authentications (account_id, time, ip_address, user_agent, method, success)
    select 1, ${new Date(noon - 500 * day)}, '', '', 'basic', true from generate_series(1, 12001)`)
  await logIn(noon)
  await retention().keep()
  expect(await left(sql`select time from authentications`)).toEqual([{ time: noon }])
})

test('the history goes by whole days, status changes stay', async () => {
  const id = await world.addService()
  await ensurePartitions(world.database, noon - 3 * day, 5)
  await world.database.execute(sql`
    insert into analyses_hot (service_id, analysis_id, verdict, error_tolerance, sensor_ids, results, time_offsets,
      response_times, data_sizes, phases)
    select ${id}, (${noon}::bigint - days * ${day}::bigint) * 100, 'ok', 51, '{1}', '{o}', '{0}', '{1}', '{1}', '{}'
    from generate_series(0, 3) days`)
  await world.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time)
    values (${id}, 1, 'ok', ${new Date(noon - 1000 * day)})`)
  await retention({ retentionDays: 2 }).keep()
  expect(await left(sql`select analysis_id from analyses_hot order by 1`)).toEqual(
    [2, 1, 0].map((days) => ({ analysis_id: (noon - days * day) * 100 })),
  )
  expect(await left(sql`select from status_changes`)).toHaveLength(1)
})

test('evidence that nobody saw again goes too', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'latarnik-retention-'))
  try {
    const store = createArtifactStore(directory)
    const [old, young] = [await store.put(Buffer.from('old')), await store.put(Buffer.from('young'))]
    const at = new Date(noon - 401 * day)
    await utimes(join(directory, old.slice(0, 2), `${old}.gz`), at, at)
    await retention({ pruneArtifacts: (beforeAt) => store.prune(beforeAt) }).keep()
    expect(await store.read(old)).toBeNull()
    expect(await store.read(young)).toEqual(Buffer.from('young'))
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('a day is gone through once, however often one looks', async () => {
  const asked: number[] = []
  const kept = retention({
    pruneArtifacts: async (beforeAt) => {
      asked.push(beforeAt)
      return 0
    },
  })
  for (let hour = 0; hour < 24; hour++) {
    await kept.keep()
    clock.advance(3_600_000)
  }
  expect(asked.map((at) => new Date(at).toISOString())).toEqual([
    '2025-10-17T00:00:00.000Z',
    '2025-10-18T00:00:00.000Z',
  ])
})

test('what cannot be removed does not keep the rest', async () => {
  await logIn(noon - 500 * day)
  const broken = () => Promise.reject(new Error('the disk is read-only'))
  await ensurePartitions(world.database, noon - 600 * day, 0)
  await retention({ pruneArtifacts: broken }).keep()
  expect(await left(sql`select from authentications`)).toEqual([])
  const days = await left<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'analyses_hot'::regclass`)
  expect(days.filter(({ name }) => name < 'analyses_hot_2026')).toEqual([])
})

test('the history of removed services is swept away, that of others stays', async () => {
  const [removed, kept] = [await world.addService(), await world.addService()]
  await ensurePartitions(world.database, noon, 0)
  await world.database.execute(sql`
    insert into analyses_hot (service_id, analysis_id, verdict, error_tolerance, sensor_ids, results, time_offsets,
      response_times, data_sizes, phases)
    select service_id, (${noon}::bigint + number) * 100, 'ok', 51, '{1}', '{o}', '{0}', '{1}', '{1}', '{}'
    from generate_series(1, 6000) number, (values (${removed}::int), (${kept}::int)) service (service_id)`)
  await world.database.transaction((transaction) => removeServices(transaction, [removed]))
  await Promise.all([retention().keep(), retention().keep()])
  expect(await left(sql`select service_id, count(*)::int as n from analyses_hot group by 1`)).toEqual([
    { service_id: kept, n: 6000 },
  ])
  expect(await left(sql`select from removed_services`)).toEqual([])
})

test('diagnostics live for a day', async () => {
  await world.database.execute(sql`
    insert into diagnostics (kind, account_id, sensor_id, request, created_at)
    select 'dns', 1, ${world.sensorIds[0]}, '{}', at
    from (values (${new Date(noon - day - 1)}::timestamptz), (${new Date(noon - day)})) made (at)`)
  await retention().keep()
  expect(await left(sql`select created_at from diagnostics`)).toEqual([{ created_at: noon - day }])
})
