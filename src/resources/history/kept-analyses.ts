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

/** What every row that holds the condition holds to. */
function demandsOf(where: Condition): readonly Condition[] {
  return where.kind === 'all' ? where.of.flatMap(demandsOf) : [where]
}

/** The numbers of which the field must have one; none where it is not held to any. */
function numbersOf(demand: Condition, field: string): readonly number[] {
  if (demand.kind === 'is' && demand.field === field) return [Number(demand.value)]
  return demand.kind === 'oneOf' && demand.field === field ? demand.values.map(Number) : []
}

function boundsOf(where: Condition): Bounds {
  let [fromId, toId]: [number, number] = [0, lastId]
  let serviceIds: readonly number[] = []
  for (const demand of demandsOf(where)) {
    const [services, keys] = [numbersOf(demand, 'service_id'), numbersOf(demand, 'analysis_key')]
    if (services.length > 0) serviceIds = services
    if (keys.length > 0) [fromId, toId] = [Math.max(fromId, Math.min(...keys)), Math.min(toId, Math.max(...keys) + 1)]
    if (demand.kind === 'from' && demand.field === 'analysis_key') fromId = Math.max(fromId, demand.value)
    if (demand.kind === 'before' && demand.field === 'analysis_key') toId = Math.min(toId, demand.value)
  }
  return { serviceIds, fromId, toId }
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
