import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { dayLength as day, hourLength as hour } from '../domain/calendars/durations.ts'
import { analysisIdAt } from '../domain/judging/analysis-id.ts'
import type { PerformanceDivision, Section } from '../domain/service-level/chart.ts'
import { checksOf, counted, measures } from './roll-ups.ts'

/** The sums behind a point of a performance chart. */
export interface PerformanceSums {
  /** Number of the step since 1970. */
  readonly number: number
  readonly ok_checks: number
  readonly error_checks: number
  readonly timed_checks: number
  readonly response_time_sum: number
  readonly response_time_minimum: number | null
  readonly response_time_maximum: number | null
}

async function stepsOf(
  executor: Executor,
  serviceId: number,
  { grain, fromAt, toAt }: Section,
  step: number,
): Promise<Sql> {
  if (grain === 'analyses') {
    const checks = await checksOf(executor, serviceId, analysisIdAt(fromAt), analysisIdAt(toAt))
    return sql`select at / ${step}::bigint as number, ${counted} from (${checks}) checks group by 1`
  }
  const [table, period, length] =
    grain === 'hours' ? (['hourly_performance', 'hour', hour] as const) : (['daily_performance', 'day', day] as const)
  return sql`
    select ${raw(period)} / ${step / length}::int as number, ${raw(measures.join(', '))} from ${raw(table)}
    where service_id = ${serviceId} and ${raw(period)} >= ${fromAt / length} and ${raw(period)} < ${toAt / length}`
}

/** The sums of each step with any check, in order. */
export async function performanceOf(
  executor: Executor,
  serviceId: number,
  { sections, step }: PerformanceDivision,
): Promise<PerformanceSums[]> {
  if (sections.length === 0) return []
  const parts = await Promise.all(sections.map((section) => stepsOf(executor, serviceId, section, step)))
  return executor.query<PerformanceSums>(sql`
    select number, sum(ok_checks) as ok_checks, sum(error_checks) as error_checks, sum(timed_checks) as timed_checks,
      sum(response_time_sum) as response_time_sum, min(response_time_minimum) as response_time_minimum,
      max(response_time_maximum) as response_time_maximum
    from (${join(parts, ' union all ')}) parts group by number order by number`)
}

export interface SensorChecks {
  readonly sensor_id: number
  readonly ok: number
  readonly error: number
  readonly unknown: number
}

async function sensorPart(
  executor: Executor,
  serviceId: number,
  { grain, fromAt, toAt }: Section,
  firstId: number,
): Promise<Sql> {
  if (grain === 'days') {
    return sql`
      select sensor_id, ok_checks, error_checks, unknown_checks from daily_performance
      where service_id = ${serviceId} and day >= ${fromAt / day} and day < ${toAt / day}`
  }
  const checks = await checksOf(executor, serviceId, Math.max(firstId, analysisIdAt(fromAt)), analysisIdAt(toAt))
  return sql`
    select sensor_id, (result = 'o')::int, (result = 'e')::int, (result = 'u')::int from (${checks}) checks`
}

/** Checks of each sensor in the sections of a range that begins with the analysis of `firstId`. */
export async function sensorChecksOf(
  executor: Executor,
  serviceId: number,
  range: { readonly firstId: number; readonly sections: readonly Section[] },
): Promise<SensorChecks[]> {
  if (range.sections.length === 0) return []
  const parts = await Promise.all(
    range.sections.map((section) => sensorPart(executor, serviceId, section, range.firstId)),
  )
  return executor.query<SensorChecks>(sql`
    select sensor_id, sum(ok_checks)::int as ok, sum(error_checks)::int as error, sum(unknown_checks)::int as unknown
    from (${join(parts, ' union all ')}) as parts (sensor_id, ok_checks, error_checks, unknown_checks)
    group by sensor_id order by sensor_id`)
}
