import sql, { raw, type Sql } from 'sql-template-tag'
import { analysisTimeOf } from '../analysis-id.ts'
import { analysisColumns, type StoredAnalysis, selectOf } from '../analysis-rows.ts'
import type { Executor } from '../connect.ts'
import { type PackedAnalysis, unpackDay } from './packed-day.ts'

const dayLength = 86_400_000

/** Which analyses are wanted: of these services, with ids in [fromId, toId). */
export interface Reach {
  readonly serviceIds: readonly number[]
  readonly fromId: number
  readonly toId: number
  /** Only those with an error or unknown check. */
  readonly onlyFailed?: boolean
  /** Without phases and steps, which weigh most. */
  readonly isBrief?: boolean
}

interface Day {
  readonly service_id: number
  readonly data: Buffer
}

function dayOf(analysisId: number): number {
  return Math.floor(analysisTimeOf(analysisId) / dayLength)
}

function readDays(executor: Executor, { serviceIds, fromId, toId, onlyFailed = false }: Reach): Promise<Day[]> {
  return executor.query<Day>(
    sql`
      select service_id, data from packed_days
      where service_id = any(${serviceIds}::int[]) and day >= ${dayOf(fromId)}::int and day <= ${dayOf(toId - 1)}::int
        and (failed_analyses > 0 or not ${onlyFailed}::boolean)
      order by service_id, day`,
    'read-packed-days',
  )
}

function isWithin({ analysisId, failures }: PackedAnalysis, { fromId, toId, onlyFailed = false }: Reach): boolean {
  return analysisId >= fromId && analysisId < toId && (failures !== null || !onlyFailed)
}

function unpacked(days: readonly Day[], reach: Reach): StoredAnalysis[] {
  return days.flatMap(({ service_id, data }) =>
    unpackDay(data, reach)
      .filter((analysis) => isWithin(analysis, reach))
      .map((analysis) => ({ ...analysis, serviceId: service_id })),
  )
}

/**
 * What to read the analyses from, for a FROM: a table with the columns of `analyses_hot`, over the last days and those packed. An analysis
 * that is in both for a while is there once. Statements with it are for now: an hour later the days packed meanwhile would be missing.
 * Throws `UnreadableDay`.
 */
export async function analysesWithin(executor: Executor, reach: Reach): Promise<Sql> {
  if (reach.serviceIds.length === 0 || reach.toId <= reach.fromId) return raw('analyses_hot')
  const rows = unpacked(await readDays(executor, reach), reach)
  if (rows.length === 0) return raw('analyses_hot')
  return sql`(
    with packed as materialized (${selectOf(rows)})
    select ${analysisColumns} from analyses_hot hot
    where hot.service_id = any(${reach.serviceIds}::int[])
      and hot.analysis_id >= ${reach.fromId}::bigint and hot.analysis_id < ${reach.toId}::bigint
      and not exists (select from packed p where p.service_id = hot.service_id and p.analysis_id = hot.analysis_id)
    union all select ${analysisColumns} from packed)`
}
