import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countAnalyses } from '../../src/database/accounts/usage.ts'
import type { Monitoring } from '../../src/monitoring/start.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

let world: MonitoringWorld
let monitoring: Monitoring

beforeAll(async () => {
  world = await monitoringWorld()
  monitoring = await world.start()
})
afterAll(async () => {
  await monitoring.stop()
  await world.drop()
})
beforeEach(async () => {
  await world.clear()
  await world.database.execute(sql`truncate usage_counters`)
})

interface Counter {
  readonly month: string
  readonly group_id: number
  readonly service_type_id: string
  readonly analyses: number
  readonly checks: number
}

function counters(): Promise<Counter[]> {
  return world.database.query<Counter>(sql`
    select to_char(month, 'YYYY-MM') as month, group_id, service_type_id, analyses, checks
    from usage_counters order by month, group_id, service_type_id`)
}

test('every recorded analysis is counted once, with its checks, by type', async () => {
  await world.addService({ interval: 60 })
  await world.addService({ interval: 60, typeId: 'dns' })
  await world.pass(monitoring, 200)
  const [stored] = await world.database.query<{ analyses: number; checks: number }>(sql`
    select count(*) as analyses, sum(cardinality(sensor_ids)) as checks from analyses_hot`)
  const counted = await counters()
  expect(counted.map(({ month, service_type_id }) => [month, service_type_id])).toEqual([
    ['2026-11', 'dns'],
    ['2026-11', 'http'],
  ])
  expect(stored?.analyses).toBeGreaterThan(4)
  expect(counted.reduce((sum, { analyses }) => sum + analyses, 0)).toBe(stored?.analyses)
  expect(counted.reduce((sum, { checks }) => sum + checks, 0)).toBe(stored?.checks)
})

test('an analysis belongs to the month of its decision in UTC, and to the group where its service was then', async () => {
  const serviceId = await world.addService()
  const count = (at: number) =>
    world.database.transaction((transaction) =>
      countAnalyses(transaction, [{ serviceId, analysisId: at * 100, sensorIds: [1, 2] }]),
    )
  await count(Date.UTC(2026, 10, 30, 23, 59, 59, 999))
  await count(Date.UTC(2026, 11, 1))
  const [other] = await world.database.query<{ id: number }>(sql`
    insert into groups (owner_id, name, assigned_sensor_ids) select owner_id, 'Other', assigned_sensor_ids from groups limit 1
    returning id`)
  await world.database.execute(sql`update services set group_id = ${other?.id} where id = ${serviceId}`)
  await count(Date.UTC(2026, 11, 31))
  const one = { service_type_id: 'http', analyses: 1, checks: 2 }
  expect(await counters()).toEqual([
    { ...one, month: '2026-11', group_id: world.groupId },
    { ...one, month: '2026-12', group_id: world.groupId },
    { ...one, month: '2026-12', group_id: other?.id },
  ])
})

test('recorders that count the same rows at once lose nothing', async () => {
  const ids = [
    await world.addService(),
    await world.addService({ typeId: 'dns' }),
    await world.addService({ typeId: 'ping' }),
  ]
  const now = world.clock.now()
  const flush = (order: readonly number[]) =>
    world.database.transaction((transaction) =>
      countAnalyses(
        transaction,
        order.map((serviceId) => ({ serviceId, analysisId: now * 100, sensorIds: [1, 2, 3] })),
      ),
    )
  await Promise.all(Array.from({ length: 20 }, (_, turn) => flush(turn % 2 === 0 ? ids : ids.toReversed())))
  expect((await counters()).map(({ analyses, checks }) => [analyses, checks])).toEqual(ids.map(() => [20, 60]))
})
