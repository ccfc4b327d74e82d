import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import sql, { raw } from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appendAudit } from '../../src/database/accounts/audit-log.ts'
import { diskArtifacts } from '../../src/database/artifacts/disk.ts'
import type { ArtifactStore } from '../../src/database/artifacts/store.ts'
import { sweepArtifacts } from '../../src/database/artifacts/sweep.ts'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { packClosedDays } from '../../src/history/packed/pack-days.ts'
import { Retention, type RetentionOptions } from '../../src/monitoring/retention.ts'
import { removeServices } from '../../src/service-state/services.ts'
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
    packHistory: async (nowAt) => (await packClosedDays(database, { nowAt })).packedAnalyses,
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

test('escalations that are over go like notices, those that run stay', async () => {
  const oldest = Math.floor(noon / day) * day - 400 * day
  const begun = [
    [1, 'over', oldest - 1],
    [2, 'running', oldest - 1],
    [3, 'over', oldest],
  ] as const
  for (const [id, state, at] of begun) {
    await world.database.execute(sql`
      insert into escalation_statuses (service_id, change_id, escalation_id, owner_id, state, started_at, facts)
      values (${id}, 1, 1, 1, ${state}, ${new Date(at)}, '{}')`)
  }
  await retention().keep()
  const kept = await left(sql`select service_id from escalation_statuses order by 1`)
  expect(kept).toEqual([{ service_id: 2 }, { service_id: 3 }])
})

test('challenges and identities that wait for a proof go when they expire, proven identities stay', async () => {
  const { database } = world
  await database.execute(sql`truncate passkey_challenges, oidc_identities`)
  for (const [subject, until] of [
    ['late', noon],
    ['waiting', noon + 1],
    ['proven', null],
  ] as const) {
    const [digest, at] = until === null ? [null, null] : [Buffer.from(subject), new Date(until)]
    await database.execute(sql`
      insert into oidc_identities (issuer, subject, account_id, created_at, last_login_at, proof_digest, proof_until)
      select 'https://login.example.com', ${subject}, min(id), ${new Date(noon)}, ${new Date(noon)}, ${digest}, ${at}
      from accounts`)
    await database.execute(sql`
      insert into passkey_challenges (challenge_hash, purpose, expires_at)
      values (${Buffer.from(subject)}, 'log_in', ${new Date(until ?? noon + 2)})`)
  }
  await retention().keep()
  expect(await left(sql`select subject from oidc_identities order by 1`)).toEqual([
    { subject: 'proven' },
    { subject: 'waiting' },
  ])
  expect(await left(sql`select expires_at from passkey_challenges order by 1`)).toEqual([
    { expires_at: noon + 1 },
    { expires_at: noon + 2 },
  ])
})

test('the SMS of a day are forgotten after a week, codes of addresses after a day', async () => {
  const { database } = world
  await database.execute(sql`truncate sms_days, address_codes`)
  await database.execute(sql`
    insert into sms_days (account_id, day, count)
    values (1, '2026-11-13', 1), (2, '2026-11-13', 2), (1, '2026-11-14', 3), (1, '2026-11-21', 4)`)
  for (const at of [noon - day - 1, noon - day, noon]) {
    await database.execute(sql`
      insert into address_codes (address_id, account_id, destination, tries_left, created_at)
      values (1, 1, 'sms:48600000000', 5, ${new Date(at)})`)
  }
  await retention().keep()
  expect(await left(sql`select day::text, count from sms_days order by day`)).toEqual([
    { day: '2026-11-14', count: 3 },
    { day: '2026-11-21', count: 4 },
  ])
  expect(await left(sql`select created_at from address_codes order by 1`)).toEqual([
    { created_at: noon - day },
    { created_at: noon },
  ])
})

test('letters go like notices', async () => {
  const oldest = Math.floor(noon / day) * day - 400 * day
  await world.database.execute(sql`truncate messages`)
  await world.database.execute(sql`
    insert into messages (kind, address, sensor_id, facts, status, created_at)
    values ('sensor_lost', 'too old', 1, '{}', 'sent', ${new Date(oldest - 1)}),
      ('sensor_lost', 'waits', 1, '{}', 'pending', ${new Date(oldest - 1)}),
      ('sensor_lost', 'young enough', 1, '{}', 'failed', ${new Date(oldest)})`)
  await retention().keep()
  expect(await left(sql`select address from messages order by id`)).toEqual([
    { address: 'waits' },
    { address: 'young enough' },
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

test.each([
  [800, 800],
  [2, 400],
])('sums stay as long as analyses of %i days, but for %i days of charts at least', async (retentionDays, days) => {
  const ids = [await world.addService(), await world.addService()]
  const oldest = Math.floor(noon / day) - days
  const periods = sql`(values (${oldest - 1}::int), (${oldest}), (${oldest + days})) period (number), unnest(${ids}::int[]) id`
  const none = sql`0, 0, 0, 0, 0`
  await world.database.execute(sql`
    insert into daily_performance (service_id, day, sensor_id, ok_checks, response_time_sum, error_checks, unknown_checks, timed_checks)
    select id, number, 1, ${none} from ${periods}`)
  await world.database.execute(sql`
    insert into hourly_performance (service_id, hour, ok_checks, response_time_sum, error_checks, unknown_checks, timed_checks)
    select id, number * 24 + hour, ${none} from ${periods}, generate_series(0, 23, 23) hour`)
  await retention({ retentionDays }).keep()
  const kept = [oldest, oldest + days]
  expect(await left(sql`select service_id, day from daily_performance order by 1, 2`)).toEqual(
    ids.flatMap((service_id) => kept.map((number) => ({ service_id, day: number }))),
  )
  expect(await left(sql`select service_id, hour from hourly_performance order by 1, 2`)).toEqual(
    ids.flatMap((service_id) =>
      kept.flatMap((number) => [0, 23].map((hour) => ({ service_id, hour: number * 24 + hour }))),
    ),
  )
})

describe('evidence', () => {
  let directory: string
  let store: ArtifactStore
  const whole = { start: 0, end: 1 }
  const keep = (serviceId: number, decidedAt: number) => store.put(Buffer.from('x'), { serviceId, decidedAt })
  const has = async (key: string) => {
    const found = await store.open(key, whole)
    found?.destroy()
    return found !== null
  }
  const pruning = () =>
    retention({
      pruneArtifacts: (beforeAt) => sweepArtifacts(store, world.database, { beforeAt, nowAt: clock.now() }),
    })

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'latarnik-retention-'))
    store = diskArtifacts(directory)
  })
  afterEach(() => rm(directory, { recursive: true }))

  test('goes with the days of the analyses that refer to it, the same page of a later day stays', async () => {
    const id = await world.addService()
    const oldest = Math.floor(noon / day) * day - 400 * day
    const [gone, kept] = [await keep(id, oldest - 1), await keep(id, oldest)]
    await pruning().keep()
    expect([await has(gone), await has(kept)]).toEqual([false, true])
    expect(await store.days()).toEqual(['20251017'])
  })

  test('of removed services goes, that of others who saw the same stays', async () => {
    const [removed, left] = [await world.addService(), await world.addService()]
    const [gone, kept] = [await keep(removed, noon), await keep(left, noon)]
    await world.database.transaction((transaction) => removeServices(transaction, [removed]))
    await pruning().keep()
    expect([await has(gone), await has(kept)]).toEqual([false, true])
  })

  test('that was kept for a round which was never recorded goes with its day, half a file after one', async () => {
    const id = await world.addService()
    const orphan = await keep(id, noon)
    const draft = join(directory, 'drafts', 'half')
    await writeFile(draft, 'ha')
    await utimes(draft, new Date(noon), new Date(noon))
    const daily = pruning()
    await daily.keep()
    expect([await has(orphan), await readdir(join(directory, 'drafts'))]).toEqual([true, ['half']])
    clock.advance(401 * day)
    await daily.keep()
    expect([await has(orphan), await readdir(join(directory, 'drafts'))]).toEqual([false, []])
  })

  test('stays while the days that refer to it cannot be forgotten', async () => {
    const id = await world.addService()
    await ensurePartitions(world.database, noon - 500 * day, 0)
    const key = await keep(id, noon - 500 * day)
    const [partition] = await left<{ name: string }>(sql`
      select inhrelid::regclass::text as name from pg_inherits where inhparent = 'analyses_hot'::regclass order by 1`)
    const daily = pruning()
    await world.database.transaction(async (reader) => {
      await reader.query(raw(`select from ${partition?.name}`))
      await daily.keep()
    })
    expect(await has(key)).toBe(true)
    clock.advance(day)
    await daily.keep()
    expect(await has(key)).toBe(false)
  })
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

test('a lost machine of a cluster does not keep what lies elsewhere', async () => {
  await logIn(noon - 500 * day)
  const lost = Object.assign(new Error('connection to the remote node failed'), { code: '08006', severity: 'ERROR' })
  const database = { ...world.database, transaction: () => Promise.reject(lost) }
  await retention({ database }).keep()
  expect(await left(sql`select from authentications`)).toEqual([])
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

test('closed days are packed, and what was packed an hour ago stands there only', async () => {
  const closed = noon - 3 * day
  const id = await world.addService()
  await ensurePartitions(world.database, closed, 0)
  await world.database.execute(sql`insert into analyses_hot
    values (${id}, ${closed * 100}, 'ok', 51, '{1}', '{o}', '{-90}', '{90}', '{5120}', '{10,20,-1,10,50,10}', null)`)
  const kept = retention()
  const where = () =>
    left(sql`
    select (select count(*)::int from analyses_hot where service_id = ${id}) as hot,
      (select coalesce(sum(analyses), 0)::int from packed_days where service_id = ${id}) as packed`)
  await kept.keep()
  expect(await where()).toEqual([{ hot: 1, packed: 1 }])
  clock.advance(3_600_000)
  await kept.keep()
  expect(await where()).toEqual([{ hot: 0, packed: 1 }])
})

test('the heads of the audit log are kept once a day, and the log of the program has the last record', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  const ownerId = 71
  const record = {
    ...{ ownerId, at: noon, accountId: null, apiKeyId: null, ipAddress: '', source: 'api', operation: 'a.b' },
    ...{ resource: 'a', objectId: null, before: null, after: null },
  }
  await world.database.transaction((transaction) => appendAudit(transaction, record))
  const keeper = retention({ log })
  await keeper.keep()
  await keeper.keep()
  await retention({ log }).keep()
  const heads = lines.map((line) => JSON.parse(line) as { auditHead?: object }).filter(({ auditHead }) => auditHead)
  expect(heads).toMatchObject([
    { auditHead: { owner_id: 0, position: 1, digest: expect.stringMatching(/^[0-9a-f]{64}$/) } },
  ])
})
