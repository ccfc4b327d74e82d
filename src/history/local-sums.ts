import sql, { raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { dayLength as day, hourLength as hour } from '../domain/calendars/durations.ts'
import { analysisIdAt } from '../domain/judging/analysis-id.ts'
import type { LocalPiece } from '../domain/reports/report-time.ts'
import { analysesWithin } from './packed/analysis-range.ts'
import { counted, measures } from './roll-ups.ts'

/**
 * Sums over the checks of one hour of the day, or of one day of the week; the other is null. Response times in
 * milliseconds.
 */
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

/** Whole hours come from their sums, the rest from the analyses, as far back as those are kept. */
export async function readLocalSums(
  executor: Executor,
  serviceIds: readonly number[],
  pieces: readonly LocalPiece[],
): Promise<LocalSums[]> {
  const whole = pieces.filter((piece) => piece.isWholeHour)
  const sums = await sumHours(executor, serviceIds, whole)
  const rests = byDay(pieces.filter((piece) => !piece.isWholeHour))
  for (const ofDay of rests) sums.push(...(await sumAnalyses(executor, serviceIds, ofDay)))
  return rests.length === 0 ? sums : united(sums)
}

/** In a zone whose hours do not match UTC hours, the rests of a month are too many analyses to read at once. */
function byDay(pieces: readonly LocalPiece[]): readonly (readonly LocalPiece[])[] {
  const days = new Map<number, LocalPiece[]>()
  for (const piece of pieces) {
    const number = Math.floor(piece.fromAt / day)
    const known = days.get(number)
    if (known === undefined) days.set(number, [piece])
    else known.push(piece)
  }
  return [...days.values()]
}

const measured = raw(measures.join(', '))

/**
 * Grouped by the hour of the day, and by the day of the week. The parts are materialized first, because a cluster
 * computes two groupings at once on one machine only.
 */
function grouped(pieces: Sql, parts: Sql): Sql {
  return sql`
    with ${pieces}, parts as materialized (${parts})
    select service_id, hour, day_of_week, sum(ok_checks)::int as ok_checks, sum(error_checks)::int as error_checks,
      sum(unknown_checks)::int as unknown_checks, sum(timed_checks)::int as timed_checks,
      sum(response_time_sum)::bigint as response_time_sum, min(response_time_minimum) as response_time_minimum,
      max(response_time_maximum) as response_time_maximum
    from parts group by grouping sets ((service_id, hour), (service_id, day_of_week))`
}

function sumHours(
  executor: Executor,
  serviceIds: readonly number[],
  pieces: readonly LocalPiece[],
): Promise<LocalSums[]> {
  const hours = sql`hours as (
      select * from unnest(${pieces.map(({ fromAt }) => fromAt / hour)}::int[], ${pieces.map((piece) => piece.hour)}::int[],
        ${pieces.map(({ dayOfWeek }) => dayOfWeek)}::int[]) as piece (utc_hour, hour, day_of_week))`
  const parts = sql`
      select p.service_id, hours.hour, hours.day_of_week, ${measured}
      from hours join hourly_performance p on p.hour = hours.utc_hour
      where p.service_id = any(${serviceIds}::int[]) and p.hour >= (select min(utc_hour) from hours)
        and p.hour <= (select max(utc_hour) from hours)`
  return executor.query<LocalSums>(grouped(hours, parts))
}

async function sumAnalyses(
  executor: Executor,
  serviceIds: readonly number[],
  pieces: readonly LocalPiece[],
): Promise<LocalSums[]> {
  const [fromIds, toIds] = [
    pieces.map(({ fromAt }) => analysisIdAt(fromAt)),
    pieces.map(({ toAt }) => analysisIdAt(toAt)),
  ]
  const reach = { serviceIds, fromId: Math.min(...fromIds), toId: Math.max(...toIds), detail: 'measures' } as const
  const analyses = await analysesWithin(executor, reach)
  const rests = sql`rests as (
      select * from unnest(${fromIds}::bigint[], ${toIds}::bigint[], ${pieces.map((piece) => piece.hour)}::int[],
        ${pieces.map(({ dayOfWeek }) => dayOfWeek)}::int[]) as piece (from_id, to_id, hour, day_of_week))`
  const parts = sql`
      select a.service_id, rests.hour, rests.day_of_week, checked.*
      from rests join ${analyses} a on a.analysis_id >= rests.from_id and a.analysis_id < rests.to_id
      cross join lateral (
        select ${counted} from unnest(a.results, a.response_times) as c (result, response_time)) checked
      where a.service_id = any(${serviceIds}::int[])`
  return executor.query<LocalSums>(grouped(rests, parts))
}

/** Null if both are. */
export function leastOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b)
}

/** Null if both are. */
export function greatestOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}

function added(a: LocalSums, b: LocalSums): LocalSums {
  return {
    ...a,
    ok_checks: a.ok_checks + b.ok_checks,
    error_checks: a.error_checks + b.error_checks,
    unknown_checks: a.unknown_checks + b.unknown_checks,
    timed_checks: a.timed_checks + b.timed_checks,
    response_time_sum: a.response_time_sum + b.response_time_sum,
    response_time_minimum: leastOf(a.response_time_minimum, b.response_time_minimum),
    response_time_maximum: greatestOf(a.response_time_maximum, b.response_time_maximum),
  }
}

function united(sums: readonly LocalSums[]): LocalSums[] {
  const known = new Map<string, LocalSums>()
  for (const one of sums) {
    const key = `${one.service_id} ${one.hour} ${one.day_of_week}`
    const other = known.get(key)
    known.set(key, other === undefined ? one : added(other, one))
  }
  return [...known.values()]
}
