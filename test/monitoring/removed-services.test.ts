import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensurePartitions } from '../../src/database/partitions.ts'
import { dayLength } from '../../src/domain/calendars/durations.ts'
import { analysisIdAt } from '../../src/domain/judging/analysis-id.ts'
import { type AnalysisRow, insertAnalyses } from '../../src/history/analyses.ts'
import { handover, packClosedDays } from '../../src/history/packed/pack-days.ts'
import { addToRollUps } from '../../src/history/roll-ups.ts'
import { removeServices, sweepRemovedServices } from '../../src/service-state/services.ts'
import { type MonitoringWorld, monitoringWorld } from '../support/monitoring.ts'

const closed = Date.UTC(2026, 10, 18)
const nowAt = closed + 3 * dayLength

let world: MonitoringWorld
beforeAll(async () => {
  world = await monitoringWorld()
  await ensurePartitions(world.database, closed, 0)
})
afterAll(() => world.drop())

function analysisOf(serviceId: number): AnalysisRow {
  return {
    ...{ serviceId, analysisId: analysisIdAt(closed), verdict: 'ok', errorTolerance: 51, failures: null },
    ...{ sensorIds: [1], results: ['o'], timeOffsets: [0], responseTimes: [80], dataSizes: [1] },
    phases: [1, 2, 3, 4, 5, 6],
  }
}

async function record(serviceIds: readonly number[]): Promise<void> {
  await world.database.transaction(async (transaction) => {
    await addToRollUps(transaction, await insertAnalyses(transaction, serviceIds.map(analysisOf)))
  })
}

const tables = ['analyses_hot', 'packed_days', 'hourly_performance', 'daily_performance', 'removed_services']

/** The services that each table knows. */
async function known(): Promise<Readonly<Record<string, readonly number[]>>> {
  const found = tables.map(async (table) => {
    const rows = await world.database.query<{ id: number }>(sql`
      select distinct service_id as id from ${raw(table)} order by 1`)
    return [table, rows.map(({ id }) => id)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

test('history that a frozen machine of a cluster commits after its service was swept away goes with the packing of its day', async () => {
  const [removed, kept] = [await world.addService(), await world.addService()]
  await world.database.transaction((transaction) => removeServices(transaction, [removed]))
  await sweepRemovedServices(world.database)
  await record([removed, kept])
  await packClosedDays(world.database, { nowAt })
  await sweepRemovedServices(world.database)
  await packClosedDays(world.database, { nowAt: nowAt + handover })
  expect(await known()).toEqual({
    ...{ analyses_hot: [], packed_days: [kept], removed_services: [] },
    ...{ hourly_performance: [kept], daily_performance: [kept] },
  })
})
