import sql, { empty, type Sql } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import type { Detail, PackedAnalysis } from './analysis.ts'

/** A row of `analyses_hot`, with its lists of numbers in the database's own form. */
interface HotRow {
  readonly service_id: number
  readonly analysis_id: number
  readonly verdict: string
  readonly error_tolerance: number
  readonly sensor_ids: string
  readonly results: readonly string[]
  readonly time_offsets: string
  readonly response_times: string
  readonly data_sizes: string
  readonly phases: string
  readonly failures: string | null
  readonly step_set_id: number | null
  readonly step_times: string | null
}

function numbers(list: string): number[] {
  return JSON.parse(`[${list.slice(1, -1)}]`) as number[]
}

function analysisOf(row: HotRow): PackedAnalysis {
  return {
    analysisId: row.analysis_id,
    verdict: row.verdict,
    errorTolerance: row.error_tolerance,
    sensorIds: numbers(row.sensor_ids),
    results: row.results,
    timeOffsets: numbers(row.time_offsets),
    responseTimes: numbers(row.response_times),
    dataSizes: numbers(row.data_sizes),
    phases: numbers(row.phases),
    failures: row.failures,
    stepSetId: row.step_set_id,
    stepTimes: row.step_times === null ? null : numbers(row.step_times),
  }
}

const results = sql`service_id, analysis_id, verdict, error_tolerance, sensor_ids::text, results, failures::text`
const measures = sql`time_offsets::text, response_times::text, data_sizes::text`
const others = sql`phases::text, step_set_id, step_times::text`
const noMeasures = sql`'{}' as time_offsets, '{}' as response_times, '{}' as data_sizes`
const noOthers = sql`'{}' as phases, null as step_set_id, null as step_times`

const columns: Readonly<Record<Detail, Sql>> = {
  results: sql`${results}, ${noMeasures}, ${noOthers}`,
  measures: sql`${results}, ${measures}, ${noOthers}`,
  everything: sql`${results}, ${measures}, ${others}`,
}

interface HotReading {
  readonly detail?: Detail
  /** As in `Executor`. */
  readonly name?: string
  /** The largest number of analyses, the first ones; by default all. */
  readonly limit?: number
}

/** Analyses from `analyses_hot`, by service, in the order of their ids. */
export async function hotAnalyses(
  executor: Executor,
  serviceIds: readonly number[],
  condition: Sql,
  { detail = 'everything', name, limit }: HotReading = {},
): Promise<Map<number, PackedAnalysis[]>> {
  const statement = sql`
    select ${columns[detail]} from analyses_hot
    where service_id = any(${serviceIds}::int[]) and ${condition} order by service_id, analysis_id
    ${limit === undefined ? empty : sql`limit ${limit}`}`
  const rows = await executor.query<HotRow>(statement, name)
  const found = new Map<number, PackedAnalysis[]>()
  for (const row of rows) {
    const known = found.get(row.service_id)
    if (known === undefined) found.set(row.service_id, [analysisOf(row)])
    else known.push(analysisOf(row))
  }
  return found
}
