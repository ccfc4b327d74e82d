import sql from 'sql-template-tag'
import type { State } from '../../domain/judging/status-change.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'
import type { LevelChange, LevelCorrection } from '../../domain/service-level/service-level.ts'
import type { Executor } from '../connect.ts'

/** The data of many services from which reports are computed. */

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
 * By service: the periods and corrections that touch the range, all as of one moment. Periods touch. So the one at the
 * beginning is the last that began before it, and older ones are not read. Deleted services are left out.
 */
export async function readLevelHistories(
  executor: Executor,
  serviceIds: readonly number[],
  { fromAt, toAt }: ChartRange,
): Promise<ReadonlyMap<number, LevelHistory>> {
  const [from, to] = [sql`${new Date(fromAt)}::timestamptz`, sql`${new Date(toAt)}::timestamptz`]
  const rows = await executor.query<LevelRow>(sql`
    select s.id as service_id, s.created_at, told.id, told.status, told.start_time, told.end_time
    from services s left join lateral (
      select service_id, null::bigint as id, status, start_time, end_time from status_changes
      where service_id = s.id and start_time < ${to} and start_time >= coalesce(
        (select max(start_time) from status_changes where service_id = s.id and start_time <= ${from}), ${from})
      union all
      select service_id, id, status, start_time, end_time from corrections
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

/** The number of changes and corrections that `readLevelHistories` would read, by service. */
export async function readLevelSizes(
  executor: Executor,
  serviceIds: readonly number[],
  { fromAt, toAt }: ChartRange,
): Promise<ReadonlyMap<number, number>> {
  const [from, to] = [sql`${new Date(fromAt)}::timestamptz`, sql`${new Date(toAt)}::timestamptz`]
  const rows = await executor.query<{ service_id: number; rows: number }>(sql`
    select service_id, sum(rows)::int as rows from (
      select service_id, count(*) as rows from status_changes
      where service_id = any(${[...serviceIds]}::int[]) and start_time >= ${from} and start_time < ${to}
      group by service_id
      union all
      select service_id, count(*) from corrections
      where service_id = any(${[...serviceIds]}::int[]) and start_time < ${to} and end_time > ${from}
      group by service_id) parts
    group by service_id`)
  return new Map(rows.map((row) => [row.service_id, row.rows]))
}
