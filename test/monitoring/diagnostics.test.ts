import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { DiagnosticRequest } from '../../src/domain/services/diagnostic.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

let world: MonitoringWorld
const running: Monitoring[] = []

beforeAll(async () => {
  world = await monitoringWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  await world.clear()
  world.stations.diagnostics.length = 0
  world.stations.diagnosis = ({ request }) => ({ isOk: true, lines: [`${request.kind} ${request.host}`] })
  await world.database.execute(sql`truncate diagnostics`)
})
afterEach(async () => {
  for (const monitoring of running.splice(0)) await monitoring.stop()
})

async function start(): Promise<Monitoring> {
  const monitoring = await world.start()
  running.push(monitoring)
  return monitoring
}

async function ask(request: DiagnosticRequest, sensorId: number = world.sensorIds[0]): Promise<number> {
  const [row] = await world.database.query<{ id: number }>(sql`
    insert into diagnostics (kind, account_id, sensor_id, request, created_at)
    values (${request.kind}, 1, ${sensorId}, ${JSON.stringify(request)}, ${new Date(world.clock.now())}) returning id`)
  return row?.id ?? 0
}

interface Row {
  readonly status: string
  readonly lines: readonly string[]
}

async function read(id: number): Promise<Row | undefined> {
  const [row] = await world.database.query<Row>(sql`select status, lines from diagnostics where id = ${id}`)
  return row
}

const route: DiagnosticRequest = { kind: 'traceroute', host: 'shop.example' }
const dns: DiagnosticRequest = { kind: 'dns', host: 'shop.example', query_type: 'A', server: null, port: 53 }

test('what is asked for goes to its sensor with a deadline, and what it finds is kept', async () => {
  const monitoring = await start()
  const [first, second] = [await ask(route), await ask(dns, world.sensorIds[1])]
  await monitoring.drain()
  const now = world.clock.now()
  expect(world.stations.diagnostics).toEqual([
    { sensorId: world.sensorIds[0], request: route, deadlineAt: now + 60_000 },
    { sensorId: world.sensorIds[1], request: dns, deadlineAt: now + 10_000 },
  ])
  expect(await read(first)).toEqual({ status: 'completed', lines: ['traceroute shop.example'] })
  expect(await read(second)).toEqual({ status: 'completed', lines: ['dns shop.example'] })
})

test('a failure is kept with what was seen until then', async () => {
  world.stations.diagnosis = () => ({ isOk: false, lines: ['1  *', 'nobody answers\0 \ud800 any more'] })
  const monitoring = await start()
  const id = await ask(route)
  await monitoring.drain()
  expect(await read(id)).toEqual({ status: 'failed', lines: ['1  *', 'nobody answers\ufffd \ufffd any more'] })
})

test('each is diagnosed once, whatever the number of processes', async () => {
  const processes = [await start(), await start(), await start()]
  const ids = []
  for (let count = 0; count < 30; count++) ids.push(await ask(dns))
  await Promise.all(processes.map((monitoring) => monitoring.drain()))
  expect(world.stations.diagnostics).toHaveLength(ids.length)
  for (const id of ids) expect((await read(id))?.status).toBe('completed')
})

test('what no process reaches waits a minute and fails', async () => {
  world.stations.disconnect(world.sensorIds[0])
  const monitoring = await start()
  const id = await ask(dns)
  await monitoring.drain()
  expect((await read(id))?.status).toBe('pending')
  world.clock.advance(60_001)
  await monitoring.drain()
  expect(await read(id)).toEqual({ status: 'failed', lines: ['the sensor was not connected in time'] })
  expect(world.stations.diagnostics).toEqual([])
})

test('a sensor that keeps silent is given up after its deadline', async () => {
  world.stations.diagnosis = () => null
  const monitoring = await start()
  const id = await ask(dns)
  const drained = monitoring.drain()
  await expect.poll(() => world.stations.diagnostics.length).toBe(1)
  expect((await read(id))?.status).toBe('in_progress')
  world.clock.advance(11_000)
  await drained
  expect(await read(id)).toEqual({ status: 'failed', lines: ['no answer from the sensor in time'] })
})

test('what a process took that is gone fails once its lease is over, and a late answer changes nothing', async () => {
  const id = await ask(dns)
  await world.database.execute(sql`
    update diagnostics set status = 'in_progress', leased_until = ${new Date(world.clock.now() + 1000)} where id = ${id}`)
  const monitoring = await start()
  await monitoring.drain()
  expect((await read(id))?.status).toBe('in_progress')
  world.clock.advance(1001)
  await monitoring.drain()
  expect(await read(id)).toEqual({ status: 'failed', lines: ['the sensor was lost meanwhile'] })
})

test('one that is deleted while it runs stays deleted', async () => {
  const monitoring = await start()
  const id = await ask(dns)
  world.stations.diagnosis = () => null
  const drained = monitoring.drain()
  await expect.poll(() => world.stations.diagnostics.length).toBe(1)
  await world.database.execute(sql`delete from diagnostics where id = ${id}`)
  world.clock.advance(11_000)
  await drained
  expect(await read(id)).toBeUndefined()
})
