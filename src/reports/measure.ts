import type { Executor } from '../database/connect.ts'
import { type LevelHistory, readLevelHistories } from '../database/reports/report-data.ts'
import { reportLevel } from '../domain/reports/report-level.ts'
import type { LocalPiece } from '../domain/reports/report-time.ts'
import type { ChartRange } from '../domain/service-level/chart.ts'
import { statesOver } from '../domain/service-level/service-level.ts'
import { type LocalSums, readLocalSums } from '../history/local-sums.ts'
import { type CheckSums, checkSumsOf, type Measures } from './measures.ts'

/** The times that a report covers. */
export interface ReportTime {
  /** The requested range, cut at the report's creation. */
  readonly range: ChartRange
  /** The parts of the range that count. */
  readonly counted: readonly ChartRange[]
  readonly parts: readonly ChartRange[]
  readonly pieces: readonly LocalPiece[]
}

const batchSize = 100

interface LocalChecks {
  readonly byHour: Map<number, CheckSums>
  readonly byDayOfWeek: Map<number, CheckSums>
}

function checksByService(rows: readonly LocalSums[]): ReadonlyMap<number, LocalChecks> {
  const services = new Map<number, LocalChecks>()
  for (const row of rows) {
    const checks = services.get(row.service_id) ?? { byHour: new Map(), byDayOfWeek: new Map() }
    services.set(row.service_id, checks)
    if (row.hour !== null) checks.byHour.set(row.hour, checkSumsOf(row))
    if (row.day_of_week !== null) checks.byDayOfWeek.set(row.day_of_week, checkSumsOf(row))
  }
  return services
}

function measuresOf(history: LevelHistory, checks: LocalChecks | undefined, time: ReportTime): Measures {
  const spans = statesOver({ ...history, ...time.range, now: time.range.toAt })
  return {
    level: reportLevel(spans, time.counted, time.parts),
    correctionsCount: history.corrections.length,
    byHour: checks?.byHour ?? new Map(),
    byDayOfWeek: checks?.byDayOfWeek ?? new Map(),
  }
}

/** Measures by service; a service that was deleted meanwhile is left out. `tell` is called after each batch. */
export async function measureServices(
  executor: Executor,
  serviceIds: readonly number[],
  time: ReportTime,
  tell: (done: number) => Promise<void>,
): Promise<ReadonlyMap<number, Measures>> {
  const measures = new Map<number, Measures>()
  for (let first = 0; first < serviceIds.length; first += batchSize) {
    const ids = serviceIds.slice(first, first + batchSize)
    const histories = await readLevelHistories(executor, ids, time.range)
    const sums = time.pieces.length === 0 ? [] : await readLocalSums(executor, ids, time.pieces)
    const checks = checksByService(sums)
    for (const [id, history] of histories) measures.set(id, measuresOf(history, checks.get(id), time))
    await tell(Math.min(first + batchSize, serviceIds.length))
  }
  return measures
}
