import type { Sql } from 'sql-template-tag'
import { analysisIdAt } from '../../domain/judging/analysis-id.ts'
import type { Columns } from '../../domain/queries/columns.ts'
import { all, always, before, type Condition, from } from '../../domain/queries/condition.ts'
import { recentAnalyses } from '../../history/analyses.ts'
import type { Detail } from '../../history/packed/analysis.ts'
import type { AnalysisColumns } from '../../history/packed/analysis-columns.ts'
import { type AnalysisRange, analysesWithin, columnsWithin } from '../../history/packed/analysis-range.ts'
import { packingDelay } from '../../history/packed/pack-days.ts'
import { columnsSource, prepared, type RangeParameters, type Source, view } from '../../rest/declare.ts'

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

type Bounds = Pick<AnalysisRange, 'serviceIds' | 'fromId' | 'toId'>

/** The conditions that every row of the result meets. */
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
  /** The detail that the select reads of the analyses; by default everything. */
  readonly detail?: Detail
  /** Whether only checks that were not ok can hold the condition. */
  readonly onlyFailed?: (where: Condition) => boolean
  /** Makes the select's rows from analyses in memory. */
  readonly rows?: (analyses: AnalysisColumns, serviceId: number) => Columns
}

/** Rows of one service's history, wherever its days are stored. `select` gets the source of the analyses. */
export function historyView(
  select: (analyses: Sql, onlyFailed: boolean, serviceIds: readonly number[]) => Sql,
  { detail = 'everything', onlyFailed = () => false, rows }: HistoryReading = {},
): Source {
  return prepared(async ({ database, nowAt }, where, inMemory) => {
    const isOnlyFailed = onlyFailed(where)
    const reach = { ...boundsOf(where), detail, onlyFailed: isOnlyFailed }
    const from = (analyses: Sql) => view(() => select(analyses, isOnlyFailed, reach.serviceIds))
    if (reach.fromId >= analysisIdAt(nowAt - packingDelay)) return from(recentAnalyses)
    if (rows === undefined || !inMemory) return from(await analysesWithin(database, reach))
    const found = await columnsWithin(database, reach)
    if (found === null) return from(recentAnalyses)
    return columnsSource(found.map(({ columns, serviceId }) => rows(columns, serviceId)))
  })
}
