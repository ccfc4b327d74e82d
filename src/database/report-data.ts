import sql from 'sql-template-tag'
import type { ChartRange } from '../domain/chart.ts'
import type { LocalPiece } from '../domain/report-time.ts'
import type { LevelChange, LevelCorrection } from '../domain/service-level.ts'
import type { State } from '../domain/status-change.ts'
import { analysisIdAt } from './analysis-id.ts'
import type { Executor } from './connect.ts'
import { counted } from './roll-ups.ts'

/** What reports are computed from, of many services at once. */

export interface LevelHistory {
  readonly createdAt: number
  readonly changes: readonly LevelChange[]
  readonly corrections: readonly LevelCorrection[]
}

interface LevelRow {
  readonly service_id: number
  readonly created_at: number
  /** Null for a period of the history. */
  readonly id: number | null
  /** Null for a service without either. */
  readonly status: State | null
  readonly start_time: number
  readonly end_time: number | null
}

/**
 * By service: the periods and corrections that touch the range, as they are at one moment. Periods touch, so the one that holds at the
 * beginning is the last that began before it: older ones are not looked at. A service that is gone is left out.
 */
export async function readLevelHistories(
  executor: Executor,
  serviceIds: readonly number[],
  { fromAt, toAt }: ChartRange,
): Promise<ReadonlyMap<number, LevelHistory>> {
  const [from, to] = [sql`${new Date(fromAt)}::timestamptz`, sql`${new Date(toAt)}::timestamptz`]
  const rows = await executor.query<LevelRow>(sql`
    select s.id as service_id, s.created_at, told.* from services s left join lateral (
      select null::bigint as id, status, start_time, end_time from status_changes
      where service_id = s.id and start_time < ${to} and start_time >= coalesce(
        (select max(start_time) from status_changes where service_id = s.id and start_time <= ${from}), ${from})
      union all
      select id, status, start_time, end_time from corrections
      where service_id = s.id and start_time < ${to} and end_time > ${from}) told on true
    where s.id = any(${serviceIds}::int[])
    order by s.id, told.start_time, told.end_time`)
  const histories = new Map<number, { createdAt: number; changes: LevelChange[]; corrections: LevelCorrection[] }>()
  for (const { service_id, created_at, id, status, start_time: startAt, end_time: endAt } of rows) {
    const history = histories.get(service_id) ?? { createdAt: created_at, changes: [], corrections: [] }
    histories.set(service_id, history)
    if (status === null) continue
    if (id === null) history.changes.push({ status, startedAt: startAt, endedAt: endAt })
    else if (endAt !== null) history.corrections.push({ id, status, startAt, endAt })
  }
  return histories
}

/** Of the checks of one hour of the day, or of one day of the week: the other is null. Response times in milliseconds. */
export interface LocalSums {
  readonly service_id: number
  readonly hour: number | null
  readonly day_of_week: number | null
  readonly ok_checks: number
  readonly error_checks: number
  readonly unknown_checks: number
  readonly timed_checks: number
  readonly response_time_sum: number
  readonly response_time_minimum: number | null
  readonly response_time_maximum: number | null
}

const hour = 3_600_000

/** Whole hours come from their sums, the rest from the analyses: as far back as those are kept. */
export async function readLocalSums(
  executor: Executor,
  serviceIds: readonly number[],
  pieces: readonly LocalPiece[],
): Promise<LocalSums[]> {
  const ids = sql`${serviceIds}::int[]`
  const [whole, rest] = [pieces.filter((piece) => piece.isWholeHour), pieces.filter((piece) => !piece.isWholeHour)]
  return executor.query<LocalSums>(sql`
    with hours as (
      select * from unnest(${whole.map(({ fromAt }) => fromAt / hour)}::int[], ${whole.map((piece) => piece.hour)}::int[],
        ${whole.map(({ dayOfWeek }) => dayOfWeek)}::int[]) as piece (utc_hour, hour, day_of_week)
    ), rests as (
      select * from unnest(${rest.map(({ fromAt }) => analysisIdAt(fromAt))}::bigint[],
        ${rest.map(({ toAt }) => analysisIdAt(toAt))}::bigint[], ${rest.map((piece) => piece.hour)}::int[],
        ${rest.map(({ dayOfWeek }) => dayOfWeek)}::int[]) as piece (from_id, to_id, hour, day_of_week)
    ), parts as (
      select p.service_id, hours.hour, hours.day_of_week, ok_checks, error_checks, unknown_checks, timed_checks,
        response_time_sum, response_time_minimum, response_time_maximum
      from hours join hourly_performance p on p.hour = hours.utc_hour
      where p.service_id = any(${ids}) and p.hour >= (select min(utc_hour) from hours)
        and p.hour <= (select max(utc_hour) from hours)
      union all
      select a.service_id, rests.hour, rests.day_of_week, measured.*
      from rests join analyses_hot a on a.analysis_id >= rests.from_id and a.analysis_id < rests.to_id
      cross join lateral (
        select ${counted} from unnest(a.results, a.response_times) as c (result, response_time)) measured
      where a.service_id = any(${ids})
    )
    select service_id, hour, day_of_week, sum(ok_checks)::int as ok_checks, sum(error_checks)::int as error_checks,
      sum(unknown_checks)::int as unknown_checks, sum(timed_checks)::int as timed_checks,
      sum(response_time_sum)::bigint as response_time_sum, min(response_time_minimum) as response_time_minimum,
      max(response_time_maximum) as response_time_maximum
    from parts group by grouping sets ((service_id, hour), (service_id, day_of_week))`)
}
