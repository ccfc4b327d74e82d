import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'

/** Planned stops of the services behind a status page. Moments in Unix milliseconds. */

export interface PageSuspensionRow {
  readonly id: number
  readonly service_id: number
  readonly start_time: number
  readonly end_time: number
}

/** Minutes since Monday 00:00 in the owner's zone. */
export interface PageWeeklySuspensionRow {
  readonly start_minute: number
  readonly end_minute: number
  readonly service_ids: readonly number[]
}

/** One-off suspensions that stop the monitoring, under way or to come. */
export function readPageSuspensions(
  executor: Executor,
  serviceIds: readonly number[],
  now: number,
): Promise<readonly PageSuspensionRow[]> {
  return executor.query<PageSuspensionRow>(
    sql`select id, service_id, start_time, end_time from suspensions
      where service_id = any(${[...serviceIds]}::int[]) and end_time > ${new Date(now)} and not only_notifications
      order by start_time, id limit 200`,
    'status-page-suspensions',
  )
}

/** Weekly suspensions that stop the monitoring; those of several services at the same time are one. */
export function readPageWeeklySuspensions(
  executor: Executor,
  serviceIds: readonly number[],
): Promise<readonly PageWeeklySuspensionRow[]> {
  return executor.query<PageWeeklySuspensionRow>(
    sql`select start_minute, end_minute, array_agg(distinct service_id) as service_ids from weekly_suspensions
      where service_id = any(${[...serviceIds]}::int[]) and not only_notifications
      group by start_minute, end_minute order by start_minute, end_minute limit 50`,
    'status-page-weekly-suspensions',
  )
}
