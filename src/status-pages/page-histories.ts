import type { Executor } from '../database/connect.ts'
import { type LevelHistory, readLevelHistories, readLevelSizes } from '../database/reports/report-data.ts'
import { readNoticeablePeriods } from '../database/services/degraded-periods.ts'
import type { DegradedPeriod } from '../domain/judging/degraded.ts'
import type { ChartRange } from '../domain/service-level/chart.ts'
import type { CalendarDay } from '../domain/service-level/history-bars.ts'

/** Changes and corrections that one query reads. */
const mostRows = 4000
/** Services that one query reads. */
const mostServices = 200
/** Changes and corrections of one service over the days. With more its days are not shown. */
const longestHistory = 10_000
/** Milliseconds of a longer history, for the state alone: twice the longest delay of a page. */
const shortHistory = 2 * 86_400_000

/** The history of a service; its bars are shown if it is whole. */
export interface PageHistory extends LevelHistory {
  readonly isWhole: boolean
  /** Periods in which visitors notice that it does not work well, in order: the latest ones. */
  readonly degradedPeriods: readonly DegradedPeriod[]
}

/** The histories of many services over the days, read in parts of a bounded size. */
export async function readHistories(
  executor: Executor,
  ids: readonly number[],
  { days, now }: { readonly days: readonly CalendarDay[]; readonly now: number },
): Promise<ReadonlyMap<number, PageHistory>> {
  const range = { fromAt: days[0]?.fromAt ?? now, toAt: now }
  const sizes = await readLevelSizes(executor, ids, range)
  const isLong = (id: number) => (sizes.get(id) ?? 0) > longestHistory
  const all = new Map<number, PageHistory>()
  const read = async (part: readonly number[], over: ChartRange, isWhole: boolean) => {
    const degraded = await readNoticeablePeriods(executor, part, now - shortHistory)
    for (const [id, history] of await readLevelHistories(executor, part, over))
      all.set(id, { ...history, isWhole, degradedPeriods: degraded.get(id) ?? [] })
  }
  const wholeOnes = ids.filter((id) => !isLong(id))
  for (const part of partsOf(wholeOnes, (id) => sizes.get(id) ?? 0)) await read(part, range, true)
  for (const id of ids.filter(isLong)) await read([id], { fromAt: now - shortHistory, toAt: now }, false)
  return all
}

function partsOf(ids: readonly number[], sizeOf: (id: number) => number): readonly (readonly number[])[] {
  const parts: number[][] = []
  let [part, rows]: [number[], number] = [[], 0]
  for (const id of ids) {
    if (part.length >= mostServices || (part.length > 0 && rows + sizeOf(id) > mostRows)) {
      parts.push(part)
      part = []
      rows = 0
    }
    part.push(id)
    rows += sizeOf(id)
  }
  return part.length === 0 ? parts : [...parts, part]
}
