import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { errorType } from '../../src/domain/judging/error-types.ts'
import type { PingKind } from '../../src/domain/services/heartbeat.ts'
import { PingWriter } from '../../src/pings/ping-writer.ts'
import { noneMissed, noteHearing } from '../../src/service-state/hearing.ts'
import { addHeartbeat } from '../../src/service-state/heartbeats.ts'
import { type ReceivedPing, storePings } from '../../src/service-state/pings.ts'
import { resumeMonitoring, stopMonitoring } from '../../src/service-state/stops.ts'
import {
  analysesOf,
  changesOf,
  intentsOf,
  type MonitoringWorld,
  type MortalMonitoring,
  monitoringWorld,
  type ServiceOptions,
  statusOf,
} from '../support/monitoring.ts'

const minute = 60_000
const hour = 60 * minute
let world: MonitoringWorld
let monitoring: MortalMonitoring
const uuids = new Map<number, string>()

beforeAll(async () => {
  world = await monitoringWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  world.endProcesses()
  await world.clear()
  await world.database.execute(sql`truncate heartbeats, pings, ping_outages, ping_watch`)
  monitoring = await world.start()
})

async function addHeartbeatService(settings: ServiceOptions['settings'] = {}): Promise<number> {
  const serviceId = await world.addService({
    typeId: 'heartbeat',
    settings: { period: 3600, grace: 600, ...settings },
  })
  const uuid = randomUUID()
  uuids.set(serviceId, uuid)
  await addHeartbeat(world.database, { serviceId, ownerId: 1, uuid, slug: null })
  return serviceId
}

function pingOf(serviceId: number, kind: PingKind, more: Partial<ReceivedPing> = {}): ReceivedPing {
  const about = { ipAddress: '127.0.0.1', method: 'GET', userAgent: 'test', body: null, rid: null, exitStatus: null }
  return { uuid: uuids.get(serviceId) ?? '', at: world.clock.now(), kind, ...about, ...more }
}

async function ping(serviceId: number, kind: PingKind = 'success', more: Partial<ReceivedPing> = {}): Promise<void> {
  expect((await storePings(world.database, [pingOf(serviceId, kind, more)])).size).toBe(1)
  await monitoring.drain()
}

/** Lets time pass while pings are heard. */
async function pass(milliseconds: number): Promise<void> {
  await hear(world.clock.now() + milliseconds, Number.POSITIVE_INFINITY)
  await world.pass(monitoring, milliseconds / 1000)
  await monitoring.drain()
}

async function hear(untilAt: number, patience = 0): Promise<void> {
  await noteHearing(world.database, { untilAt, patience, missed: noneMissed() })
}

async function verdictsOf(serviceId: number): Promise<(string | number)[][]> {
  const analyses = await analysesOf(world.database, serviceId)
  return analyses.map(({ analysis_id: id, verdict, sensor_ids: ids, failures }) => {
    const symbol = [8201, 8202, 8203].find((type) => failures?.['0']?.['error_type_id'] === type)
    return [Math.floor(id / 100), verdict, ids.join(), ...(symbol === undefined ? [] : [symbol])]
  })
}

test('a new heartbeat waits for its first ping without an alarm, and says so', async () => {
  const id = await addHeartbeatService()
  await pass(48 * hour)
  expect(await verdictsOf(id)).toEqual([])
  const [status] = await world.database.query(sql`select unknown_reason from service_statuses where service_id = ${id}`)
  expect(status).toEqual({ unknown_reason: 'heartbeat_awaited' })
})

test('a ping closes the round, silence fails at its very second, and the next ping recovers', async () => {
  const id = await addHeartbeatService()
  const start = world.clock.now()
  await ping(id)
  expect(await statusOf(world.database, id)).toMatchObject({ check_status: 'ok', valid_until: start + 71 * minute })
  const lateAt = start + 70 * minute
  await pass(70 * minute - 1000)
  expect(await verdictsOf(id)).toEqual([[start, 'ok', '0']])
  await pass(2000)
  expect((await verdictsOf(id))[1]).toEqual([lateAt, 'failure', '0', errorType('heartbeat_late').id])
  await pass(10 * minute)
  const repeated = (await verdictsOf(id)).length
  expect(repeated).toBeGreaterThan(9)
  await ping(id)
  const changes = await changesOf(world.database, id)
  expect(changes.map(({ status, start_time }) => [status, start_time])).toEqual([
    ['ok', start],
    ['failure', lateAt],
    ['ok', world.clock.now()],
  ])
  const told = await intentsOf(world.database, id)
  expect(told.map((intent) => intent.notification_condition_id)).toEqual(['failure', 'recovery'])
  expect(told[0]?.facts).toMatchObject({ decidedAt: lateAt, checks: [{ sensor_name: 'Heartbeat', result: 'error' }] })
})

test('an exit status and a run that takes too long fail, and run times are measured', async () => {
  const id = await addHeartbeatService({ max_run_time: 60 })
  await ping(id, 'start')
  await pass(30_000)
  await ping(id)
  const [first] = await world.database.query(
    sql`select run_time from pings where service_id = ${id} and kind = 'success'`,
  )
  expect(first).toEqual({ run_time: 30_000 })
  expect(
    await world.database.query(sql`select last_response_time from service_statuses where service_id = ${id}`),
  ).toEqual([{ last_response_time: 30_000 }])
  await pass(minute)
  await ping(id, 'fail', { exitStatus: 3 })
  await ping(id)
  await ping(id, 'start')
  const startedAt = world.clock.now()
  await pass(2 * minute)
  const verdicts = await verdictsOf(id)
  expect(verdicts.map(([, verdict, , error]) => [verdict, error]).slice(0, 4)).toEqual([
    ['ok', undefined],
    ['failure', errorType('heartbeat_failed').id],
    ['ok', undefined],
    ['failure', errorType('heartbeat_overrun').id],
  ])
  expect(verdicts[3]?.[0]).toBe(startedAt + minute)
})

test('silence while nobody could hear is unknown, not late', async () => {
  const id = await addHeartbeatService()
  const start = world.clock.now()
  await ping(id)
  await hear(start + 55 * minute, Number.POSITIVE_INFINITY)
  // The core is away from before the expected moment until after the deadline.
  await world.pass(monitoring, 75 * 60)
  expect(await verdictsOf(id)).toHaveLength(1)
  await hear(world.clock.now())
  await monitoring.drain()
  await pass(20 * minute)
  expect(await verdictsOf(id)).toHaveLength(1)
  expect(await statusOf(world.database, id)).toMatchObject({ check_status: 'ok', valid_until: start + 71 * minute })
  // The next round counts.
  await pass(35 * minute + 2000)
  const [, late] = await verdictsOf(id)
  expect(late?.slice(0, 2)).toEqual([start + 2 * hour + 10 * minute, 'failure'])
})

test('a deadline that passed while only the judge was away fails at its own second', async () => {
  const id = await addHeartbeatService()
  const start = world.clock.now()
  await ping(id)
  monitoring.die()
  world.clock.advanceTo(start + 75 * minute)
  await hear(world.clock.now(), Number.POSITIVE_INFINITY)
  monitoring = await world.start()
  await monitoring.drain()
  expect((await verdictsOf(id))[1]?.slice(0, 2)).toEqual([start + 70 * minute, 'failure'])
})

test('a stopped heartbeat is not late, and gets its period anew when it is resumed', async () => {
  const id = await addHeartbeatService()
  await ping(id)
  const change = (work: typeof stopMonitoring | typeof resumeMonitoring) =>
    world.database.transaction((transaction) =>
      work === stopMonitoring
        ? stopMonitoring(transaction, id, 'user', world.clock.now())
        : resumeMonitoring(transaction, id, world.clock.now()),
    )
  await change(stopMonitoring)
  await pass(5 * hour)
  expect(await verdictsOf(id)).toHaveLength(1)
  await ping(id)
  expect(await verdictsOf(id)).toHaveLength(2)
  await change(resumeMonitoring)
  const resumedAt = world.clock.now()
  await pass(70 * minute - 1000)
  expect(await verdictsOf(id)).toHaveLength(2)
  const [status] = await world.database.query(sql`select unknown_reason from service_statuses where service_id = ${id}`)
  expect(status).toEqual({ unknown_reason: 'heartbeat_awaited' })
  await pass(2000)
  expect((await verdictsOf(id))[2]?.slice(0, 2)).toEqual([resumedAt + 70 * minute, 'failure'])
})

test('every ping of many is judged once, by several processes of which some die', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, () => addHeartbeatService()))
  await monitoring.drain()
  const start = world.clock.now()
  const pings = ids.flatMap((id) =>
    [0, 1, 2, 3].map((at) => pingOf(id, at % 2 === 0 ? 'success' : 'fail', { at: start + at })),
  )
  world.clock.advanceTo(start + 10)
  await storePings(world.database, pings)
  const others = await Promise.all([world.start(), world.start()])
  void others[0]?.drain().catch(() => {})
  others[0]?.die()
  await Promise.all([monitoring.drain(), others[1]?.drain()])
  world.clock.advanceTo(world.clock.now() + minute)
  await hear(world.clock.now(), Number.POSITIVE_INFINITY)
  await monitoring.drain()
  for (const id of ids) {
    const verdicts = (await verdictsOf(id)).map(([, verdict]) => verdict)
    expect(verdicts.slice(0, 4)).toEqual(['ok', 'failure', 'ok', 'failure'])
    const changes = await changesOf(world.database, id)
    expect(changes.map(({ status }) => status)).toEqual(['ok', 'failure', 'ok', 'failure'])
  }
})

test('of the pings of a heartbeat the last hundred are kept', async () => {
  const id = await addHeartbeatService()
  const start = world.clock.now()
  world.clock.advanceTo(start + hour)
  for (let batch = 0; batch < 3; batch++) {
    const logs = Array.from({ length: 60 }, (_, at) => pingOf(id, 'log', { at: start + batch * 60 + at }))
    await storePings(world.database, logs)
    await monitoring.drain()
  }
  const [kept] = await world.database.query(sql`
    select count(*)::int as count, min(id) - (max(id) - 99) as gap from pings where service_id = ${id}`)
  expect(kept).toEqual({ count: 100, gap: 0 })
})

test('pings that come together share transactions, and each is answered for itself', async () => {
  const id = await addHeartbeatService()
  const faults: unknown[] = []
  const { database, clock } = world
  const writer = new PingWriter({ database, clock, timers: clock, onFault: (error) => faults.push(error) })
  await writer.begin()
  const unknown = { ...pingOf(id, 'success'), uuid: randomUUID() }
  const outcomes = await Promise.all(
    Array.from({ length: 400 }, (_, at) => writer.add(at % 2 === 0 ? pingOf(id, 'log') : unknown, `192.0.2.${at % 4}`)),
  )
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(200)
  expect(outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(200)
  const [stored] = await database.query(sql`select count(*)::int as count from pings where service_id = ${id}`)
  expect(stored).toEqual({ count: 200 })
  await writer.stop()
  expect(await writer.add(unknown, '192.0.2.1')).toBe('refused')
  expect(faults).toEqual([])
})

function writerOf({ database, clock }: MonitoringWorld): PingWriter {
  return new PingWriter({
    ...{ database, clock, timers: clock },
    onFault: (error) => {
      throw error
    },
  })
}

const outages = async () =>
  (await world.database.query<{ startedAt: number; endedAt: number }>(
    sql`select started_at as "startedAt", ended_at as "endedAt" from ping_outages order by started_at`,
  )) satisfies readonly object[]

test('a process that is killed right after the first heartbeat was made leaves an outage, so no false silence', async () => {
  const beganAt = world.clock.now()
  // Killed: it never says that it stops.
  await writerOf(world).begin()
  const id = await addHeartbeatService({ period: 60, grace: 10 })
  await ping(id)
  world.endProcesses()
  await world.clock.advance(5 * minute)
  monitoring = await world.start()
  const next = writerOf(world)
  await next.begin()
  expect(await outages()).toEqual([{ startedAt: beganAt, endedAt: world.clock.now() }])
  await monitoring.drain()
  expect((await verdictsOf(id)).map(([, verdict]) => verdict)).not.toContain('failure')
  await next.stop()
})

test('a process that listened while there was no heartbeat leaves no outage', async () => {
  const beganAt = world.clock.now()
  const heard = { patience: 10_000, missed: noneMissed() }
  expect(await noteHearing(world.database, { ...heard, untilAt: beganAt, isBeginning: true })).toBe(false)
  const idleSince = beganAt + hour
  expect(await noteHearing(world.database, { ...heard, untilAt: idleSince })).toBe(false)
  await addHeartbeatService()
  expect(await noteHearing(world.database, { ...heard, untilAt: idleSince + 5000, idleSince })).toBe(true)
  expect(await outages()).toEqual([])
  // The next gap counts from there.
  await hear(idleSince + minute)
  expect(await outages()).toEqual([{ startedAt: idleSince + 5000, endedAt: idleSince + minute }])
})
