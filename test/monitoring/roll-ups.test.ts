import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dropPartitionsBefore, ensurePartitions } from '../../src/database/partitions.ts'
import { divideForPerformance, sectionsOf } from '../../src/domain/service-level/chart.ts'
import { type AnalysisRow, insertAnalyses } from '../../src/history/analyses.ts'
import { performanceOf, sensorChecksOf } from '../../src/history/roll-up-reads.ts'
import { addToRollUps, rebuildAllRollUps, rebuildRollUps } from '../../src/history/roll-ups.ts'
import { removeServices, sweepRemovedServices } from '../../src/service-state/services.ts'
import { afterStatement } from '../support/after-statement.ts'
import { anyAnalysis } from '../support/analyses.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

const day = 86_400_000
const hourLength = 3_600_000

let world: MonitoringWorld
let today: number

beforeAll(async () => {
  world = await monitoringWorld()
  today = Math.floor(world.clock.now() / day) * day
  await ensurePartitions(world.database, today, 4)
})
afterAll(() => world.drop())
beforeEach(() => world.clear())

async function record(rows: readonly AnalysisRow[]): Promise<void> {
  await world.database.transaction(async (transaction) => {
    await addToRollUps(transaction, await insertAnalyses(transaction, rows))
  })
}

/** Quicker than truncating, for properties. */
async function forget(): Promise<void> {
  await world.database.execute(sql`
    with hourly as (delete from hourly_performance), daily as (delete from daily_performance),
      steps as (delete from hourly_step_performance) delete from analyses_hot`)
}

async function kept() {
  return {
    hourly: await world.database.query<Counted>(sql`select * from hourly_performance order by service_id, hour`),
    daily: await world.database.query<Counted>(
      sql`select * from daily_performance order by service_id, day, sensor_id`,
    ),
    steps: await world.database.query<Counted>(sql`
      select * from hourly_step_performance order by service_id, hour, set_id, step`),
  }
}

async function rebuild(serviceIds: readonly number[]): Promise<void> {
  const firstDay = today / day
  for (const id of serviceIds) {
    await world.database.transaction((transaction) =>
      rebuildRollUps(transaction, id, { firstDay: firstDay - 1, lastDay: firstDay + 4 }),
    )
  }
}

const services = [1, 2]
const flushes = (ids = services) =>
  fc.array(
    fc.uniqueArray(anyAnalysis(ids, today - day, today + 4 * day), {
      selector: (row) => `${row.serviceId}/${row.analysisId}`,
      maxLength: 12,
    }),
    { maxLength: 4 },
  )

interface Counted {
  readonly service_id: number
  readonly hour?: number
  readonly day?: number
  readonly sensor_id?: number
  ok_checks: number
  error_checks: number
  unknown_checks: number
  timed_checks: number
  response_time_sum: number
  response_time_minimum: number | null
  response_time_maximum: number | null
}

/** The tables as they should be, from every analysis that was ever recorded. */
function plainCount(rows: readonly AnalysisRow[]): unknown {
  const tables = { hourly: new Map<string, Counted>(), daily: new Map<string, Counted>() }
  for (const { serviceId, analysisId, sensorIds, results, responseTimes } of rows) {
    const at = Math.floor(analysisId / 100)
    for (const [place, sensorId] of sensorIds.entries()) {
      const [result, time] = [results[place], responseTimes[place] ?? -1]
      const keys = {
        hourly: { service_id: serviceId, hour: Math.floor(at / 3_600_000) },
        daily: { service_id: serviceId, day: Math.floor(at / day), sensor_id: sensorId },
      }
      for (const name of ['hourly', 'daily'] as const) {
        const key = JSON.stringify(keys[name])
        const none = { ok_checks: 0, error_checks: 0, unknown_checks: 0, timed_checks: 0, response_time_sum: 0 }
        const sums: Counted = tables[name].get(key) ?? {
          ...keys[name],
          ...none,
          response_time_minimum: null,
          response_time_maximum: null,
        }
        tables[name].set(key, sums)
        sums[result === 'o' ? 'ok_checks' : result === 'e' ? 'error_checks' : 'unknown_checks'] += 1
        if (result !== 'o' || time < 0) continue
        sums.timed_checks += 1
        sums.response_time_sum += time
        sums.response_time_minimum = Math.min(sums.response_time_minimum ?? time, time)
        sums.response_time_maximum = Math.max(sums.response_time_maximum ?? time, time)
      }
    }
  }
  return { hourly: byKey([...tables.hourly.values()]), daily: byKey([...tables.daily.values()]) }
}

function byKey(rows: readonly Counted[]): Readonly<Record<string, Counted>> {
  return Object.fromEntries(rows.map((row) => [`${row.service_id} ${row.hour ?? row.day} ${row.sensor_id ?? ''}`, row]))
}

describe('the sums', () => {
  test('that are kept with every flush equal those made anew from the history, also when flushes are repeated', async () => {
    await fc.assert(
      fc.asyncProperty(flushes(), fc.boolean(), async (batches, isRepeated) => {
        await forget()
        for (const rows of batches) {
          await record(rows)
          if (isRepeated) await record(rows)
        }
        const incremental = await kept()
        await rebuild(services)
        expect(await kept()).toEqual(incremental)
      }),
      { numRuns: 40 },
    )
  })

  test('are those of a plain count after any history: flushes, repeats, late results, days that go, and sums made anew', async () => {
    const ids = [await world.addService(), await world.addService()]
    const step = fc.oneof(
      fc.record({ kind: fc.constant('flush' as const), rows: flushes(ids).map((batches) => batches.flat()) }),
      fc.record({ kind: fc.constant('repeat' as const), rows: fc.constant([]) }),
      fc.record({ kind: fc.constant('forget' as const), rows: fc.constant([]) }),
      fc.record({ kind: fc.constant('rebuild' as const), rows: fc.constant([]) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        await forget()
        await ensurePartitions(world.database, today, 4)
        const counted = new Map<string, AnalysisRow>()
        let [oldest, last]: [number, readonly AnalysisRow[]] = [today - day, []]
        for (const { kind, rows } of steps) {
          if (kind === 'flush') last = rows
          // Only what is late within the kept days can still come.
          const coming = last.filter(({ analysisId }) => analysisId >= oldest * 100)
          if (kind === 'flush' || kind === 'repeat') {
            await record(coming)
            for (const row of coming) {
              const key = `${row.serviceId} ${row.analysisId}`
              if (!counted.has(key)) counted.set(key, row)
            }
          } else if (kind === 'forget') {
            oldest = Math.min(oldest + day, today + day)
            await dropPartitionsBefore(world.database, oldest)
          } else {
            await rebuildAllRollUps(world.database, { keptFromAt: oldest, now: today + 4 * day })
          }
        }
        const { hourly, daily } = await kept()
        expect({ hourly: byKey(hourly), daily: byKey(daily) }).toEqual(plainCount([...counted.values()]))
      }),
      { numRuns: 40 },
    )
    await ensurePartitions(world.database, today, 4)
  })

  test('are made anew where they went wrong, for that service and those days alone', async () => {
    await record(fc.sample(anyAnalysis(services, today, today + 3 * day), { numRuns: 30, seed: 5 }))
    const right = await kept()
    await world.database.execute(sql`update hourly_performance set ok_checks = ok_checks + 7 where service_id = 1`)
    await world.database.execute(sql`delete from daily_performance where service_id = 1`)
    await rebuild([2])
    expect(await kept()).not.toEqual(right)
    await rebuild([1])
    expect(await kept()).toEqual(right)
  })

  test('of every service are made anew, but not of days whose analyses are gone', async () => {
    const ids = [await world.addService(), await world.addService()]
    await record(fc.sample(anyAnalysis(ids, today - day, today + day), { numRuns: 60, seed: 7 }))
    const right = await kept()
    await world.database.execute(sql`update hourly_performance set error_checks = error_checks + 1`)
    await world.database.execute(
      sql`update daily_performance set unknown_checks = 0, ok_checks = 0 where sensor_id < 15`,
    )
    const range = { keptFromAt: today - 400 * day, now: today + day / 2 }
    expect(await rebuildAllRollUps(world.database, range)).toBe(ids.length)
    expect(await kept()).toEqual(right)
    await dropPartitionsBefore(world.database, today)
    await rebuildAllRollUps(world.database, range)
    expect(await kept()).toEqual(right)
    // Something late brings the dropped day back, but not whole.
    await ensurePartitions(world.database, today, 0)
    await rebuildAllRollUps(world.database, { ...range, keptFromAt: today })
    expect(await kept()).toEqual(right)
  })

  test('are made anew also while the first analysis of a service comes', async () => {
    const id = await world.addService()
    const [first, second] = fc
      .sample(anyAnalysis([id], today, today + day), { numRuns: 2, seed: 3 })
      .map((row, hour) => ({ ...row, analysisId: (today + hour * hourLength) * 100 })) as [AnalysisRow, AnalysisRow]
    await record([first])
    let isFirst = true
    const database = afterStatement(world.database, 'delete from hourly_performance', async () => {
      if (isFirst) await record([second])
      isFirst = false
    })
    expect(await rebuildAllRollUps(database, { keptFromAt: today, now: today })).toBe(1)
    const { hourly, daily } = await kept()
    expect({ hourly: byKey(hourly), daily: byKey(daily) }).toEqual(plainCount([first, second]))
  })

  test('grow with the rounds of a running program and go with the service', async () => {
    const id = await world.addService({ interval: 60 })
    const monitoring = await world.start()
    world.stations.answer = (job) => (job.sensorId === world.sensorIds[0] ? 'error' : 'ok')
    await world.pass(monitoring, 7200)
    await monitoring.stop()
    const incremental = await kept()
    const [sums] = await world.database.query<{ ok: number; errors: number; rounds: number }>(sql`
      select sum(ok_checks)::int as ok, sum(error_checks)::int as errors,
        (select count(*)::int from analyses_hot) as rounds from hourly_performance where service_id = ${id}`)
    expect(sums?.rounds).toBeGreaterThanOrEqual(119)
    expect(sums).toMatchObject({ errors: sums?.rounds, ok: 2 * (sums?.rounds ?? 0) })
    await rebuild([id])
    expect(await kept()).toEqual(incremental)
    await world.database.transaction((transaction) => removeServices(transaction, [id]))
    await sweepRemovedServices(world.database)
    expect(await kept()).toEqual({ hourly: [], daily: [], steps: [] })
  })
})

function checksIn(rows: readonly AnalysisRow[], fromAt: number, toAt: number) {
  return rows
    .filter(({ serviceId, analysisId }) => serviceId === 1 && analysisId >= fromAt * 100 && analysisId < toAt * 100)
    .flatMap((row) =>
      row.sensorIds.map((sensorId, place) => ({
        sensorId,
        result: row.results[place],
        responseTime: row.responseTimes[place] ?? -1,
      })),
    )
}

describe('what is read', () => {
  const range = fc
    .tuple(fc.integer({ min: -86_400, max: 5 * 86_400 }), fc.integer({ min: 0, max: 6 * 86_400 }))
    .map(([start, long]) => ({ fromAt: today + start * 1000, toAt: today + (start + long) * 1000 }))

  test('of a chart are the sums over the range, whatever it is read from', async () => {
    await fc.assert(
      fc.asyncProperty(flushes(), range, fc.constantFrom(10, 60, 300), async (batches, given, interval) => {
        await forget()
        const rows = batches.flat()
        for (const batch of batches) await record(batch)
        const fine = divideForPerformance(given, interval)
        const coarse = { ...fine, step: day, sections: sectionsOf(given, ['days', 'hours']) }
        const unique = new Map(rows.map((row) => [`${row.serviceId} ${row.analysisId}`, row]))
        // If an analysis came twice, the first one stayed.
        for (const row of rows.toReversed()) unique.set(`${row.serviceId} ${row.analysisId}`, row)
        const checks = checksIn([...unique.values()], given.fromAt, given.toAt)
        const times = checks.filter((one) => one.result === 'o' && one.responseTime >= 0).map((one) => one.responseTime)
        for (const division of [fine, coarse]) {
          const points = await performanceOf(world.database, 1, division)
          const sum = (pick: (point: (typeof points)[number]) => number) =>
            points.reduce((total, point) => total + pick(point), 0)
          expect(sum((point) => point.ok_checks)).toBe(checks.filter((one) => one.result === 'o').length)
          expect(sum((point) => point.error_checks)).toBe(checks.filter((one) => one.result === 'e').length)
          expect(sum((point) => point.timed_checks)).toBe(times.length)
          expect(sum((point) => point.response_time_sum)).toBe(times.reduce((total, time) => total + time, 0))
          const minima = points.flatMap((point) => point.response_time_minimum ?? [])
          expect(Math.min(...minima)).toBe(Math.min(...times))
        }
      }),
      { numRuns: 40 },
    )
  })

  test('of a status change are the checks of each sensor, from days where they are whole', async () => {
    await fc.assert(
      fc.asyncProperty(flushes([1]), range, async (batches, given) => {
        await forget()
        for (const batch of batches) await record(batch)
        const sections = (grains: readonly 'days'[]) => ({
          firstId: given.fromAt * 100,
          sections: sectionsOf(given, grains),
        })
        expect(await sensorChecksOf(world.database, 1, sections(['days']))).toEqual(
          await sensorChecksOf(world.database, 1, sections([])),
        )
      }),
      { numRuns: 40 },
    )
  })
})
