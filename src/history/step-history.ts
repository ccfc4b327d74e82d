/**
 * Steps of scenarios in the history. An analysis stores one number per sensor and step, and the set of step names at
 * that time, because a scenario may change. Each set of names is stored once per service.
 */
import { createHash } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'

/** The steps of one analysis. */
export interface StepRow {
  /** In the scenario's order. */
  readonly names: readonly string[]
  /** One per name for each sensor, in the order of the analysis's sensors (`stepTime`). */
  readonly times: readonly number[]
}

export interface Step {
  readonly result: 'ok' | 'error' | 'not_run'
  /** Milliseconds. */
  readonly responseTime: number | null
}

const longest = 2 ** 31 - 3
export const notRun = -1

/** A step as one number: its time if it was ok, -1 if it was not run, -2 minus its time if it failed. */
export function stepTime({ result, responseTime }: Step): number {
  if (result === 'not_run') return notRun
  const time = Math.min(longest, Math.max(0, Math.round(responseTime ?? 0)))
  return result === 'ok' ? time : -2 - time
}

/** True if a number of `stepTime` means a failed step. */
export function isFailedStep(time: number): boolean {
  return time < notRun
}

/** Equal names have the same id in every process; 48 bits, so it is an exact integer everywhere. */
export function stepSetId(names: readonly string[]): number {
  return createHash('sha256').update(JSON.stringify(names)).digest().readUIntBE(0, 6)
}

/** Stores new sets of step names of the analyses. */
export async function keepStepNames(
  transaction: Executor,
  analyses: readonly { readonly serviceId: number; readonly steps?: StepRow | null }[],
): Promise<void> {
  const sets = new Map<string, { serviceId: number; setId: number; names: readonly string[] }>()
  for (const { serviceId, steps } of analyses) {
    if (!steps) continue
    const setId = stepSetId(steps.names)
    sets.set(`${serviceId} ${setId}`, { serviceId, setId, names: steps.names })
  }
  if (sets.size === 0) return
  // Parallel writers take their locks in the same order.
  const rows = [...sets.values()].sort((a, b) => a.serviceId - b.serviceId || a.setId - b.setId)
  await transaction.execute(sql`
    insert into path_step_sets (service_id, set_id, names)
    select service_id, set_id, array(select jsonb_array_elements_text(names::jsonb))
    from unnest(${rows.map((row) => row.serviceId)}::integer[], ${rows.map((row) => row.setId)}::bigint[],
      ${rows.map((row) => JSON.stringify(row.names))}::text[]) as set (service_id, set_id, names)
    on conflict do nothing`)
}

/**
 * The step sets of these services, for a subquery that refers to rows of the statement around it. Citus refuses such a
 * subquery on a distributed table, but accepts one on rows that were read (materialized) before.
 */
export function stepSetsOf(serviceIds: readonly number[]): Sql {
  return sql`(
    with sets as materialized (select service_id, set_id, names from path_step_sets where service_id = any(${serviceIds}::int[]))
    select service_id, set_id, names from sets)`
}

/** A select of single steps, for a FROM, to be restricted like `checksView`; `step` counts from 0. */
export function stepsView(analyses: Sql = raw('analyses_hot'), stepSets: Sql = raw('path_step_sets')): Sql {
  return sql`
    select a.service_id, a.analysis_id as analysis_key, lpad(a.analysis_id::text, 15, '0') as analysis_id,
      a.sensor_ids[taken.seat] as sensor_id,
      to_timestamp((a.analysis_id / 100 + a.time_offsets[taken.seat])::double precision / 1000) as time,
      a.step_set_id, taken.step, s.names[taken.step + 1] as path_step,
      case when taken.value >= 0 then 'ok' when taken.value = ${notRun} then 'not_run' else 'error' end as result,
      case when taken.value >= 0 then taken.value when taken.value < ${notRun} then -2 - taken.value end as response_time
    from ${analyses} a join ${stepSets} s on s.service_id = a.service_id and s.set_id = a.step_set_id
    cross join lateral (
      select value, ((place - 1) % cardinality(s.names))::integer as step,
        ((place - 1) / cardinality(s.names) + 1)::integer as seat
      from unnest(a.step_times) with ordinality as u (value, place)
    ) taken`
}
