/**
 * Hourly sums of the steps of scenarios, beside those of the history (roll-ups.ts). A step that was not run is not
 * counted.
 */

import sql, { join, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { hourLength as hour } from '../domain/calendars/durations.ts'
import { analysisIdAt, analysisTimeOf } from '../domain/judging/analysis-id.ts'
import type { PerformanceDivision, Section } from '../domain/service-level/chart.ts'
import type { AnalysisRow } from './analyses.ts'
import { analysesWithin } from './packed/analysis-range.ts'
import { isFailedStep, notRun, stepSetId, stepsView } from './step-history.ts'

interface Sums {
  readonly serviceId: number
  /** Hours since 1970. */
  readonly hour: number
  readonly setId: number
  readonly step: number
  ok: number
  error: number
  responseTimeSum: number
  minimum: number | null
  maximum: number | null
}

function sumsOf(analyses: readonly AnalysisRow[]): readonly Sums[] {
  const kept = new Map<string, Sums>()
  for (const { serviceId, analysisId, steps } of analyses) {
    if (!steps) continue
    const place = { serviceId, hour: Math.floor(analysisTimeOf(analysisId) / hour), setId: stepSetId(steps.names) }
    for (const [index, time] of steps.times.entries()) {
      if (time === notRun) continue
      const step = index % steps.names.length
      const key = `${serviceId} ${place.hour} ${place.setId} ${step}`
      const sums = kept.get(key) ?? {
        ...place,
        step,
        ok: 0,
        error: 0,
        responseTimeSum: 0,
        minimum: null,
        maximum: null,
      }
      kept.set(key, sums)
      if (isFailedStep(time)) {
        sums.error++
        continue
      }
      sums.ok++
      sums.responseTimeSum += time
      sums.minimum = Math.min(sums.minimum ?? time, time)
      sums.maximum = Math.max(sums.maximum ?? time, time)
    }
  }
  return [...kept.values()].sort(
    (a, b) => a.serviceId - b.serviceId || a.hour - b.hour || a.setId - b.setId || a.step - b.step,
  )
}

/** Adds the steps of newly inserted analyses to the sums. */
export async function addStepsToRollUps(transaction: Executor, analyses: readonly AnalysisRow[]): Promise<void> {
  const rows = sumsOf(analyses)
  if (rows.length === 0) return
  const column = <Key extends keyof Sums>(key: Key) => rows.map((row) => row[key])
  await transaction.execute(sql`
    insert into hourly_step_performance as kept (service_id, hour, set_id, step, ok_checks, error_checks,
      response_time_sum, response_time_minimum, response_time_maximum)
    select * from unnest(
      ${column('serviceId')}::integer[], ${column('hour')}::integer[], ${column('setId')}::bigint[],
      ${column('step')}::smallint[], ${column('ok')}::integer[], ${column('error')}::integer[],
      ${column('responseTimeSum')}::bigint[], ${column('minimum')}::integer[], ${column('maximum')}::integer[])
    on conflict (service_id, hour, set_id, step) do update set
      ok_checks = kept.ok_checks + excluded.ok_checks, error_checks = kept.error_checks + excluded.error_checks,
      response_time_sum = kept.response_time_sum + excluded.response_time_sum,
      response_time_minimum = least(kept.response_time_minimum, excluded.response_time_minimum),
      response_time_maximum = greatest(kept.response_time_maximum, excluded.response_time_maximum)`)
}

/** Sums over rows of `stepsView`. */
const counted = sql`
  count(*) filter (where result = 'ok')::int as ok_checks, count(*) filter (where result = 'error')::int as error_checks,
  coalesce(sum(response_time) filter (where result = 'ok'), 0)::bigint as response_time_sum,
  min(response_time) filter (where result = 'ok') as response_time_minimum,
  max(response_time) filter (where result = 'ok') as response_time_maximum`

async function stepsOf(executor: Executor, serviceId: number, fromAt: number, toAt: number): Promise<Sql> {
  const [fromId, toId] = [analysisIdAt(fromAt), analysisIdAt(toAt)]
  const analyses = await analysesWithin(executor, { serviceIds: [serviceId], fromId, toId })
  return sql`
    select * from (${stepsView(analyses)}) steps
    where service_id = ${serviceId} and analysis_key >= ${fromId} and analysis_key < ${toId}`
}

/** Rebuilds the sums of [fromAt, toAt), whole hours, from the existing analyses. */
export async function rebuildStepRollUps(
  transaction: Executor,
  serviceId: number,
  { fromAt, toAt }: { readonly fromAt: number; readonly toAt: number },
): Promise<void> {
  await transaction.execute(sql`
    delete from hourly_step_performance
    where service_id = ${serviceId} and hour >= ${fromAt / hour} and hour < ${toAt / hour}`)
  await transaction.execute(sql`
    insert into hourly_step_performance (service_id, hour, set_id, step, ok_checks, error_checks, response_time_sum,
      response_time_minimum, response_time_maximum)
    select steps.service_id, (steps.analysis_key / 100 / ${hour})::int, steps.step_set_id, steps.step, ${counted}
    from (${await stepsOf(transaction, serviceId, fromAt, toAt)}) steps
    where steps.result <> 'not_run'
    group by 1, 2, 3, 4`)
}

/** The sums behind a point of a step's chart. */
export interface StepSums {
  readonly path_step: string
  /** The number of the chart's time step since 1970. */
  readonly number: number
  readonly ok_checks: number
  readonly error_checks: number
  readonly response_time_sum: number
  readonly response_time_minimum: number | null
  readonly response_time_maximum: number | null
}

async function pointsOf(
  executor: Executor,
  serviceId: number,
  { grain, fromAt, toAt }: Section,
  step: number,
): Promise<Sql> {
  if (grain === 'analyses') {
    return sql`
      select path_step, analysis_key / 100 / ${step}::bigint as number, ${counted}
      from (${await stepsOf(executor, serviceId, fromAt, toAt)}) steps group by 1, 2`
  }
  // Days are whole hours too.
  return sql`
    select s.names[p.step + 1] as path_step, p.hour / ${step / hour}::int as number, p.ok_checks, p.error_checks,
      p.response_time_sum, p.response_time_minimum, p.response_time_maximum
    from hourly_step_performance p join path_step_sets s on s.service_id = p.service_id and s.set_id = p.set_id
    where p.service_id = ${serviceId} and p.hour >= ${fromAt / hour} and p.hour < ${toAt / hour}`
}

/**
 * The sums of each step of the scenarios by name, in order of time. Steps of one name are combined, whichever scenario
 * they belong to.
 */
export async function stepPerformanceOf(
  executor: Executor,
  serviceId: number,
  { sections, step }: PerformanceDivision,
): Promise<StepSums[]> {
  if (sections.length === 0) return []
  const parts = await Promise.all(sections.map((section) => pointsOf(executor, serviceId, section, step)))
  return executor.query<StepSums>(sql`
    select path_step, number, sum(ok_checks)::int as ok_checks, sum(error_checks)::int as error_checks,
      sum(response_time_sum) as response_time_sum, min(response_time_minimum) as response_time_minimum,
      max(response_time_maximum) as response_time_maximum
    from (${join(parts, ' union all ')}) parts group by path_step, number
    having sum(ok_checks) + sum(error_checks) > 0 order by path_step, number`)
}
