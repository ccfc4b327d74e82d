import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { nextOnGrid } from '../../src/domain/judging/schedule.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { forceAnalysis, removeSchedules, rescheduleService, scheduleNew } from '../../src/service-state/schedule.ts'
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

const limits = { minute: 3, hour: 30, day: 100 }

function stop(id: number) {
  return world.database.transaction((transaction) => stopMonitoring(transaction, id, 'user', world.clock.now()))
}

function resume(id: number) {
  return world.database.transaction((transaction) => resumeMonitoring(transaction, id, world.clock.now()))
}

function force(id: number, within = limits) {
  return world.database.transaction((transaction) => forceAnalysis(transaction, id, world.clock.now(), within))
}

/** Starts a round whose first sensor stays silent, does something meanwhile, and lets the round end. */
async function duringRound(id: number, work: () => Promise<unknown>): Promise<void> {
  world.stations.jobs.length = 0
  world.stations.answer = ({ sensorId }) => (sensorId === world.sensorIds[0] ? 'silent' : 'error')
  world.clock.advanceTo((await planOf(world.database, id)).due_at)
  const draining = monitoring.drain()
  await world.stations.asked(3)
  await work()
  world.stations.answer = () => 'ok'
  world.clock.advance(10_000)
  await draining
}

test('rounds follow the grid whatever the first one did', async () => {
  const id = await world.addService({ interval: 300 })
  await world.pass(monitoring, 3600)
  const starts = [...new Set(world.stations.jobs.map(({ startAt }) => startAt))].slice(1)
  expect(starts).toHaveLength(12)
  for (const startAt of starts) expect(startAt).toBe(nextOnGrid(id, 300, startAt - 1))
})

test('a service that is made inactive starts paused, without a round', async () => {
  const id = await world.addService({ isActive: false })
  await world.pass(monitoring, 300)
  expect(world.stations.jobs).toEqual([])
  expect(await statusOf(world.database, id)).toMatchObject({ monitoring_status: 'off', state: 'paused' })
  expect(await changesOf(world.database, id)).toMatchObject([
    { status: 'paused', pause_reason: 'user', end_time: null },
  ])
})

test('a stopped service starts no round; resumed it is checked at once and stays paused until the verdict', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await stop(id)
  world.stations.jobs.length = 0
  await world.pass(monitoring, 600)
  expect(world.stations.jobs).toEqual([])
  await resume(id)
  expect(await statusOf(world.database, id)).toMatchObject({
    monitoring_status: 'on',
    state: 'paused',
    valid_until: null,
  })
  await monitoring.drain()
  expect(await statusOf(world.database, id)).toMatchObject({ state: 'ok' })
  expect((await changesOf(world.database, id)).map(({ status }) => status)).toEqual(['ok', 'paused', 'ok'])
})

test('a round that ends after the stop is kept but decides nothing', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await duringRound(id, () => stop(id))
  expect((await analysesOf(world.database, id)).map(({ verdict }) => verdict)).toEqual(['ok', 'failure'])
  expect(await statusOf(world.database, id)).toMatchObject({ state: 'paused', check_status: 'ok', valid_until: null })
  expect(await intentsOf(world.database, id)).toEqual([])
  expect((await planOf(world.database, id)).due_at).toBe(Number.POSITIVE_INFINITY)
})

test('a round from before a stop no longer counts after the resumption', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await duringRound(id, async () => {
    await stop(id)
    await resume(id)
  })
  expect((await analysesOf(world.database, id)).map(({ verdict }) => verdict)).toEqual(['ok', 'ok'])
  expect((await changesOf(world.database, id)).map(({ status }) => status)).toEqual(['ok', 'paused', 'ok'])
})

test('a round of a service that was deleted meanwhile leaves nothing', async () => {
  const [id, other] = [await world.addService(), await world.addService()]
  await monitoring.drain()
  await world.database.execute(sql`delete from schedule where service_id = ${other}`)
  await duringRound(id, () =>
    world.database.transaction(async (transaction) => {
      await removeSchedules(transaction, [id])
      await transaction.execute(sql`delete from services where id = ${id}`)
    }),
  )
  expect(await analysesOf(world.database, id)).toHaveLength(1)
  expect(await world.database.query(sql`select from schedule`)).toEqual([])
})

test('a plan that lost its service is dropped', async () => {
  await world.database.execute(
    sql`insert into schedule (service_id, due_at) values (999999, ${new Date(world.clock.now())})`,
  )
  await monitoring.drain()
  expect(await world.database.query(sql`select from schedule where service_id = 999999`)).toEqual([])
})

test('an analysis on request comes at once and leaves the grid as it was', async () => {
  const id = await world.addService({ interval: 600 })
  await monitoring.drain()
  const planned = await planOf(world.database, id)
  world.clock.advance(1000)
  expect(await force(id)).toBeNull()
  await monitoring.drain()
  expect(await analysesOf(world.database, id)).toHaveLength(2)
  expect(await planOf(world.database, id)).toEqual(planned)
})

test('a request that comes during a round is done after it', async () => {
  const id = await world.addService()
  await monitoring.drain()
  await duringRound(id, () => force(id))
  expect((await analysesOf(world.database, id)).map(({ verdict }) => verdict)).toEqual(['ok', 'failure', 'ok'])
})

test('requests are limited by minute, hour and day, also when they come together', async () => {
  const id = await world.addService()
  const together = await Promise.all(Array.from({ length: 5 }, () => force(id)))
  expect(together.filter((answer) => answer === null)).toHaveLength(3)
  expect(together.filter((answer) => answer !== null)).toEqual(new Array(2).fill({ limit: 'minute', value: 3 }))
  world.clock.advance(60_000)
  expect(await force(id, { ...limits, hour: 4 })).toBeNull()
  expect(await force(id, { ...limits, hour: 4 })).toEqual({ limit: 'hour', value: 4 })
  expect(await force(id, { ...limits, day: 4 })).toEqual({ limit: 'day', value: 4 })
  world.clock.advance(86_400_000)
  expect(await force(id, { ...limits, day: 4 })).toBeNull()
})

test('a stopped service is checked on request without leaving its pause', async () => {
  const id = await world.addService({ isActive: false })
  await force(id)
  await monitoring.drain()
  expect(await analysesOf(world.database, id)).toHaveLength(1)
  expect(await statusOf(world.database, id)).toMatchObject({ state: 'paused', last_analysis_id: null })
  await world.pass(monitoring, 300)
  expect(await analysesOf(world.database, id)).toHaveLength(1)
})

test('a new interval moves the service to its new grid and makes its verdict valid anew', async () => {
  const id = await world.addService({ interval: 3600 })
  await monitoring.drain()
  const decidedAt = world.clock.now()
  world.clock.advance(5000)
  await world.database.transaction(async (transaction) => {
    await transaction.execute(sql`update services set interval = 120 where id = ${id}`)
    await rescheduleService(transaction, id, world.clock.now())
  })
  expect(await planOf(world.database, id)).toEqual({
    due_at: nextOnGrid(id, 120, world.clock.now()),
    reason: 'interval',
  })
  expect((await statusOf(world.database, id))?.valid_until).toBe(decidedAt + 300_000)
})

test('a new interval takes back neither a request nor a stop', async () => {
  const [requested, stopped] = [await world.addService(), await world.addService({ isActive: false })]
  await world.database.transaction(async (transaction) => {
    await rescheduleService(transaction, requested, world.clock.now())
    await rescheduleService(transaction, stopped, world.clock.now())
  })
  expect(await planOf(world.database, requested)).toEqual({ due_at: world.clock.now(), reason: 'forced' })
  expect((await planOf(world.database, stopped)).due_at).toBe(Number.POSITIVE_INFINITY)
})

test('scheduling belongs to its transaction', async () => {
  const id = await world.addService()
  await world.clear()
  const broken = world.database.transaction(async (transaction) => {
    await transaction.execute(sql`insert into services (id, owner_id, group_id, name, type_id, address, interval,
      notification_channel_ids, notification_condition_ids) select ${id}, owner_id, id, 'Shop', 'http', 'shop.example', 60,
      '{}', '{}' from groups limit 1`)
    await scheduleNew(transaction, id, world.clock.now())
    throw new Error('changed its mind')
  })
  await expect(broken).rejects.toThrow('changed its mind')
  expect(await world.database.query(sql`select from schedule`)).toEqual([])
})

test('an earlier plan wakes the schedulers, which rest while nothing is due', async () => {
  const id = await world.addService({ interval: 86_400 })
  await monitoring.drain()
  const heard: string[] = []
  const stopListening = await world.database.listen('schedule', (payload) => heard.push(payload))
  await world.database.execute(sql`update services set interval = 60 where id = ${id}`)
  await world.database.transaction((transaction) => rescheduleService(transaction, id, world.clock.now()))
  await expect.poll(() => heard).toEqual([''])
  await stopListening()
})
