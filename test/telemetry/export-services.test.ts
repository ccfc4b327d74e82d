import type { ServerResponse } from 'node:http'
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { claimExport } from '../../src/database/services/service-metrics-export.ts'
import { ServiceExport } from '../../src/telemetry/export-services.ts'
import { systemTimers } from '../../src/turns/timers.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'
import { patiently } from '../support/patience.ts'
import { accepting, type MetricsReceiver, type ReceivedPoint, startReceiver } from './metrics-receiver.ts'

let world: MonitoringWorld
let receiver: MetricsReceiver
let exports: ServiceExport[] = []
let told: string[] = []

beforeEach(async () => {
  world = await monitoringWorld()
  receiver = await startReceiver()
  told = []
})
afterEach(async () => {
  await Promise.all(exports.map((one) => one.stop()))
  exports = []
  await receiver.stop()
  await world.drop()
})

function begin(
  accounts: readonly string[] | null = null,
  options: { url?: string; patienceMs?: number } = {},
): ServiceExport {
  const tell = (_facts: object, text: string) => told.push(text)
  const { database, clock } = world
  const one = new ServiceExport({
    ...{ url: receiver.url, accounts, database, clock, timers: systemTimers, version: '1.2.3', intervalMs: 50 },
    ...{ log: { info: tell, warn: tell }, ...options },
  })
  exports.push(one)
  one.start()
  return one
}

const until = (isMet: () => boolean | Promise<boolean>) => vi.waitUntil(isMet, patiently)

/** A service that two stations find well and one does not. */
async function judgedService() {
  const monitoring = await world.start()
  const id = await world.addService()
  const [, , third] = world.sensorIds
  world.stations.answer = ({ sensorId }) => (sensorId === third ? { result: 'error', errorTypeId: 2001 } : 'ok')
  await world.pass(monitoring, 60)
  return { id, monitoring }
}

/** The points of a request that came after the call. */
async function nextPoints(): Promise<readonly ReceivedPoint[]> {
  const before = receiver.requests.length
  await until(() => receiver.requests.length > before + 1)
  return receiver.requests.at(-1)?.points ?? []
}

const of = (points: readonly ReceivedPoint[], metric: string) => points.filter((point) => point.metric === metric)

test('a collector gets the state, the time at each station and the results, under bounded labels', async () => {
  const { id, monitoring } = await judgedService()
  const now = world.clock.now()
  await world.database.execute(
    sql`update services set expires_at = ${new Date(now + 10 * 86_400_000)}, name = 'Sklep "Łódź"'`,
  )
  begin()
  const points = await nextPoints()
  const labels = { service_id: String(id), service: 'Sklep "Łódź"', type: 'http', group_id: String(world.groupId) }
  const [request] = receiver.requests
  expect(request).toMatchObject({ path: '/v1/metrics', contentType: 'application/x-protobuf' })
  expect(request?.resource).toMatchObject({ 'service.name': 'latarnik', 'service.version': '1.2.3' })
  expect(of(points, 'latarnik_service_up')).toEqual([
    { metric: 'latarnik_service_up', unit: '', isCounter: false, labels, value: 1, from: now, at: now },
  ])
  expect(of(points, 'latarnik_service_monitored').map(({ value }) => value)).toEqual([1])
  expect(of(points, 'latarnik_service_expires_in_days').map(({ value }) => value)).toEqual([10])
  // The third one measured nothing.
  const [first, second] = world.sensorIds
  const durations = of(points, 'latarnik_service_check_duration_seconds')
  expect(durations.map(({ unit, labels: { sensor_id, sensor } }) => [unit, sensor_id, sensor])).toEqual(
    [first, second].map((sensorId, index) => ['s', String(sensorId), ['Warsaw', 'Cracow'][index]]),
  )
  expect(durations.every(({ value }) => value > 0)).toBe(true)
  const counted = (all: readonly ReceivedPoint[]) =>
    Object.fromEntries(of(all, 'latarnik_service_checks_total').map(({ labels: { result }, value }) => [result, value]))
  expect(counted(points)).toEqual({ ok: 0, error: 0, unknown: 0 })
  await world.pass(monitoring, 120)
  await until(async () => counted(await nextPoints())['ok'] === 4)
  const later = await nextPoints()
  expect(counted(later)).toEqual({ ok: 4, error: 2, unknown: 0 })
  expect(of(later, 'latarnik_service_checks_total').every(({ isCounter, from }) => isCounter && from === now)).toBe(
    true,
  )
})

test('a value that is not known now is left out, and an archived service is gone', async () => {
  const { id } = await judgedService()
  begin()
  expect(of(await nextPoints(), 'latarnik_service_up')).toHaveLength(1)
  await world.database.execute(sql`update service_statuses set monitoring_status = 'off' where service_id = ${id}`)
  const paused = await nextPoints()
  expect(of(paused, 'latarnik_service_up')).toEqual([])
  expect(of(paused, 'latarnik_service_monitored').map(({ value }) => value)).toEqual([0])
  const other = await world.addService()
  await world.database.execute(sql`update services set is_archived = true where id = ${id}`)
  const ids = new Set((await nextPoints()).map(({ labels }) => labels['service_id']))
  expect(ids).toEqual(new Set([String(other)]))
})

test('only the services of the named accounts go out, and an unknown name is told once', async () => {
  await judgedService()
  begin(['bob', 'ALICE'])
  expect((await nextPoints()).length).toBeGreaterThan(0)
  await nextPoints()
  expect(told).toEqual(['no main account has this name: nothing of it is sent'])
  await Promise.all(exports.map((one) => one.stop()))
  const before = receiver.requests.length
  begin(['bob'])
  await until(() => told.length === 2)
  expect(receiver.requests).toHaveLength(before)
})

test('a collector that refuses, hangs or is away is told once, and gets everything when it is back', async () => {
  await judgedService()
  const lost = 'the metrics of services do not reach the collector'
  const back = 'the metrics of services reach the collector again'
  receiver.answer = (response) => response.writeHead(400).end()
  begin(null, { patienceMs: 300 })
  await until(() => receiver.requests.length > 2)
  expect(told).toEqual([lost])
  receiver.answer = accepting
  await until(() => told.length === 2)
  expect(told).toEqual([lost, back])
  // It hangs: each request is given up, and the next one follows.
  receiver.answer = () => undefined
  const before = receiver.requests.length
  await until(() => receiver.requests.length > before + 2)
  expect(told).toEqual([lost, back, lost])
  receiver.answer = accepting
  await until(() => told.length === 4)
  await receiver.stop()
  await until(() => told.length === 5)
  receiver = await startReceiver(receiver.port)
  await until(() => told.length === 6)
  expect(told).toEqual([lost, back, lost, back, lost, back])
  expect(of(await nextPoints(), 'latarnik_service_up')).toHaveLength(1)
})

test('a slow collector gets one request at a time, and a hanging one does not keep the program from its end', async () => {
  await judgedService()
  const open: ServerResponse[] = []
  receiver.answer = (response) => open.push(response)
  const one = begin()
  for (const _request of [1, 2, 3]) {
    await until(() => open.length > 0)
    expect(open).toHaveLength(1)
    accepting(open.pop() as ServerResponse)
  }
  receiver.answer = () => undefined
  const before = receiver.requests.length
  await until(() => receiver.requests.length > before)
  await one.stop()
  expect(told).toEqual([])
})

test('one process sends; another one goes on when it ends', async () => {
  await judgedService()
  const first = begin()
  await nextPoints()
  const second = begin()
  await nextPoints()
  const instances = () => new Set(receiver.requests.map(({ resource }) => resource['service.instance.id']))
  expect(instances().size).toBe(1)
  await first.stop()
  await nextPoints()
  expect(told).toEqual([])
  await second.stop()
  const { database, clock } = world
  const claim = (holder: string, after: number) =>
    claimExport(database, { holder, now: clock.now() + after, leaseMs: 1000 })
  expect([await claim('third', 0), await claim('fourth', 999), await claim('third', 999)]).toEqual([true, false, true])
  // One that has died leaves it when its lease is over.
  expect([await claim('fourth', 1999), await claim('third', 2000)]).toEqual([true, false])
})
