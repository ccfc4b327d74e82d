import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { intentsOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

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

const day = 86_400_000
const hourly = 3600
const conditionIds = ['degraded', 'degraded_end']

function certificate(id: string, endsAt: number) {
  const expiry = { kind: 'certificate', id, name: `${id}.example`, endsAt } as const
  return () => ({ result: 'ok', errorTypeId: null, errorMessage: null, expiry }) as const
}

async function expiresAt(id: number): Promise<number | null | undefined> {
  const [row] = await world.database.query<{ expires_at: number | null }>(
    sql`select expires_at from services where id = ${id}`,
  )
  return row?.expires_at
}

async function warningsOf(id: number) {
  const told = await intentsOf(world.database, id)
  return told.map(({ notification_condition_id: condition, facts }) => [
    condition,
    facts.degraded?.expiry?.days ?? null,
  ])
}

test('each warning of a certificate is told once, and its renewal ends it', async () => {
  const id = await world.addService({ typeId: 'https', interval: hourly, conditionIds })
  const endsAt = world.clock.now() + 22 * day
  world.stations.answer = certificate('old', endsAt)
  await monitoring.drain()
  expect(await expiresAt(id)).toBe(endsAt)
  expect(await warningsOf(id)).toEqual([])
  await world.pass(monitoring, (2 * day) / 1000)
  expect(await warningsOf(id)).toEqual([['degraded', 21]])
  await world.pass(monitoring, (19.5 * day) / 1000)
  expect(await warningsOf(id)).toEqual([
    ['degraded', 21],
    ['degraded', 7],
    ['degraded', 1],
  ])
  world.stations.answer = certificate('new', endsAt + 90 * day)
  await world.pass(monitoring, 5 * hourly)
  expect(await expiresAt(id)).toBe(endsAt + 90 * day)
  expect((await warningsOf(id)).at(-1)).toEqual(['degraded_end', null])
  const [first] = await intentsOf(world.database, id)
  expect(first?.event_id).toBe(`degraded:certificate:old:${endsAt}:21`)
  expect(first?.facts).toMatchObject({
    degraded: { reasons: ['certificate'], expiry: { name: 'old.example', endsAt } },
  })
})

test('one server of several with an old certificate is enough, and is told once, whoever sees it', async () => {
  const id = await world.addService({ typeId: 'https', conditionIds })
  const now = world.clock.now()
  const [old, fresh] = [certificate('old', now + 5 * day), certificate('fresh', now + 80 * day)]
  let round = 0
  world.stations.answer = ({ sensorId }) => {
    if (sensorId === world.sensorIds[0]) round += 1
    return sensorId === world.sensorIds[round % 3] && round % 2 === 1 ? old() : fresh()
  }
  await monitoring.drain()
  await world.pass(monitoring, 900)
  expect(await warningsOf(id)).toEqual([['degraded', 7]])
})

test('two old certificates that take turns are told once each', async () => {
  const id = await world.addService({ typeId: 'https', conditionIds })
  const now = world.clock.now()
  const each = [certificate('one', now + 5 * day), certificate('two', now + 6 * day)] as const
  let round = 0
  world.stations.answer = ({ sensorId }) => {
    if (sensorId === world.sensorIds[0]) round += 1
    return each[round % 2 === 0 ? 0 : 1]()
  }
  await monitoring.drain()
  await world.pass(monitoring, 900)
  expect(await warningsOf(id)).toEqual([
    ['degraded', 7],
    ['degraded', 7],
  ])
})

test('no days: no warning, and no degraded state; the end is known all the same', async () => {
  const id = await world.addService({ typeId: 'https', conditionIds, settings: { warning_days: '[]' } })
  const endsAt = world.clock.now() + day / 2
  world.stations.answer = certificate('old', endsAt)
  await monitoring.drain()
  await world.pass(monitoring, 300)
  expect(await expiresAt(id)).toBe(endsAt)
  expect(await warningsOf(id)).toEqual([])
  // An address without a certificate takes it away.
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 60)
  expect(await expiresAt(id)).toBeNull()
})

test('quiet hours put a warning off', async () => {
  const id = await world.addService({ typeId: 'https', conditionIds })
  const quiet = (status: string) =>
    world.database.execute(sql`update service_statuses set notifications_status = ${status} where service_id = ${id}`)
  await quiet('silent')
  world.stations.answer = certificate('old', world.clock.now() + 3 * day)
  await monitoring.drain()
  await world.pass(monitoring, 180)
  expect(await warningsOf(id)).toEqual([])
  await quiet('on')
  await world.pass(monitoring, 180)
  expect(await warningsOf(id)).toEqual([['degraded', 7]])
})
