import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { errorType } from '../../src/domain/judging/error-types.ts'
import { nextOnGrid } from '../../src/domain/judging/schedule.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { analysesOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

let world: MonitoringWorld
let monitoring: Monitoring
const lines: { readonly msg: string; readonly reason?: string; readonly service_ids: readonly number[] }[] = []
const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })

beforeAll(async () => {
  world = await monitoringWorld()
  monitoring = await world.start({ log })
})
afterEach(async () => {
  await world.clear()
  lines.length = 0
})
afterAll(async () => {
  await monitoring.stop()
  await world.drop()
})

const busy = { result: 'unknown', errorTypeId: errorType('browser_busy').id, errorMessage: 'No place.' } as const
const cannotPing = { result: 'unknown', errorTypeId: errorType('sensor_cannot_ping').id } as const

async function moments(serviceId: number): Promise<number[]> {
  return (await analysesOf(world.database, serviceId)).map(({ analysis_id: id }) => Math.floor(id / 100))
}

async function unknownOf(serviceId: number) {
  const [row] = await world.database.query<{ unknown_reason: string | null; unknown_since: number | null }>(
    sql`select unknown_reason, unknown_since from service_statuses where service_id = ${serviceId}`,
  )
  return row
}

test('a round without a verdict is tried again within a minute until there is one, then the interval counts', async () => {
  const serviceId = await world.addService({ interval: 3600 })
  const firstAt = world.clock.now()
  world.stations.answer = () => busy
  await world.pass(monitoring, 150)
  const [first, second, third] = await moments(serviceId)
  expect([first, second, third]).toEqual([
    firstAt,
    nextOnGrid(serviceId, 60, firstAt),
    nextOnGrid(serviceId, 60, firstAt) + 60_000,
  ])
  expect(await unknownOf(serviceId)).toEqual({ unknown_reason: 'browser_busy', unknown_since: firstAt })
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 7200)
  const later = (await moments(serviceId)).filter((at) => at > firstAt + 150_000)
  expect(later[1]).toBe(nextOnGrid(serviceId, 3600, later[0] ?? 0))
  expect(await unknownOf(serviceId)).toEqual({ unknown_reason: null, unknown_since: null })
})

test('a round that half of its stations could not tell of is tried again too, and a short interval stays', async () => {
  const [first] = world.sensorIds
  const serviceId = await world.addService({ interval: 3600 })
  const shortId = await world.addService({ interval: 30 })
  world.stations.answer = ({ sensorId }) => (sensorId === first ? 'ok' : busy)
  const from = world.clock.now()
  await world.pass(monitoring, 100)
  expect((await moments(serviceId))[1]).toBe(nextOnGrid(serviceId, 60, from))
  const [, second = 0, third = 0] = await moments(shortId)
  expect(second).toBe(nextOnGrid(shortId, 30, from))
  expect(third - second).toBe(30_000)
})

test('what another try would find the same waits for the interval: nobody can check it', async () => {
  const serviceId = await world.addService({ interval: 3600 })
  const firstAt = world.clock.now()
  world.stations.answer = () => cannotPing
  await world.pass(monitoring, 7300)
  expect(await moments(serviceId)).toEqual(
    [firstAt, nextOnGrid(serviceId, 3600, firstAt), nextOnGrid(serviceId, 3600, firstAt) + 3_600_000].filter(
      (at) => at <= firstAt + 7_300_000,
    ),
  )
  expect(await unknownOf(serviceId)).toEqual({ unknown_reason: 'sensor_cannot_ping', unknown_since: firstAt })
})

test('the log says once that rounds have no verdict, why and of how many services, and once that they have one again', async () => {
  const one = await world.addService({ interval: 60 })
  const other = await world.addService({ interval: 60 })
  world.stations.answer = () => busy
  await world.pass(monitoring, 200)
  world.stations.answer = () => 'ok'
  await world.pass(monitoring, 100)
  const told = lines.filter(({ msg }) => msg.startsWith('Rounds have'))
  const named = (text: string) => told.filter(({ msg }) => msg === text).flatMap((line) => line.service_ids)
  expect(named('Rounds have no verdict').toSorted()).toEqual([one, other])
  expect(named('Rounds have a verdict again').toSorted()).toEqual([one, other])
  expect(told[0]?.reason).toBe('browser_busy')
})

test('a service that is stopped keeps its plan and its reason out of it', async () => {
  const serviceId = await world.addService({ isActive: false })
  world.stations.answer = () => busy
  await world.pass(monitoring, 300)
  expect(await unknownOf(serviceId)).toEqual({ unknown_reason: null, unknown_since: null })
})
