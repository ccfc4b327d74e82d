import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { forceAnalysis } from '../../src/service-state/schedule.ts'
import { virtualClock } from '../support/clock.ts'
import {
  analysesOf,
  changesOf,
  intentsOf,
  type MonitoringWorld,
  monitoringWorld,
  planOf,
  statusOf,
} from '../support/monitoring.ts'
import { planOnce } from '../support/planned.ts'

/** Somebody sets the clock of the machine, or the machine sleeps; time goes on as it did. */
let world: MonitoringWorld
const running: Monitoring[] = []

// An hour and a day that are no multiple of any interval: the grid lies elsewhere after them.
const [minute, hour, day] = [60_000, 3_623_000, 86_423_000]
/** Milliseconds between the turns of a running process. */
const tick = 500

interface Start {
  readonly serviceId: number
  /** By the clock that never steps. */
  readonly at: number
}
const starts: Start[] = []

beforeAll(async () => {
  world = await monitoringWorld()
})
beforeEach(noteStarts)
afterEach(async () => {
  for (const monitoring of running.splice(0)) await monitoring.stop()
  await world.clear()
})
afterAll(() => world.drop())

/** From now on; an empty world answers as it likes. */
function noteStarts(): void {
  starts.length = 0
  world.stations.answer = ({ serviceId, sensorId }) => {
    const at = world.clock.monotonic()
    if (sensorId === world.sensorIds[0]) starts.push({ serviceId, at })
    return Math.floor(at / minute + serviceId) % 2 === 0 ? 'ok' : 'error'
  }
}

async function start(): Promise<Monitoring> {
  const monitoring = await world.start()
  running.push(monitoring)
  return monitoring
}

/** Time as running processes live it. */
async function live(seconds: number, processes: readonly Monitoring[] = running): Promise<void> {
  for (let passed = 0; passed < seconds * 1000; passed += tick) {
    world.clock.advance(tick)
    await Promise.all(processes.map((monitoring) => monitoring.drain()))
  }
}

async function addServices(count: number, interval: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index++) ids.push(await world.addService({ interval }))
  return ids
}

function startsOf(id: number): number[] {
  return starts.filter(({ serviceId }) => serviceId === id).map(({ at }) => at)
}

async function expectInOrder(id: number): Promise<void> {
  const changes = await changesOf(world.database, id)
  expect(changes.length).toBeGreaterThan(0)
  for (const [index, change] of changes.entries()) {
    const next = changes[index + 1]
    expect(change.end_time).toBe(next?.start_time ?? null)
    expect(change.status).not.toBe(next?.status)
    if (change.end_time !== null) expect(change.end_time).toBeGreaterThanOrEqual(change.start_time)
  }
  expect((await statusOf(world.database, id))?.state).toBe(changes.at(-1)?.status)
}

test.each([
  ['an hour ahead', hour, 1],
  ['a day ahead', day, 1],
  ['twenty seconds ahead', 20_000, 1],
  ['an hour back', -hour, 1],
  ['a day back', -day, 1],
  ['twenty seconds back', -20_000, 1],
  ['an hour ahead, with two processes', hour, 2],
  ['an hour back, with two processes', -hour, 2],
])(
  'a clock set %s makes no burst and leaves nobody alone',
  async (_title, milliseconds, processes) => {
    for (let process = 0; process < processes; process++) await start()
    const [often, seldom] = [await addServices(20, 30), await addServices(10, 60)]
    await live(40)
    world.clock.step(milliseconds)
    await live(100)
    for (const [ids, interval] of [
      [often, 30_000],
      [seldom, 60_000],
    ] as const) {
      for (const id of ids) {
        expect(startsOf(id).length).toBeGreaterThan(0)
        const moments = [...startsOf(id), world.clock.monotonic()]
        const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0))
        // A tick of the scheduler, and one of the test.
        expect(Math.max(...gaps), `the gaps of a service every ${interval} ms`).toBeLessThanOrEqual(interval + 2 * 1000)
        // The step may cost one round more than the time holds, and so may the first round, which keeps to no grid.
        expect(startsOf(id).length).toBeLessThanOrEqual(Math.floor(140_000 / interval) + 3)
        await expectInOrder(id)
      }
    }
    const later = starts.map(({ at }) => at - (starts[0]?.at ?? 0)).filter((at) => at > 1000)
    const busiest = Math.max(...later.map((from) => later.filter((at) => at >= from && at < from + 1000).length))
    // Twenty every 30 s and ten every minute are less than one a second; the hash spreads them as chance would.
    expect(busiest).toBeLessThanOrEqual(6)
  },
  120_000,
)

test('however often and far a clock is set, nobody is left alone for longer than an interval, and changes stay in order', async () => {
  await start()
  const setting = fc.record({
    afterSeconds: fc.integer({ min: 1, max: 25 }),
    milliseconds: fc.oneof(
      fc.integer({ min: -3000, max: 3000 }),
      fc.integer({ min: -100_000, max: 100_000 }),
      fc.integer({ min: -2 * day, max: 2 * day }),
    ),
  })
  const property = fc.asyncProperty(fc.array(setting, { minLength: 1, maxLength: 4 }), async (settings) => {
    await world.clear()
    noteStarts()
    const ids = await addServices(6, 20)
    for (const { afterSeconds, milliseconds } of settings) {
      await live(afterSeconds)
      world.clock.step(milliseconds)
    }
    await live(23)
    for (const id of ids) {
      expect(startsOf(id).length).toBeGreaterThan(0)
      const moments = [...startsOf(id), world.clock.monotonic()]
      const gaps = moments.slice(1).map((at, index) => at - (moments[index] ?? 0))
      // Steps too small to be noticed may add up to one more tick.
      expect(Math.max(...gaps)).toBeLessThanOrEqual(20_000 + 2500)
      await expectInOrder(id)
    }
  })
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
}, 240_000)

test.each([hour, -hour])('a round under way counts once when the clock is set by %s ms', async (milliseconds) => {
  world.stations.answer = () => 'ok'
  const first = await start()
  const id = await world.addService()
  // Before time passes. At a later look the next round may be due already, and a late one waits a second for its start,
  // in a time that stands still from here on.
  await first.drain()
  world.clock.advanceTo((await planOf(world.database, id)).due_at)
  const asked = world.stations.jobs.length
  world.stations.answer = ({ sensorId }) => (sensorId === world.sensorIds[0] ? 'silent' : 'error')
  const draining = running.map((monitoring) => monitoring.drain())
  await world.stations.asked(asked + 3)
  world.clock.step(milliseconds)
  const heir = await start()
  await heir.drain()
  expect(world.stations.jobs).toHaveLength(asked + 3)
  world.clock.advance(9000)
  await Promise.all(draining)
  expect((await analysesOf(world.database, id)).map(({ verdict }) => verdict).toSorted()).toEqual(['failure', 'ok'])
  expect(await statusOf(world.database, id)).toMatchObject({ state: 'failure' })
  await expectInOrder(id)
})

test('a wish is met at once, and limits count, whatever the clock was set to', async () => {
  world.stations.answer = ({ serviceId, sensorId }) => {
    if (sensorId === world.sensorIds[0]) starts.push({ serviceId, at: world.clock.monotonic() })
    return 'ok'
  }
  await start()
  // A week: no other round comes between.
  const id = await world.addService({ interval: 7 * 86_400 })
  await live(1)
  const force = () =>
    world.database.transaction((transaction) =>
      forceAnalysis(transaction, id, world.clock.now(), { minute: 3, hour: 30, day: 100 }),
    )
  for (let wish = 0; wish < 3; wish++) expect(await force()).toBeNull()
  world.clock.step(-hour)
  await live(2)
  expect(startsOf(id)).toHaveLength(2)
  expect(await force()).toEqual({ limit: 'minute', value: 3 })
  await live(60)
  expect(await force()).toBeNull()
  world.clock.step(hour)
  await live(2)
  expect(startsOf(id)).toHaveLength(3)
}, 60_000)

/** Seconds of time that passes until the service has told so many things; none is told twice in a turn. */
async function secondsUntilTold(id: number, count: number): Promise<number> {
  const from = world.clock.monotonic()
  for (let turn = 0; turn < 200; turn++) {
    const told = await intentsOf(world.database, id)
    if (told.length >= count) return (world.clock.monotonic() - from) / 1000
    await live(1)
  }
  throw new Error('It is never told.')
}

test.each([hour, -hour, 20_000, -20_000])(
  'a delay of a minute lasts a minute when the clock is set by %s ms in it',
  async (milliseconds) => {
    world.stations.answer = () => 'error'
    await start()
    const id = await world.addService({ modeId: 'after_1_minute_failure', channelIds: ['email'] })
    await live(25)
    world.clock.step(milliseconds)
    const seconds = 25 + (await secondsUntilTold(id, 1))
    expect(seconds).toBeGreaterThanOrEqual(60)
    expect(seconds).toBeLessThanOrEqual(63)
  },
  120_000,
)

test('a failure that begins after the clock was set back waits for its own delay, and so does its recovery', async () => {
  world.stations.answer = () => 'ok'
  await start()
  const modes = { modeId: 'after_1_minute_failure', recoveryModeId: 'after_1_minute' }
  const id = await world.addService({ interval: 30, channelIds: ['email'], ...modes })
  await live(60)
  world.clock.step(-hour)
  world.stations.answer = () => 'error'
  const failureSeconds = await secondsUntilTold(id, 1)
  world.stations.answer = () => 'ok'
  const recoverySeconds = await secondsUntilTold(id, 2)
  for (const seconds of [failureSeconds, recoverySeconds]) {
    expect(seconds).toBeGreaterThanOrEqual(60)
    expect(seconds).toBeLessThanOrEqual(60 + 30 + 3)
  }
  expect((await intentsOf(world.database, id)).map((row) => row.notification_condition_id)).toEqual([
    'failure',
    'recovery',
  ])
}, 120_000)

test.each([45_000, -45_000])(
  'a failure is told again a minute later when the clock is set by %s ms',
  async (step) => {
    world.stations.answer = () => 'error'
    await start()
    const conditionIds = ['failure', 'failure_continuation']
    const id = await world.addService({ interval: 10, channelIds: ['email'], conditionIds })
    await secondsUntilTold(id, 1)
    await live(5)
    world.clock.step(step)
    const seconds = 5 + (await secondsUntilTold(id, 2))
    expect(seconds).toBeGreaterThanOrEqual(60 - 2)
    expect(seconds).toBeLessThanOrEqual(60 + 10 + 2)
  },
  120_000,
)

test('a suspension holds when the clock says so, also when it says so twice', async () => {
  await start()
  const id = await world.addService()
  const now = world.clock.now()
  await planOnce(world, id, { from: now + 5 * minute, to: now + 10 * minute })
  const monitoringOf = async () => (await statusOf(world.database, id))?.monitoring_status
  world.clock.step(6 * minute)
  await live(2)
  expect(await monitoringOf()).toBe('suspended')
  world.clock.step(-3 * minute)
  await live(2)
  expect(await monitoringOf()).toBe('on')
  world.clock.step(3 * minute)
  await live(2)
  expect(await monitoringOf()).toBe('suspended')
  await expectInOrder(id)
})

test('a plan that the new clock made, and that came due before anybody noticed the change, is not put off', async () => {
  const [id = 0] = await addServices(1, 60)
  await start()
  await live(70)
  world.clock.step(hour)
  // As by a round that ends between the change and the next look at the clock.
  const soon = new Date(world.clock.now() + 90)
  await world.database.execute(sql`update schedule set due_at = ${soon} where service_id = ${id}`)
  starts.length = 0
  await live(61)
  expect(startsOf(id)).not.toEqual([])
})

test('a machine that starts with an earlier clock than it had stops for no longer than an interval', async () => {
  const first = await start()
  const ids = await addServices(10, 60)
  await live(1)
  await first.stop()
  const earlier = virtualClock(world.clock.now() - day)
  const second = await world.start({ clock: earlier, timers: earlier })
  running.push(second)
  for (const id of ids) {
    const { due_at: dueAt } = await planOf(world.database, id)
    expect(dueAt).toBeGreaterThan(earlier.now() + day - 1000)
  }
  await second.drain()
  for (const id of ids) {
    const { due_at: dueAt } = await planOf(world.database, id)
    expect(dueAt).toBeGreaterThan(earlier.now())
    expect(dueAt).toBeLessThanOrEqual(earlier.now() + minute)
  }
})
