import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { changesOf, intentsOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'
import { dropOnce, planHours, planOnce } from '../support/planned.ts'

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
const conditionIds = ['failure', 'failure_continuation', 'recovery', 'silent_failure', 'pause']

async function notificationsOf(id: number): Promise<string | undefined> {
  const [row] = await world.database.query<{ notifications_status: string }>(
    sql`select notifications_status from service_statuses where service_id = ${id}`,
  )
  return row?.notifications_status
}

async function toldOf(id: number): Promise<string[]> {
  return (await intentsOf(world.database, id)).map((row) => row.notification_condition_id)
}

function passUntil(at: number): Promise<void> {
  return world.pass(monitoring, (at - world.clock.now()) / 1000)
}

/** The service answers so for so many minutes. */
async function answers(answer: 'ok' | 'error', minutes: number): Promise<void> {
  world.stations.answer = () => answer
  await passUntil(world.clock.now() + minutes * minute)
}

async function quietService(
  options: { readonly modeId?: string; readonly conditionIds?: readonly string[]; readonly minutes?: number } = {},
) {
  const id = await world.addService({ interval: 60, conditionIds, ...options })
  await answers('ok', 2)
  const from = world.clock.now()
  const to = from + (options.minutes ?? 30) * minute
  const suspensionId = await planOnce(world, id, { from, to, onlyNotifications: true })
  return { id, from, to, suspensionId }
}

test('monitoring goes on in quiet hours, and one notice after them names every failure', async () => {
  const { id, to } = await quietService()
  expect(await notificationsOf(id)).toBe('silent')
  await answers('error', 5)
  await answers('ok', 5)
  await answers('error', 3)
  await answers('ok', 5)
  expect(await toldOf(id)).toEqual([])
  await passUntil(to - 1)
  expect([await notificationsOf(id), await toldOf(id)]).toEqual(['silent', []])
  await passUntil(to)
  await monitoring.drain()
  expect(await notificationsOf(id)).toBe('on')
  const failures = (await changesOf(world.database, id)).filter(({ status }) => status === 'failure')
  const told = await intentsOf(world.database, id)
  expect(told).toHaveLength(1)
  expect(told[0]?.facts).toMatchObject({
    condition: 'silent_failure',
    decidedAt: to,
    sinceAt: failures[1]?.start_time,
    failures: failures.map(({ start_time, end_time }) => ({ startedAt: start_time, endedAt: end_time })),
  })
  expect(told[0]?.facts.checks).toHaveLength(3)
  await answers('ok', 10)
  expect(await toldOf(id)).toEqual(['silent_failure'])
})

test('a failure that still lasts is told by that notice, not a second time, and then its recovery', async () => {
  const { id, to } = await quietService()
  await answers('error', 28)
  await passUntil(to + minute / 2)
  expect(await toldOf(id)).toEqual(['silent_failure'])
  expect((await intentsOf(world.database, id))[0]?.facts.failures).toMatchObject([{ endedAt: null }])
  await answers('error', 3)
  expect(new Set(await toldOf(id))).toEqual(new Set(['silent_failure', 'failure_continuation']))
  await answers('ok', 5)
  expect((await toldOf(id)).filter((condition) => condition === 'recovery')).toHaveLength(1)
  expect(await toldOf(id)).not.toContain('failure')
})

test('a service that does not tell silent failures tells the one that still lasts as a failure', async () => {
  const { id, to } = await quietService({ conditionIds: ['failure', 'recovery'] })
  await answers('error', 28)
  await passUntil(to - 1)
  expect(await toldOf(id)).toEqual([])
  await passUntil(to + 2 * minute)
  expect(await toldOf(id)).toEqual(['failure'])
  await answers('ok', 2)
  expect(await toldOf(id)).toEqual(['failure', 'recovery'])
})

test('quiet hours without a failure end without a word', async () => {
  const { id, to } = await quietService()
  await answers('ok', 40)
  expect(world.clock.now()).toBeGreaterThan(to)
  expect(await toldOf(id)).toEqual([])
})

test('a failure shorter than the delay of its mode is not named', async () => {
  const { id, to } = await quietService({ modeId: 'after_5_minutes_failure' })
  await answers('error', 4)
  await answers('ok', 4)
  await passUntil(to + minute)
  expect(await toldOf(id)).toEqual([])
})

test('a failure whose delay ends after the quiet hours is told at its exact delay', async () => {
  const { id, to } = await quietService({ modeId: 'after_5_minutes_failure' })
  await answers('ok', 27)
  await answers('error', 2)
  await passUntil(to + 10 * minute)
  const [, failed] = await changesOf(world.database, id)
  const told = await intentsOf(world.database, id)
  expect(told[0]?.facts).toMatchObject({ condition: 'failure', decidedAt: (failed?.start_time ?? 0) + 5 * minute })
})

test('a failure that began before them and whose delay ends in them is named', async () => {
  const id = await world.addService({ interval: 60, conditionIds, modeId: 'after_5_minutes_failure' })
  await answers('ok', 2)
  await answers('error', 3)
  const [from, to] = [world.clock.now(), world.clock.now() + 10 * minute]
  await planOnce(world, id, { from, to, onlyNotifications: true })
  await answers('error', 5)
  await answers('ok', 1)
  await passUntil(to)
  await monitoring.drain()
  expect(await toldOf(id)).toEqual(['silent_failure'])
  const [told] = await intentsOf(world.database, id)
  expect(told?.facts.failures?.[0]?.startedAt).toBeLessThan(from)
})

test('the recovery of a failure told before them is told after them', async () => {
  const id = await world.addService({ interval: 60, conditionIds })
  await answers('ok', 2)
  await answers('error', 1.5)
  const [from, to] = [world.clock.now(), world.clock.now() + 10 * minute]
  await planOnce(world, id, { from, to, onlyNotifications: true })
  await answers('ok', 9)
  const before = await toldOf(id)
  expect(before).not.toContain('recovery')
  await passUntil(to + minute)
  expect(await toldOf(id)).toEqual([...before, 'recovery'])
})

test('taking quiet hours back ends them at once', async () => {
  const { id, suspensionId } = await quietService()
  await answers('error', 5)
  await dropOnce(world, id, suspensionId)
  expect([await notificationsOf(id), await toldOf(id)]).toEqual(['on', ['silent_failure']])
})

test('sources of quiet hours that touch are one', async () => {
  const { id, to } = await quietService({ minutes: 60 - 2 })
  // 11:00 to 12:00 in Warsaw.
  await planHours(world, id, { silentHours: `${'0'.repeat(11)}1${'0'.repeat(12)}` })
  await answers('error', 5)
  await answers('ok', 5)
  await passUntil(to + 30 * minute)
  expect([await notificationsOf(id), await toldOf(id)]).toEqual(['silent', []])
  await passUntil(to + 60 * minute)
  await monitoring.drain()
  expect([await notificationsOf(id), await toldOf(id)]).toEqual(['on', ['silent_failure']])
})

test('quiet hours that ended while nobody ran are told once, at their own moment', async () => {
  const { id, to } = await quietService()
  await answers('error', 5)
  await monitoring.stop()
  world.clock.advance(60 * minute)
  const heirs = [await world.start(), await world.start()]
  await Promise.all(heirs.map((heir) => heir.drain()))
  const told = (await intentsOf(world.database, id)).filter(({ event_id }) => event_id.startsWith('silent_failure'))
  expect(told).toHaveLength(1)
  expect(told[0]?.facts.decidedAt).toBe(to)
  await Promise.all(heirs.map((heir) => heir.stop()))
})

test('nothing is told of a service whose notices are off', async () => {
  const { id, to } = await quietService({ modeId: 'off' })
  await answers('error', 5)
  await passUntil(to + 5 * minute)
  expect(await toldOf(id)).toEqual([])
})

test('a failure that a suspension cut short is named, and its recovery follows the first good analysis', async () => {
  const { id, to } = await quietService()
  await answers('error', 3)
  await planOnce(world, id, { from: world.clock.now(), to: to + 5 * minute })
  await passUntil(to)
  await monitoring.drain()
  expect(await toldOf(id)).toEqual(['silent_failure'])
  await answers('ok', 10)
  expect(await toldOf(id)).toEqual(['silent_failure', 'recovery'])
})
