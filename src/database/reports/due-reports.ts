import sql from 'sql-template-tag'
import type { Executor } from '../connect.ts'

/** One look for all turns of a process: whether a report is to be ordered, or waits for somebody to work on it. */
export async function areReportsDue(executor: Executor, now: number): Promise<boolean> {
  const at = new Date(now)
  const [found] = await executor.query<{ is_due: boolean }>(
    sql`
    select exists (select from report_schedules where due_at <= ${at})
      or exists (select from periodic_report_plans where due_at <= ${at})
      or exists (select from periodic_reports where not is_finished)
      or exists (select from reports where status in ('pending', 'in_progress')
        and (leased_until is null or leased_until < ${at})) as is_due`,
    'due-reports',
  )
  return found?.is_due ?? false
}
