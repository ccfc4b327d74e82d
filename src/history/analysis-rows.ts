import sql, { type Sql } from 'sql-template-tag'
import type { PackedAnalysis } from './packed/analysis.ts'

/** One row of `analyses_hot`. */
export interface StoredAnalysis extends PackedAnalysis {
  readonly serviceId: number
}

export const analysisColumns = sql`service_id, analysis_id, verdict, error_tolerance, sensor_ids, results, time_offsets,
  response_times, data_sizes, phases, failures, step_set_id, step_times`

/**
 * The lists differ in length between rows, which an SQL array of arrays cannot express, so each travels as text inside
 * a text[]. It is serialised by hand because pg looks for quotes in every item, and numbers and letters have none.
 */
function lists(rows: readonly StoredAnalysis[], pick: (row: StoredAnalysis) => readonly (number | string)[]): string {
  return `{${rows.map((row) => `"{${pick(row).join(',')}}"`).join(',')}}`
}

/** A list of numbers and plain words. */
function list(rows: readonly StoredAnalysis[], pick: (row: StoredAnalysis) => number | string | null): string {
  return `{${rows.map((row) => pick(row) ?? 'NULL').join(',')}}`
}

/** A select of the rows, with the columns of `analyses_hot`. */
export function selectOf(rows: readonly StoredAnalysis[]): Sql {
  return sql`
    select service_id, analysis_id, verdict, error_tolerance, sensor_ids::integer[], results::"char"[],
      time_offsets::integer[], response_times::integer[], data_sizes::integer[], phases::integer[], failures::jsonb,
      step_set_id, nullif(step_times, '{}')::integer[] as step_times
    from unnest(
      ${list(rows, (row) => row.serviceId)}::integer[], ${list(rows, (row) => row.analysisId)}::bigint[],
      ${list(rows, (row) => row.verdict)}::text[], ${list(rows, (row) => row.errorTolerance)}::smallint[],
      ${lists(rows, (row) => row.sensorIds)}::text[], ${lists(rows, (row) => row.results)}::text[],
      ${lists(rows, (row) => row.timeOffsets)}::text[], ${lists(rows, (row) => row.responseTimes)}::text[],
      ${lists(rows, (row) => row.dataSizes)}::text[], ${lists(rows, (row) => row.phases)}::text[],
      ${rows.map((row) => row.failures)}::text[], ${list(rows, (row) => row.stepSetId)}::bigint[],
      ${lists(rows, (row) => row.stepTimes ?? [])}::text[]
    ) as row (${analysisColumns})`
}
