import type { Sql } from 'sql-template-tag'
import { analysisIdAt } from '../../database/analysis-id.ts'
import { recentAnalyses } from '../../database/history.ts'
import { packingDelay } from '../../database/packed/pack-days.ts'
import { analysesWithin, type Reach } from '../../database/packed/reach.ts'
import { all, always, before, type Condition, from } from '../../domain/condition.ts'
import { preparedView, type RangeParameters, type Source } from '../../rest/declare.ts'

const day = 86_400
const lastId = Number.MAX_SAFE_INTEGER

/** Bounds by the key that history is divided and indexed by. */
export function keyRange(fromAt: number | null, toAt: number | null): Condition {
  return all(
    fromAt === null ? always(true) : from('analysis_key', analysisIdAt(fromAt)),
    toAt === null ? always(true) : before('analysis_key', analysisIdAt(toAt)),
  )
}

/** At most 40 days, by default the last 24 hours (specification: Limits). */
export const historyRange: RangeParameters = {
  within: keyRange,
  defaultFrom: (toAt) => toAt - day * 1000,
  maximumSeconds: 40 * day,
}

type Bounds = Pick<Reach, 'serviceIds' | 'fromId' | 'toId'>

/** What every row that holds the condition is bound by. */
function boundsOf(where: Condition): Bounds {
  const parts = where.kind === 'all' ? where.of : [where]
  let bounds: Bounds = { serviceIds: [], fromId: 0, toId: lastId }
  for (const part of parts) {
    if (part.kind === 'is' && part.field === 'service_id') bounds = { ...bounds, serviceIds: [Number(part.value)] }
    if (!('field' in part) || part.field !== 'analysis_key') continue
    if (part.kind === 'is') bounds = { ...bounds, fromId: Number(part.value), toId: Number(part.value) + 1 }
    if (part.kind === 'from') bounds = { ...bounds, fromId: Math.max(bounds.fromId, part.value) }
    if (part.kind === 'before') bounds = { ...bounds, toId: Math.min(bounds.toId, part.value) }
  }
  return bounds
}

interface HistoryReading {
  readonly isBrief?: boolean
  /** Whether only checks that were not ok can hold the condition. */
  readonly onlyFailed?: (where: Condition) => boolean
}

/** Rows of the history of one service, from wherever its days are kept. `select` gets what to read the analyses from. */
export function historyView(
  select: (analyses: Sql, onlyFailed: boolean) => Sql,
  { isBrief = false, onlyFailed = () => false }: HistoryReading = {},
): Source {
  return preparedView(async ({ database, nowAt }, where) => {
    const bounds = boundsOf(where)
    const isOnlyFailed = onlyFailed(where)
    const isRecent = bounds.fromId >= analysisIdAt(nowAt - packingDelay)
    const analyses = isRecent
      ? recentAnalyses
      : await analysesWithin(database, { ...bounds, isBrief, onlyFailed: isOnlyFailed })
    return () => select(analyses, isOnlyFailed)
  })
}
