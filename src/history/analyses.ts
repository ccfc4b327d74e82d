import sql, { raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { storable } from '../domain/input/storable.ts'
import { analysisColumns, type StoredAnalysis, selectOf } from './analysis-rows.ts'
import { forgetNotes } from './packed/notes.ts'
import { keepStepNames, type StepRow, stepSetId } from './step-history.ts'

/** The stored details of a check that was not ok. Further members are returned as they are. */
export interface CheckFailure {
  readonly error_type_id: number | null
  readonly error_message: string | null
  readonly [detail: string]: unknown
}

/** One analysis with its checks. The arrays run in parallel, one item per sensor; `phases` holds six per sensor. */
export interface AnalysisRow {
  readonly serviceId: number
  readonly analysisId: number
  readonly verdict: 'ok' | 'failure' | 'none'
  /** Percent. */
  readonly errorTolerance: number
  readonly sensorIds: readonly number[]
  /** ok, error, unknown. */
  readonly results: readonly ('o' | 'e' | 'u')[]
  /** Milliseconds from the decision to the check's start, so not positive. */
  readonly timeOffsets: readonly number[]
  /** Milliseconds; -1 if nothing was measured. */
  readonly responseTimes: readonly number[]
  /** Bytes; -1 if nothing was measured. */
  readonly dataSizes: readonly number[]
  /** Microseconds of dns, connect, tls, sent, first byte, transfer; -1 for a part that was not reached. */
  readonly phases: readonly number[]
  /** By sensor id. */
  readonly failures: Readonly<Record<string, CheckFailure>> | null
  /** Only for a scenario. */
  readonly steps?: StepRow | null
}

function jsonOf(failures: AnalysisRow['failures']): string | null {
  if (failures === null) return null
  const text = JSON.stringify(failures)
  return /\\u(0000|d[89a-f])/.test(text)
    ? JSON.stringify(failures, (_key, value: unknown) => (typeof value === 'string' ? storable(value) : value))
    : text
}

const insertName = 'insert-analyses'

/** The stored form of the analysis. */
export function stored({ failures, steps, ...row }: AnalysisRow): StoredAnalysis {
  const step = { stepSetId: steps ? stepSetId(steps.names) : null, stepTimes: steps?.times ?? null }
  return { ...row, ...step, failures: jsonOf(failures) }
}

/**
 * Writes finished analyses in one statement. Existing ones stay unchanged, so a write whose answer was lost may be
 * repeated. A day that was packed before is marked for packing again. Returns the new analyses.
 */
export async function insertAnalyses(
  transaction: Executor,
  rows: readonly AnalysisRow[],
): Promise<readonly AnalysisRow[]> {
  const fresh = await insertUnmarked(transaction, rows)
  if (fresh.length > 0) {
    await forgetNotes(
      transaction,
      fresh.map((row) => row.analysisId),
    )
  }
  return fresh
}

/** The same, without marking packed days: their records lie in a table that no other machine of a cluster has. */
export async function insertUnmarked(
  executor: Executor,
  rows: readonly AnalysisRow[],
): Promise<readonly AnalysisRow[]> {
  if (rows.length === 0) return []
  // Rows of one shard are adjacent, and parallel writers take their locks in the same order.
  const ordered = rows.toSorted((a, b) => a.serviceId - b.serviceId || a.analysisId - b.analysisId)
  await keepStepNames(executor, ordered)
  const inserted = await executor.query<{ service_id: number; analysis_id: number }>(
    sql`
      insert into analyses_hot (${analysisColumns}) ${selectOf(ordered.map(stored))}
      on conflict do nothing returning service_id, analysis_id`,
    insertName,
  )
  if (inserted.length === ordered.length) return ordered
  const fresh = new Set(inserted.map((row) => `${row.service_id} ${row.analysis_id}`))
  // Removed when found: if a row was given twice, the first one was written.
  return ordered.filter((row) => fresh.delete(`${row.serviceId} ${row.analysisId}`))
}

/** `onlyFailed` reads the few rows with an error or unknown check from their own index. */
export interface HistoryView {
  readonly onlyFailed?: boolean
  /** The result of `analysesWithin`. Without it the view covers only the last days. */
  readonly analyses?: Sql
}

/** The table of the last days' analyses. */
export const recentAnalyses = raw('analyses_hot')

function source({ onlyFailed = false, analyses = recentAnalyses }: HistoryView): Sql {
  return onlyFailed ? sql`from ${analyses} a where a.failures is not null` : sql`from ${analyses} a`
}

/**
 * A select of the analyses, for a FROM. Always restrict `service_id` and a range of `analysis_key` (`analysisIdAt`).
 * The history is partitioned and indexed by that key, which also sorts by time.
 */
export function analysesView(view: HistoryView = {}): Sql {
  return sql`
    select a.service_id, a.analysis_id as analysis_key, lpad(a.analysis_id::text, 15, '0') as analysis_id,
      to_timestamp((a.analysis_id / 100)::double precision / 1000) as time,
      a.verdict = 'failure' as failure,
      cardinality(array_positions(a.results, 'o')) as ok_checks_count,
      cardinality(array_positions(a.results, 'e')) as error_checks_count,
      cardinality(array_positions(a.results, 'u')) as unknown_checks_count,
      a.error_tolerance
    ${source(view)}`
}

/**
 * A select of the checks, for a FROM, to be restricted like `analysesView`. A check's `time` is its own start, up to
 * some minutes before its analysis. For a range of check times, widen the upper key and filter by `time` too.
 */
export function checksView(view: HistoryView = {}): Sql {
  return sql`
    select a.service_id, a.analysis_key, lpad(a.analysis_key::text, 15, '0') as analysis_id, c.sensor_id,
      to_timestamp((a.analysis_key / 100 + c.time_offset)::double precision / 1000) as time,
      case c.result when 'o' then 'ok' when 'e' then 'error' else 'unknown' end as result,
      nullif(c.response_time, -1) as response_time,
      nullif(c.data_size, -1) as data_size,
      (c.failure->>'error_type_id')::integer as error_type_id,
      c.failure->>'error_message' as error_message,
      coalesce(c.failure->'artifacts' @> '[{"id": "har"}]', false) as har_available,
      c.failure->>'path_step' as path_step,
      c.phases,
      c.failure - 'error_type_id' - 'error_message' as details
    from (select a.*, a.analysis_id as analysis_key ${source(view)}) a
    cross join lateral (
      select u.sensor_id, u.result, u.time_offset, u.response_time, u.data_size,
        a.phases[(u.place - 1) * 6 + 1 : u.place * 6] as phases, a.failures->(u.sensor_id::text) as failure
      from unnest(a.sensor_ids, a.results, a.time_offsets, a.response_times, a.data_sizes)
        with ordinality as u (sensor_id, result, time_offset, response_time, data_size, place)
    ) c`
}
