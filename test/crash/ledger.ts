import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { gridPhase } from '../../src/domain/judging/schedule.ts'
import { momentsOf } from './moments.ts'

/**
 * The database's required content for untouched services, computed from their analyses alone. Each function returns the
 * differences.
 */

interface AnalysisRow {
  readonly service_id: number
  readonly interval: number
  readonly analysis_id: number
  readonly verdict: 'ok' | 'failure' | 'none'
  readonly started_at: number
}

interface PeriodRow {
  readonly service_id: number
  readonly status: string
  readonly first_analysis_id: number | null
  readonly start_time: number
  readonly end_time: number | null
}

async function readAnalyses(database: Database, serviceIds: readonly number[]): Promise<Map<number, AnalysisRow[]>> {
  const rows = await database.query<AnalysisRow>(sql`
    select service_id, services.interval, analysis_id, verdict,
      (analysis_id / 100 + (select min(time_offset) from unnest(time_offsets) time_offset))::float8 as started_at
    from analyses_hot join services on services.id = service_id
    where service_id = any(${serviceIds}::int[]) order by service_id, analysis_id`)
  return grouped(rows)
}

function grouped<Row extends { readonly service_id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>()
  for (const row of rows) {
    const group = groups.get(row.service_id)
    if (group === undefined) groups.set(row.service_id, [row])
    else group.push(row)
  }
  return groups
}

function momentsOfService(analyses: readonly AnalysisRow[], { service_id, interval }: AnalysisRow) {
  const grid = { phase: gridPhase(service_id, interval), step: interval * 1000 }
  const rounds = analyses.map(({ analysis_id, started_at }) => ({ id: analysis_id, startedAt: started_at }))
  return { ...grid, ...momentsOf(rounds, grid) }
}

/** Moments of the grids that nobody analysed, from one moment up to another. Unix milliseconds. */
export async function missedRounds(
  database: Database,
  serviceIds: readonly number[],
  range: { readonly from: number; readonly to: number },
): Promise<number[]> {
  const missed: number[] = []
  for (const [, analyses] of await readAnalyses(database, serviceIds)) {
    const [first] = analyses
    if (first === undefined) continue
    const { step, phase, done } = momentsOfService(analyses, first)
    for (let moment = Math.ceil((range.from - phase) / step); moment * step + phase < range.to; moment += 1) {
      if (!done.has(moment)) missed.push(moment * step + phase)
    }
  }
  return missed.toSorted((a, b) => a - b)
}

/** The longest time that any of the services went without an analysis since a moment. Milliseconds. */
export async function longestSilence(database: Database, serviceIds: readonly number[], from: number): Promise<number> {
  const analyses = await readAnalyses(database, serviceIds)
  const silences = serviceIds.flatMap((id) => {
    const starts = (analyses.get(id) ?? []).map(({ started_at }) => started_at).filter((at) => at > from)
    return [from, ...starts].map((at, index) => (starts[index] ?? at) - at)
  })
  return Math.max(...silences)
}

/** Rounds whose moment of the grid was analysed before. */
export async function doubledRounds(database: Database, serviceIds: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  for (const [serviceId, analyses] of await readAnalyses(database, serviceIds)) {
    const [first] = analyses
    if (first === undefined) continue
    const { doubled } = momentsOfService(analyses, first)
    faults.push(...doubled.map(([before, id]) => `service ${serviceId}: ${before} and ${id} are of one moment`))
  }
  return faults
}

/** Periods are the runs of equal verdicts: they touch, differ, and only the last is open. */
export async function wrongPeriods(database: Database, serviceIds: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  const periods = grouped(
    await database.query<PeriodRow>(sql`
      select service_id, status, first_analysis_id, start_time, end_time from status_changes
      where service_id = any(${serviceIds}::int[]) order by service_id, change_id`),
  )
  for (const [serviceId, analyses] of await readAnalyses(database, serviceIds)) {
    const expected = runsOf(analyses)
    const there = (periods.get(serviceId) ?? []).map(({ service_id: _service, ...period }) => period)
    if (JSON.stringify(there) !== JSON.stringify(expected)) {
      faults.push(`service ${serviceId}: ${JSON.stringify(there)} instead of ${JSON.stringify(expected)}`)
    }
  }
  return faults
}

type Run = Omit<PeriodRow, 'service_id'>

function runsOf(analyses: readonly AnalysisRow[]): Run[] {
  const runs: Run[] = []
  for (const { verdict, analysis_id } of analyses) {
    const last = runs.at(-1)
    if (verdict === 'none' || verdict === last?.status) continue
    const at = Math.floor(analysis_id / 100)
    if (last !== undefined) runs[runs.length - 1] = { ...last, end_time: at }
    runs.push({ status: verdict, first_analysis_id: analysis_id, start_time: at, end_time: null })
  }
  return runs
}

/** Of each service that tells failures and recoveries at once to one address: one notice for each, no other. */
export async function wrongNotices(database: Database, serviceIds: readonly number[]): Promise<string[]> {
  const faults: string[] = []
  const told = grouped(
    await database.query<{ service_id: number; condition: string }>(sql`
      select service_id, notification_condition_id as condition from notification_intents
      where service_id = any(${serviceIds}::int[]) order by id`),
  )
  for (const [serviceId, analyses] of await readAnalyses(database, serviceIds)) {
    const expected = runsOf(analyses).flatMap(({ status }, index) =>
      status === 'failure' ? ['failure'] : index === 0 ? [] : ['recovery'],
    )
    const there = (told.get(serviceId) ?? []).map(({ condition }) => condition)
    if (there.join() !== expected.join()) faults.push(`service ${serviceId}: told ${there} instead of ${expected}`)
  }
  return faults
}

/**
 * The open period is the one that the status shows, and periods neither overlap nor leave gaps, whatever was done to
 * the service.
 */
export async function brokenPeriods(database: Database): Promise<string[]> {
  return faultsOf(
    database,
    sql`
      select 'service ' || service_id || ' at ' || start_time || ': ' || wrong from (
        select c.*, case
          when end_time is not null and end_time is distinct from lead(start_time) over periods then 'its end is not the next start'
          when end_time is null and lead(start_time) over periods is not null then 'open, but not the last'
          when status = lead(status) over periods then 'the next is the same'
          when end_time is null and (c.change_id, c.status, c.start_time) is distinct from (s.state_change_id, s.state, s.state_since)
            then 'the status shows another'
          end as wrong
        from status_changes c join service_statuses s using (service_id)
        window periods as (partition by c.service_id order by c.change_id)) judged
      where wrong is not null`,
  )
}

/** Services whose number of status changes is not that of their rows. */
export async function wrongCounts(database: Database): Promise<string[]> {
  return faultsOf(
    database,
    sql`
      select 'service ' || service_id || ': ' || coalesce(changes, 0) || ' changes counted, ' || coalesce(there, 0) || ' there'
      from status_change_counts
        full join (select service_id, count(*) as there from status_changes group by service_id) c using (service_id)
      where changes is distinct from there`,
  )
}

/** Plans and statuses without a service, and services without them. */
export async function orphans(database: Database): Promise<string[]> {
  return faultsOf(
    database,
    sql`
      select 'a plan of the removed service ' || service_id from schedule where service_id not in (select id from services)
      union all select 'no plan of service ' || id from services where id not in (select service_id from schedule)
      union all select 'no status of service ' || id from services where id not in (select service_id from service_statuses)
      union all select distinct 'history of the removed service ' || service_id || ', which nobody will sweep'
        from (select service_id from analyses_hot union select service_id from status_changes
          union select service_id from hourly_performance union select service_id from daily_performance) history
        where service_id not in (select id from services union select service_id from removed_services)`,
  )
}

/** Sums that differ from the analyses they are made of. `groupId` holds the services alone, from the beginning. */
export async function wrongSums(database: Database, groupId: number): Promise<string[]> {
  const checks = sql`
    select service_id, sensor_id, result, analysis_id / 100 / 1000 as second
    from analyses_hot cross join lateral unnest(sensor_ids, results) as checked (sensor_id, result)
    where service_id in (select id from services where group_id = ${groupId})`
  const hourly = sumsDiffer('hourly_performance', sql`second / 3600 as hour`, sql`hour`, checks)
  const daily = sumsDiffer('daily_performance', sql`second / 86400 as day, sensor_id`, sql`day, sensor_id`, checks)
  return [
    ...(await faultsOf(database, hourly)),
    ...(await faultsOf(database, daily)),
    ...(await faultsOf(
      database,
      sql`
        select 'usage: ' || counted || ' analyses counted, ' || recorded || ' recorded' from (
          select (select coalesce(sum(analyses), 0) from usage_counters where group_id = ${groupId}) as counted,
            (select count(*) from analyses_hot where service_id in (select id from services where group_id = ${groupId})) as recorded
        ) sums where counted <> recorded
        union all
        select 'usage: ' || counted || ' notices counted, ' || recorded || ' sent' from (
          select (select coalesce(sum(sent), 0) from usage_notifications where group_id = ${groupId}) as counted,
            (select count(*) from notification_intents where group_id = ${groupId} and status = 'sent') as recorded
        ) sums where counted <> recorded`,
    )),
  ]
}

function sumsDiffer(table: string, period: Sql, key: Sql, checks: Sql): Sql {
  return sql`
    select ${table} || ' of service ' || service_id || ': ' || coalesce(kept::text, 'none') || ' instead of ' || coalesce(real::text, 'none')
    from (select service_id, ${key}, (ok_checks, error_checks, unknown_checks)::text as kept from ${raw(table)}) kept
    full join (
      select service_id, ${key}, (count(*) filter (where result = 'o'), count(*) filter (where result = 'e'),
        count(*) filter (where result = 'u'))::text as real
      from (select service_id, result, ${period} from (${checks}) checks) dated group by service_id, ${key}) real
    using (service_id, ${key})
    where kept is distinct from real and service_id in (select service_id from (${checks}) checks)`
}

async function faultsOf(database: Database, statement: Sql): Promise<string[]> {
  const rows = await database.query<Readonly<Record<string, string>>>(statement)
  return rows.flatMap((row) => Object.values(row))
}
