import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'
import { covers } from './coverage.ts'

/** Planned stops of the services behind a status page. Moments in Unix milliseconds. */

export interface PageSuspensionRow {
  /** Unique among both kinds. */
  readonly key: string
  readonly service_ids: readonly number[]
  readonly start_time: number
  readonly end_time: number
}

/** Minutes since Monday 00:00 in the owner's zone. */
export interface PageWeeklySuspensionRow {
  readonly start_minute: number
  readonly end_minute: number
  readonly service_ids: readonly number[]
}

/** One-off suspensions that stop the monitoring, not over yet; wide ones name the services that they cover now. */
export async function readPageSuspensions(
  executor: Executor,
  serviceIds: readonly number[],
  now: number,
): Promise<readonly PageSuspensionRow[]> {
  const own = await executor.query<PageSuspensionRow>(
    sql`select id::text as key, array[service_id] as service_ids, start_time, end_time from suspensions
      where service_id = any(${[...serviceIds]}::int[]) and end_time > ${new Date(now)} and not only_notifications
      order by start_time, id limit 200`,
    'status-page-suspensions',
  )
  const wide = await executor.query<PageSuspensionRow>(
    sql`select 'wide-' || wide.id as key, array_agg(services.id) as service_ids, start_time, end_time
      from services join wide_suspensions wide on ${covers}
      where services.id = any(${[...serviceIds]}::int[]) and end_time > ${new Date(now)} and not only_notifications
      group by wide.id, start_time, end_time order by start_time, wide.id limit 200`,
    'status-page-wide-suspensions',
  )
  return [...own, ...wide]
}

/** Weekly suspensions that stop the monitoring, wide ones too; those of several services at the same time are one. */
export async function readPageWeeklySuspensions(
  executor: Executor,
  serviceIds: readonly number[],
): Promise<readonly PageWeeklySuspensionRow[]> {
  const own = await executor.query<PageWeeklySuspensionRow>(
    sql`select start_minute, end_minute, array_agg(distinct service_id) as service_ids from weekly_suspensions
      where service_id = any(${[...serviceIds]}::int[]) and not only_notifications
      group by start_minute, end_minute order by start_minute, end_minute limit 50`,
    'status-page-weekly-suspensions',
  )
  const wide = await executor.query<PageWeeklySuspensionRow>(
    sql`select start_minute, end_minute, array_agg(distinct services.id) as service_ids
      from services join wide_weekly_suspensions wide on ${covers}
      where services.id = any(${[...serviceIds]}::int[]) and not only_notifications
      group by start_minute, end_minute order by start_minute, end_minute limit 50`,
    'status-page-wide-weekly-suspensions',
  )
  const byTime = new Map<string, PageWeeklySuspensionRow>()
  for (const row of [...own, ...wide]) {
    const key = `${row.start_minute} ${row.end_minute}`
    const ids = [...(byTime.get(key)?.service_ids ?? []), ...row.service_ids]
    byTime.set(key, { ...row, service_ids: [...new Set(ids)] })
  }
  return [...byTime.values()]
}
