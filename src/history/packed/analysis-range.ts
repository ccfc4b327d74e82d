import { setImmediate } from 'node:timers/promises'
import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { analysisDayOf } from '../../domain/judging/analysis-id.ts'
import { recentAnalyses } from '../analyses.ts'
import { analysisColumns, type StoredAnalysis, selectOf } from '../analysis-rows.ts'
import type { Detail, PackedAnalysis } from './analysis.ts'
import { type AnalysisColumns, columnsOfAnalyses } from './analysis-columns.ts'
import { hotAnalyses } from './hot-rows.ts'
import { openStored, type StoredDay, unpackStored } from './stored-day.ts'

/** The requested analyses: of these services, with ids in [fromId, toId). */
export interface AnalysisRange {
  readonly serviceIds: readonly number[]
  readonly fromId: number
  readonly toId: number
  /** Only those with an error or unknown check. */
  readonly onlyFailed?: boolean
  /** By default everything. */
  readonly detail?: Detail
}

async function readDays(
  executor: Executor,
  { serviceIds, fromId, toId, onlyFailed = false }: AnalysisRange,
): Promise<StoredDay[]> {
  if (serviceIds.length === 0 || toId <= fromId) return []
  return executor.query<StoredDay>(
    sql`
      select service_id, day, data from packed_days
      where service_id = any(${serviceIds}::int[]) and day >= ${analysisDayOf(fromId)}::int and day <= ${analysisDayOf(toId - 1)}::int
        and (failed_analyses > 0 or not ${onlyFailed}::boolean)
      order by service_id, day`,
    'read-packed-days',
  )
}

function isWithin(
  { analysisId, failures }: PackedAnalysis,
  { fromId, toId, onlyFailed = false }: AnalysisRange,
): boolean {
  return analysisId >= fromId && analysisId < toId && (failures !== null || !onlyFailed)
}

/** Lets other work run between two days: forty of them take a hundred milliseconds. */
async function forEach(
  days: readonly StoredDay[],
  reach: AnalysisRange,
  take: (analysis: PackedAnalysis, serviceId: number) => void,
): Promise<void> {
  for (const [index, stored] of days.entries()) {
    if (index > 0) await setImmediate()
    for (const analysis of unpackStored(stored, reach.detail))
      if (isWithin(analysis, reach)) take(analysis, stored.service_id)
  }
}

/**
 * A source of the analyses, for a FROM: a table with the columns of `analyses_hot`, over the last days and the packed
 * ones. An analysis that is in both for a while appears once. Use the statement at once: an hour later, days packed
 * meanwhile would be missing. Throws `UnreadableDay`.
 */
export async function analysesWithin(executor: Executor, reach: AnalysisRange): Promise<Sql> {
  const rows: StoredAnalysis[] = []
  await forEach(await readDays(executor, reach), reach, (analysis, serviceId) => rows.push({ ...analysis, serviceId }))
  if (rows.length === 0) return recentAnalyses
  // A packed day is whole, so the only analysis that is asked for has been found.
  if (reach.toId - reach.fromId === 1 && reach.serviceIds.length === 1) return sql`(${selectOf(rows)})`
  return sql`(
    with packed as materialized (${selectOf(rows)})
    select ${analysisColumns} from analyses_hot hot
    where hot.service_id = any(${reach.serviceIds}::int[])
      and hot.analysis_id >= ${reach.fromId}::bigint and hot.analysis_id < ${reach.toId}::bigint
      and not exists (select from packed p where p.service_id = hot.service_id and p.analysis_id = hot.analysis_id)
    union all select ${analysisColumns} from packed)`
}

/**
 * The same analyses in memory, in a fifth of the time of passing packed days to the database. It includes further
 * analyses of the same days, so readers must filter. Null if none of the days is packed: then the table alone has them
 * all. Throws `UnreadableDay`.
 */
export async function columnsWithin(
  executor: Executor,
  reach: AnalysisRange,
): Promise<readonly ServiceColumns[] | null> {
  const { parts, packedDays } = await readColumns(executor, reach)
  return packedDays === 0 ? null : parts
}

/** The same, also if the table alone has them. */
export async function allColumnsWithin(executor: Executor, reach: AnalysisRange): Promise<readonly ServiceColumns[]> {
  return (await readColumns(executor, reach)).parts
}

interface ReadColumns {
  readonly parts: readonly ServiceColumns[]
  readonly packedDays: number
}

async function readColumns(executor: Executor, reach: AnalysisRange): Promise<ReadColumns> {
  const condition = sql`analysis_id >= ${reach.fromId}::bigint and analysis_id < ${reach.toId}::bigint
    and (failures is not null or not ${reach.onlyFailed ?? false}::boolean)`
  const { serviceIds, detail = 'everything' } = reach
  // Both orders find every analysis, because a packed one stays in the table for an hour.
  const [days, hot] = await Promise.all([
    readDays(executor, reach),
    hotAnalyses(executor, serviceIds, condition, { detail, name: `read-hot-${detail}` }),
  ])
  const parts: ServiceColumns[] = []
  for (const [index, stored] of days.entries()) {
    if (index > 0) await setImmediate()
    parts.push({ serviceId: stored.service_id, columns: openStored(stored) })
  }
  return { parts: hot.size === 0 ? parts : [...parts, ...notAmong(parts, hot)], packedDays: days.length }
}

/** Analyses of one service. */
export interface ServiceColumns {
  readonly serviceId: number
  readonly columns: AnalysisColumns
}

/** The analyses of the table that are not packed too. */
function notAmong(parts: readonly ServiceColumns[], hot: ReadonlyMap<number, readonly PackedAnalysis[]>) {
  return Array.from(hot, ([serviceId, analyses]): ServiceColumns => {
    const own = parts.filter((part) => part.serviceId === serviceId)
    const packed = new Set(own.flatMap(({ columns }) => Array.from(columns.ids())))
    return { serviceId, columns: columnsOfAnalyses(analyses.filter(({ analysisId }) => !packed.has(analysisId))) }
  })
}
