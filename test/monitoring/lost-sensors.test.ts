import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { fakeStations } from '../support/fake-stations.ts'
import { changesOf, intentsOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

let world: MonitoringWorld
const running: Monitoring[] = []

beforeAll(async () => {
  world = await monitoringWorld()
})
afterEach(async () => {
  for (const monitoring of running.splice(0)) await monitoring.stop()
  await world.clear()
  await world.database.execute(sql`truncate messages`)
  await world.database.execute(sql`update sensors set lost_at = null, last_seen_at = null`)
})
afterAll(() => world.drop())

const administratorContact = { addresses: ['admin@example.com', 'second@example.com'], language: 'pl' } as const

/** A process that reaches its own stations only; by default those of the world. */
async function start(stations = world.stations): Promise<Monitoring> {
  const monitoring = await world.start({ administratorContact, stations })
  running.push(monitoring)
  return monitoring
}

/** Time as a running process lives it: a look every ten seconds. */
async function live(seconds: number, ...processes: readonly Monitoring[]): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    world.clock.advance(10_000)
    await Promise.all(processes.map((monitoring) => monitoring.drain()))
  }
}

interface Letter {
  readonly kind: string
  readonly address: string
  readonly sensor_id: number
  readonly facts: { readonly sinceAt: number; readonly returnedAt: number | null; readonly language: string }
}

function letters(): Promise<Letter[]> {
  return world.database.query<Letter>(sql`select kind, address, sensor_id, facts from messages order by id`)
}

async function told(): Promise<string[]> {
  return (await letters()).map(({ kind, address, sensor_id: id }) => `${kind} ${id} ${address}`)
}

test('a sensor that falls silent is told to every administrator once, and once more when it is back', async () => {
  const monitoring = await start()
  await live(60, monitoring)
  const [lost] = world.sensorIds
  const lastSeenAt = world.clock.now()
  world.stations.disconnect(lost)
  await live(20, monitoring)
  expect(await told()).toEqual([])
  await live(600, monitoring)
  const losses = [`sensor_lost ${lost} admin@example.com`, `sensor_lost ${lost} second@example.com`]
  expect(await told()).toEqual(losses)
  expect((await letters())[0]?.facts).toMatchObject({ sinceAt: lastSeenAt, returnedAt: null, language: 'pl' })
  world.stations.connect(lost)
  await live(60, monitoring)
  expect(await told()).toEqual([...losses, ...losses.map((text) => text.replace('lost', 'returned'))])
  expect((await letters()).at(-1)?.facts).toMatchObject({ sinceAt: lastSeenAt, returnedAt: lastSeenAt + 630_000 })
})

test('every loss is told, also of a sensor that was lost before', async () => {
  const monitoring = await start()
  for (let time = 0; time < 3; time++) {
    world.stations.disconnect(world.sensorIds[0])
    await live(60, monitoring)
    world.stations.connect(world.sensorIds[0])
    await live(20, monitoring)
  }
  expect((await letters()).map(({ kind }) => kind)).toEqual(
    Array.from({ length: 3 }, () => ['sensor_lost', 'sensor_lost', 'sensor_returned', 'sensor_returned']).flat(),
  )
})

test('several processes tell one loss once, and none while one of them still hears the sensor', async () => {
  const others = fakeStations()
  others.connect(world.sensorIds[1], world.sensorIds[2], world.spareSensorId)
  const processes = [await start(), await start(others), await start(others)]
  others.disconnect(world.sensorIds[1])
  await live(120, ...processes)
  expect(await told()).toEqual([])
  world.stations.disconnect(world.sensorIds[0], world.sensorIds[1])
  await live(120, ...processes)
  expect((await told()).toSorted()).toEqual(
    [world.sensorIds[0], world.sensorIds[1]].flatMap((id) => [
      `sensor_lost ${id} admin@example.com`,
      `sensor_lost ${id} second@example.com`,
    ]),
  )
  others.connect(world.sensorIds[1])
  world.stations.connect(world.sensorIds[1])
  await live(60, ...processes)
  expect((await letters()).filter(({ kind }) => kind === 'sensor_returned')).toHaveLength(2)
})

test('a restart forgets no loss and tells none again; time when nobody looked loses no sensor', async () => {
  const first = await start()
  await live(30, first)
  world.stations.disconnect(world.sensorIds[0])
  await live(60, first)
  await first.stop()
  world.clock.advance(3_600_000)
  const second = await start()
  await live(120, second)
  expect((await letters()).map(({ kind }) => kind)).toEqual(['sensor_lost', 'sensor_lost'])
  world.clock.advance(3_600_000)
  world.stations.disconnect(world.sensorIds[1])
  await live(20, second)
  expect(await letters()).toHaveLength(2)
})

test.each([3_600_000, -3_600_000])(
  'a clock that steps by %s ms loses no sensor and hides no loss',
  async (milliseconds) => {
    const monitoring = await start()
    await live(60, monitoring)
    world.clock.step(milliseconds)
    await live(60, monitoring)
    expect(await told()).toEqual([])
    world.stations.disconnect(world.sensorIds[0])
    world.clock.step(-milliseconds)
    await live(60, monitoring)
    expect((await letters()).map(({ sensor_id: id }) => id)).toEqual([world.sensorIds[0], world.sensorIds[0]])
  },
)

test('a sensor that has never reported in cannot be lost', async () => {
  world.stations.disconnect(world.sensorIds[2])
  await live(120, await start())
  expect(await told()).toEqual([])
})

test('a lost sensor is no failure of any service and tells its owners nothing', async () => {
  const monitoring = await start()
  const ids = [await world.addService(), await world.addService({ settings: { sensors_failover: false } })]
  await live(120, monitoring)
  world.stations.disconnect(world.sensorIds[0], world.sensorIds[1])
  await live(300, monitoring)
  for (const id of ids) {
    expect((await changesOf(world.database, id)).map(({ status }) => status)).toEqual(['ok'])
    expect(await intentsOf(world.database, id)).toEqual([])
  }
})
