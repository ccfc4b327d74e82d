import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readDegradedPeriods, readNoticeablePeriods } from '../../src/database/services/degraded-periods.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { stopMonitoring } from '../../src/service-state/stops.ts'
import { changesOf, intentsOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

let world: MonitoringWorld
let monitoring: Monitoring

beforeAll(async () => {
  world = await monitoringWorld()
  monitoring = await world.start()
})
afterEach(() => world.clear())
afterAll(async () => {
  await monitoring.stop()
  await world.drop()
})

const conditionIds = ['failure', 'recovery', 'degraded', 'degraded_end']
const slow = () => ({ result: 'ok', degraded: ['slow'], errorTypeId: null, errorMessage: null }) as const

async function degradedOf(id: number) {
  const [row] = await world.database.query<{ degraded_reasons: string[]; degraded_since: number | null }>(
    sql`select degraded_reasons, degraded_since from service_statuses where service_id = ${id}`,
  )
  return row
}

async function periodsOf(id: number) {
  const range = { fromAt: 0, toAt: world.clock.now() + 1 }
  return (await readDegradedPeriods(world.database, [id], range)).get(id) ?? []
}

test('slow answers degrade a service, once told at the beginning and once at the end', async () => {
  const id = await world.addService({ conditionIds })
  await monitoring.drain()
  world.stations.answer = slow
  await world.pass(monitoring, 60)
  expect(await degradedOf(id)).toEqual({ degraded_reasons: [], degraded_since: null })
  await world.pass(monitoring, 600)
  expect((await degradedOf(id))?.degraded_reasons).toEqual(['slow'])
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 600)
  expect(await degradedOf(id)).toEqual({ degraded_reasons: [], degraded_since: null })
  const told = await intentsOf(world.database, id)
  expect(told.map((row) => row.notification_condition_id)).toEqual(['degraded', 'degraded_end'])
  const [period] = await periodsOf(id)
  expect(await periodsOf(id)).toHaveLength(1)
  expect(told[0]?.facts).toMatchObject({
    ...{ condition: 'degraded', sinceAt: period?.startedAt, durationSeconds: null },
    degraded: { reasons: ['slow'], sinceAt: period?.startedAt, endedAt: null },
  })
  const lastedMs = (period?.endedAt ?? 0) - (period?.startedAt ?? 0)
  expect(told[1]?.facts).toMatchObject({
    ...{ condition: 'degraded_end', sinceAt: period?.startedAt, durationSeconds: lastedMs / 1000 },
    degraded: { reasons: [], sinceAt: period?.startedAt, endedAt: period?.endedAt },
  })
  // The states of the specification know nothing of it.
  expect((await changesOf(world.database, id)).map(({ status }) => status)).toEqual(['ok'])
})

test('visitors notice slow answers, and not the end of a certificate', async () => {
  const id = await world.addService({ typeId: 'https' })
  const endsAt = world.clock.now() + 5 * 86_400_000
  const expiry = { kind: 'certificate', id: 'old', name: 'old.example', endsAt } as const
  const old = { result: 'ok', errorTypeId: null, errorMessage: null, expiry } as const
  world.stations.answer = () => old
  await monitoring.drain()
  await world.pass(monitoring, 120)
  expect((await degradedOf(id))?.degraded_reasons).toEqual(['certificate'])
  const noticed = async () => (await readNoticeablePeriods(world.database, [id], world.clock.now())).get(id) ?? []
  expect(await noticed()).toEqual([])
  world.stations.answer = () => ({ ...old, degraded: ['slow'] })
  await world.pass(monitoring, 180)
  expect((await degradedOf(id))?.degraded_reasons).toEqual(['slow', 'certificate'])
  const [quiet, slowOne] = await periodsOf(id)
  expect(await noticed()).toEqual([slowOne])
  expect([quiet?.endedAt, slowOne?.endedAt]).toEqual([slowOne?.startedAt, null])
  world.stations.answer = () => old
  await world.pass(monitoring, 240)
  const [first, second, third] = await periodsOf(id)
  // The last one, even if it ended earlier.
  expect((await noticed()).map(({ endedAt }) => endedAt)).toEqual([third?.startedAt])
  expect([second?.startedAt, third?.endedAt]).toEqual([first?.endedAt, null])
})

test('a minority of stations with a failure degrades; a majority is a failure', async () => {
  const id = await world.addService({ conditionIds })
  world.stations.answer = ({ sensorId }) => (sensorId === world.sensorIds[0] ? 'error' : 'ok')
  await monitoring.drain()
  await world.pass(monitoring, 120)
  expect((await degradedOf(id))?.degraded_reasons).toEqual(['minority'])
  world.stations.answer = () => 'error'
  await world.pass(monitoring, 60)
  expect(await degradedOf(id)).toEqual({ degraded_reasons: [], degraded_since: null })
  const [period] = await periodsOf(id)
  const failure = (await changesOf(world.database, id)).find(({ status }) => status === 'failure')
  expect(period?.endedAt).toBe(failure?.start_time)
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 120)
  const told = (await intentsOf(world.database, id)).map((row) => row.notification_condition_id)
  expect(told).toEqual(['degraded', 'failure', 'recovery', 'degraded_end'])
})

test('a message about an assertion of severity degraded has what was expected and what came', async () => {
  const id = await world.addService({ conditionIds })
  const sentence = 'assertion 1: expected json $.queue less 500, came 740'
  const evidence = {
    ...{ base_url: '', ip_address: null, status_code: 200, response_headers: null, content_type: null },
    ...{ file_name: null, facts: { failed_assertions: sentence }, artifacts: [] },
  }
  const failing = { ...slow(), degraded: ['assertion'], evidence } as const
  world.stations.answer = () => failing
  await monitoring.drain()
  await world.pass(monitoring, 600)
  const [told] = await intentsOf(world.database, id)
  const check = { result: 'ok', failed_assertions: sentence }
  expect(told?.facts).toMatchObject({ condition: 'degraded', checks: [check, check, check] })
  world.stations.answer = () => ({ ...failing, result: 'error', errorTypeId: 4451, errorMessage: 'it says so itself' })
  await world.pass(monitoring, 120)
  const failed = (await intentsOf(world.database, id)).find((row) => row.notification_condition_id === 'failure')
  expect(failed?.facts).toHaveProperty('checks.0')
  expect(failed?.facts).not.toHaveProperty('checks.0.failed_assertions')
})

test('by default nothing is told', async () => {
  const id = await world.addService()
  world.stations.answer = slow
  await monitoring.drain()
  await world.pass(monitoring, 300)
  expect((await degradedOf(id))?.degraded_reasons).toEqual(['slow'])
  expect(await intentsOf(world.database, id)).toEqual([])
})

test('a stop ends the period; what was told is remembered', async () => {
  const id = await world.addService({ conditionIds })
  world.stations.answer = slow
  await monitoring.drain()
  await world.pass(monitoring, 120)
  const stoppedAt = world.clock.now()
  await world.database.transaction((transaction) => stopMonitoring(transaction, id, 'suspension', stoppedAt))
  expect(await degradedOf(id)).toEqual({ degraded_reasons: [], degraded_since: null })
  expect((await periodsOf(id)).map(({ endedAt }) => endedAt)).toEqual([stoppedAt])
})

test('a change of the reasons reaches those who listen', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await world.database.execute(sql`delete from stream_events`)
  const told = async () => {
    const rows = await world.database.query<{ kind: string }>(sql`delete from stream_events returning kind`)
    return rows.map(({ kind }) => kind)
  }
  world.stations.answer = slow
  await world.pass(monitoring, 60)
  expect(await told()).toEqual([])
  await world.pass(monitoring, 60)
  expect(await told()).toEqual(['service_status'])
  await world.pass(monitoring, 300)
  expect(await told()).toEqual([])
  expect(await degradedOf(id)).toMatchObject({ degraded_reasons: ['slow'] })
})

test('a round without a verdict says nothing of it', async () => {
  const id = await world.addService({ conditionIds })
  world.stations.answer = slow
  await monitoring.drain()
  await world.pass(monitoring, 120)
  world.stations.answer = () => 'unknown'
  await world.pass(monitoring, 600)
  expect((await degradedOf(id))?.degraded_reasons).toEqual(['slow'])
  expect(await periodsOf(id)).toHaveLength(1)
  world.stations.answer = slow
  await world.pass(monitoring, 120)
  expect((await intentsOf(world.database, id)).map((row) => row.notification_condition_id)).toEqual(['degraded'])
})
