import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { calendarsChanged } from '../../src/service-state/pauses.ts'
import { resumeMonitoring, stopMonitoring } from '../../src/service-state/stops.ts'
import {
  analysesOf,
  changesOf,
  intentsOf,
  type MonitoringWorld,
  monitoringWorld,
  planOf,
  statusOf,
} from '../support/monitoring.ts'
import { planHours, planOnce, planWeekly } from '../support/planned.ts'

let world: MonitoringWorld
let monitoring: Monitoring

beforeAll(async () => {
  world = await monitoringWorld()
})
beforeEach(async () => {
  // A Saturday, 10:00 in Warsaw.
  world.clock.step(Date.UTC(2026, 10, 21, 9) - world.clock.now())
  monitoring = await world.start()
})
afterEach(async () => {
  await monitoring.stop()
  await world.clear()
})
afterAll(() => world.drop())

const minute = 60_000

async function monitoringOf(id: number): Promise<string | undefined> {
  return (await statusOf(world.database, id))?.monitoring_status
}

/** Lets time pass up to a moment; every boundary and round happens at its own. */
function passUntil(at: number): Promise<void> {
  return world.pass(monitoring, (at - world.clock.now()) / 1000)
}

test('a suspension stops monitoring to the second, and the first verdict after it decides', async () => {
  const id = await world.addService({ interval: 60, conditionIds: ['failure', 'recovery', 'pause'] })
  await monitoring.drain()
  const startedAt = world.clock.now()
  const [from, to] = [startedAt + 10 * minute, startedAt + 40 * minute]
  await planOnce(world, id, { from, to })
  await passUntil(from - 1)
  expect(await monitoringOf(id)).toBe('on')
  await passUntil(from)
  await monitoring.drain()
  expect(await statusOf(world.database, id)).toMatchObject({
    monitoring_status: 'suspended',
    state: 'paused',
    valid_until: null,
  })
  world.stations.jobs.length = 0
  world.stations.answer = () => 'error'
  await passUntil(to - 1)
  expect(world.stations.jobs).toEqual([])
  await passUntil(to + minute)
  expect(await monitoringOf(id)).toBe('on')
  const [first] = world.stations.jobs
  const changes = await changesOf(world.database, id)
  expect(changes).toMatchObject([
    { status: 'ok', start_time: startedAt, end_time: from },
    { status: 'paused', pause_reason: 'suspension', start_time: from, end_time: first?.startAt },
    { status: 'failure', pause_reason: null, start_time: first?.startAt, end_time: null },
  ])
  const told = (await intentsOf(world.database, id)).map((row) => row.notification_condition_id)
  expect(told).toEqual(['failure'])
})

test('services that one calendar resumes together make no burst', async () => {
  const now = world.clock.now()
  const ids: number[] = []
  for (let index = 0; index < 40; index++) ids.push(await world.addService({ interval: 600 }))
  for (const id of ids) await planOnce(world, id, { from: now, to: now + 5 * minute })
  await passUntil(now + 6 * minute)
  const starts = new Set(world.stations.jobs.filter(({ startAt }) => startAt > now).map(({ startAt }) => startAt))
  expect(starts.size).toBeGreaterThan(30)
  for (const id of ids) expect(await statusOf(world.database, id)).toMatchObject({ state: 'ok' })
})

test('sources are independent: monitoring is suspended while one of them says so, with the first as the reason', async () => {
  const id = await world.addService()
  await monitoring.drain()
  const now = world.clock.now()
  // Saturday 10:00 in Warsaw; the week's minute is 5 × 1440 + 600.
  const saturday = 5 * 1440 + 600
  await planWeekly(world, id, { start: saturday + 10, end: saturday + 30 })
  await planOnce(world, id, { from: now + 20 * minute, to: now + 70 * minute })
  await planHours(world, id, { suspensionHours: hoursOn(5 * 24 + 11) })
  const seen: [number, string | undefined][] = []
  for (let after = 5; after <= 125; after += 10) {
    await passUntil(now + after * minute)
    seen.push([after, await monitoringOf(id)])
  }
  const expected = seen.map(([after]) => [after, after < 10 || after >= 120 ? 'on' : 'suspended'])
  expect(seen).toEqual(expected)
  const paused = (await changesOf(world.database, id)).filter(({ status }) => status === 'paused')
  expect(paused).toMatchObject([{ pause_reason: 'weekly_suspension', start_time: now + 10 * minute }])
})

function hoursOn(...hours: number[]): string {
  return Array.from({ length: 168 }, (_, hour) => (hours.includes(hour) ? '1' : '0')).join('')
}

test.each([
  ['twice when the hour comes twice', Date.UTC(2026, 9, 24, 22), Date.UTC(2026, 9, 25, 4), 2 * 60],
  ['not at all when the hour is skipped', Date.UTC(2027, 2, 27, 23), Date.UTC(2027, 2, 28, 4), 0],
])('a weekly suspension from 02:00 to 03:00 on Sunday is met %s', async (_title, from, to, minutes) => {
  const changed = await monitoringWorld()
  changed.clock.advanceTo(Math.max(from, changed.clock.now()))
  changed.clock.step(from - changed.clock.now())
  const process = await changed.start()
  const id = await changed.addService({ interval: 600 })
  await planWeekly(changed, id, { start: 6 * 1440 + 120, end: 6 * 1440 + 180 })
  await changed.pass(process, (to - from) / 1000)
  const paused = (await changesOf(changed.database, id)).filter(({ status }) => status === 'paused')
  const lengths = paused.map(({ start_time, end_time }) => Math.floor(((end_time ?? to) - start_time) / minute))
  // The first verdict after it comes within a minute.
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(minutes)
  if (minutes > 0) expect(paused[0]?.start_time).toBe(Date.UTC(2026, 9, 25, 0))
  await process.stop()
  await changed.drop()
})

test('the zone of the owner decides, and a new one holds at once', async () => {
  const id = await world.addService()
  await planHours(world, id, { suspensionHours: hoursOn(5 * 24 + 9) })
  await monitoring.drain()
  // 09:00 UTC is 10:00 in Warsaw.
  expect(await monitoringOf(id)).toBe('on')
  await world.database.execute(sql`update accounts set time_zone_id = 'utc'`)
  await world.database.transaction((transaction) => calendarsChanged(transaction, [id], world.clock.now()))
  expect(await monitoringOf(id)).toBe('suspended')
  await world.database.execute(sql`update accounts set time_zone_id = 'europe_warsaw'`)
  await world.database.transaction((transaction) => calendarsChanged(transaction, [id], world.clock.now()))
  expect(await monitoringOf(id)).toBe('on')
})

test('boundaries missed while nobody ran are applied at once, at their own moments', async () => {
  const [over, within] = [await world.addService(), await world.addService()]
  await monitoring.drain()
  const now = world.clock.now()
  await planOnce(world, over, { from: now + 10 * minute, to: now + 20 * minute })
  await planOnce(world, within, { from: now + 10 * minute, to: now + 50 * minute })
  await monitoring.stop()
  world.clock.advance(30 * minute)
  const heir = await world.start()
  await heir.drain()
  expect([await monitoringOf(over), await monitoringOf(within)]).toEqual(['on', 'suspended'])
  for (const id of [over, within]) {
    expect(await changesOf(world.database, id)).toMatchObject([
      { status: 'ok', end_time: now + 10 * minute },
      { status: 'paused', start_time: now + 10 * minute, end_time: null },
    ])
  }
  expect((await planOf(world.database, over)).due_at).toBeLessThanOrEqual(world.clock.now() + minute)
  await world.pass(heir, 60)
  expect(await statusOf(world.database, over)).toMatchObject({ state: 'ok' })
  await heir.stop()
})

test('two processes at the same boundaries do each once', async () => {
  const now = world.clock.now()
  const other = await world.start()
  const ids: number[] = []
  for (let index = 0; index < 30; index++) ids.push(await world.addService({ conditionIds: ['failure'] }))
  for (const id of ids) await planOnce(world, id, { from: now + minute, to: now + 2 * minute })
  await Promise.all([monitoring.drain(), other.drain()])
  for (const at of [now + minute, now + 2 * minute, now + 3 * minute + 1]) {
    while (world.clock.now() < at) {
      const [next] = await world.database.query<{ at: number }>(
        sql`select min(least(due_at, boundary_at)) as at from schedule`,
      )
      world.clock.advanceTo(Math.min(at, next?.at ?? at))
      await Promise.all([monitoring.drain(), other.drain()])
    }
  }
  for (const id of ids) {
    const changes = await changesOf(world.database, id)
    expect(changes.map(({ status }) => status)).toEqual(['ok', 'paused', 'ok'])
    expect(changes[1]?.start_time).toBe(now + minute)
  }
  await other.stop()
})

test('a stop by hand wins over a suspension, and neither end of either starts what the other stops', async () => {
  const id = await world.addService()
  await monitoring.drain()
  const now = world.clock.now()
  await planOnce(world, id, { from: now + 10 * minute, to: now + 20 * minute })
  await passUntil(now + 15 * minute)
  await byHand(id, false)
  expect(await monitoringOf(id)).toBe('off')
  await byHand(id, true)
  expect(await monitoringOf(id)).toBe('suspended')
  await byHand(id, false)
  await passUntil(now + 25 * minute)
  expect(await monitoringOf(id)).toBe('off')
  await byHand(id, true)
  expect(await monitoringOf(id)).toBe('on')
  expect((await changesOf(world.database, id)).map(({ status }) => status)).toEqual(['ok', 'paused'])
})

async function byHand(id: number, isActive: boolean): Promise<void> {
  const now = world.clock.now()
  await world.database.transaction(async (transaction) => {
    await transaction.execute(sql`update services set is_active = ${isActive} where id = ${id}`)
    if (isActive) await resumeMonitoring(transaction, id, now)
    else await stopMonitoring(transaction, id, 'user', now)
  })
}

test('a blocked owner keeps monitoring off, whatever else resumes', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await world.database.execute(sql`update accounts set is_blocked = true`)
  await world.database.transaction((transaction) =>
    stopMonitoring(transaction, id, 'account_blocked', world.clock.now()),
  )
  await byHand(id, true)
  expect(await monitoringOf(id)).toBe('off')
  await world.database.execute(sql`update accounts set is_blocked = false`)
  await byHand(id, true)
  expect(await monitoringOf(id)).toBe('on')
})

test('a verdict that comes after a boundary which nobody has looked at yet no longer counts', async () => {
  const id = await world.addService({ interval: 60, settings: { timeout: 20_000 } })
  await monitoring.drain()
  const now = world.clock.now()
  const due = (await planOf(world.database, id)).due_at
  const from = due + 5000
  await planOnce(world, id, { from, to: now + 60 * minute })
  world.stations.answer = () => 'silent'
  world.clock.advanceTo(due)
  const draining = monitoring.drain()
  await world.stations.asked(6)
  // The stations stay silent until the deadline, after the boundary.
  await expect.poll(() => world.clock.waiting()).toBeGreaterThan(0)
  world.clock.advance(40_000)
  await draining
  expect(await changesOf(world.database, id)).toMatchObject([
    { status: 'ok', end_time: from },
    { status: 'paused', start_time: from, end_time: null },
  ])
  expect(await analysesOf(world.database, id)).toHaveLength(2)
})

test('a process that runs by itself meets a boundary that was planned a moment ago', async () => {
  const id = await world.addService()
  const clock = { now: () => Date.now() }
  const { systemTimers } = await import('../../src/turns/timers.ts')
  const live = await world.start({ manual: false, clock, timers: systemTimers })
  const from = Date.now() + 700
  await planOnce(world, id, { from, to: from + 3_600_000 }, Date.now())
  await expect.poll(() => monitoringOf(id)).toBe('suspended')
  const paused = (await changesOf(world.database, id)).find(({ status }) => status === 'paused')
  expect(paused?.start_time).toBe(from)
  await live.stop()
})
