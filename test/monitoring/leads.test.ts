import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { gridPhase } from '../../src/domain/judging/schedule.ts'
import type { CheckJob } from '../../src/sensor/protocol.ts'
import { forceAnalysis } from '../../src/service-state/schedule.ts'
import { systemTimers } from '../../src/turns/timers.ts'
import { analysesOf, type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

/** Rounds with a station at the end of a long way. */
let world: MonitoringWorld
const clock = { now: () => Date.now() }
const lead = 400
/** A job may go out together with those of moments before it. */
const companyAhead = 200
const handedOver: { readonly job: CheckJob; readonly at: number }[] = []

beforeAll(async () => {
  world = await monitoringWorld()
  const check = world.stations.check
  world.stations.check = (job) => {
    handedOver.push({ job, at: Date.now() })
    return new Promise((resolve) => setTimeout(() => void check(job).then(resolve), job.startAt - Date.now()))
  }
  world.stations.leadMs = (sensorId) => (sensorId === world.sensorIds[2] ? lead : 0)
})
afterEach(async () => {
  await world.clear()
  handedOver.length = 0
})
afterAll(() => world.drop())

async function lastRoundOf(serviceId: number, more: () => Promise<void> = async () => {}): Promise<void> {
  const monitoring = await world.start({ clock, timers: systemTimers, manual: false })
  await more()
  await expect.poll(() => analysesOf(world.database, serviceId)).not.toEqual([])
  await monitoring.stop()
}

test('jobs are handed over ahead of the round’s moment, which stays the same for all', async () => {
  const serviceId = await world.addService({ interval: 2 })
  await world.database.execute(sql`
    update schedule set reason = 'interval', due_at = to_timestamp(${Math.ceil((Date.now() + 3000) / 2000) * 2 + gridPhase(serviceId, 2) / 1000})`)
  // A machine that starts monitoring late begins with a round that is off the grid.
  const onGrid = () => handedOver.filter(({ job }) => (job.startAt - gridPhase(serviceId, 2)) % 2000 === 0)
  // A machine that stands still for a moment hands a round over late; the next one shows it.
  const wellAhead = () => onGrid().filter(({ job, at }) => job.startAt - at > lead / 2)
  await lastRoundOf(serviceId, async () => {
    await expect.poll(() => wellAhead().length).toBeGreaterThanOrEqual(3)
  })
  const first = wellAhead().slice(0, 3)
  const startAt = first[0]?.job.startAt ?? 0
  expect(first.map(({ job }) => job.startAt)).toEqual([startAt, startAt, startAt])
  for (const { at } of first) expect(startAt - at).toBeLessThanOrEqual(lead + companyAhead + 10)
})

test('a round that somebody asks for starts as soon as the farthest station can', async () => {
  const serviceId = await world.addService({ interval: 86_400, isActive: false })
  let askedAt = 0
  await lastRoundOf(serviceId, async () => {
    askedAt = Date.now()
    await world.database.transaction((transaction) =>
      forceAnalysis(transaction, serviceId, askedAt, { minute: 3, hour: 30, day: 100 }),
    )
  })
  const starts = new Set(handedOver.map(({ job }) => job.startAt))
  expect(starts.size).toBe(1)
  for (const { job, at } of handedOver) expect(job.startAt - at).toBeGreaterThanOrEqual(lead - 10)
})
