import sql from 'sql-template-tag'
import type { DegradedPeriod } from '../../domain/judging/degraded.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'
import type { Executor } from '../connect.ts'

interface Row {
  readonly service_id: number
  readonly start_time: number
  readonly end_time: number | null
}

/** By service: the periods that visitors notice and that last to `fromAt`, and the last one in any case, in order. */
export async function readNoticeablePeriods(
  executor: Executor,
  serviceIds: readonly number[],
  fromAt: number,
): Promise<ReadonlyMap<number, readonly DegradedPeriod[]>> {
  const rows = await executor.query<Row>(
    sql`select service_id, start_time, end_time from degraded_periods period
      where service_id = any(${[...serviceIds]}::int[]) and is_noticeable
        and (end_time is null or end_time > ${new Date(fromAt)} or period_id = (
          select max(period_id) from degraded_periods last
          where last.service_id = period.service_id and last.is_noticeable))
      order by service_id, start_time`,
    'status-page-degraded',
  )
  return byService(rows)
}

/** By service: the degraded periods that touch the range, in order. */
export async function readDegradedPeriods(
  executor: Executor,
  serviceIds: readonly number[],
  { fromAt, toAt }: ChartRange,
): Promise<ReadonlyMap<number, readonly DegradedPeriod[]>> {
  const rows = await executor.query<Row>(sql`
    select service_id, start_time, end_time from degraded_periods
    where service_id = any(${[...serviceIds]}::int[]) and start_time < ${new Date(toAt)}
      and (end_time is null or end_time > ${new Date(fromAt)})
    order by service_id, start_time`)
  return byService(rows)
}

function byService(rows: readonly Row[]): ReadonlyMap<number, readonly DegradedPeriod[]> {
  const periods = new Map<number, DegradedPeriod[]>()
  for (const { service_id: id, start_time: startedAt, end_time: endedAt } of rows) {
    const known = periods.get(id) ?? []
    known.push({ startedAt, endedAt })
    periods.set(id, known)
  }
  return periods
}
