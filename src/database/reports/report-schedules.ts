import sql from 'sql-template-tag'
import { timeZoneName } from '../../domain/calendars/time-zones.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { duePeriods, newPlan, type ReportingPlan } from '../../domain/reports/report-plan.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'
import type { Database, Executor } from '../connect.ts'
import { countUpTo } from '../count.ts'
import { lockMonthlyReports, reportMade } from './reports.ts'

/** Sets the plans of a template. Kept ones continue unchanged; a new one begins with the current period. */
export async function scheduleReports(
  transaction: Executor,
  templateId: number,
  plans: readonly ReportingPlan[],
  now: number,
): Promise<void> {
  await transaction.execute(sql`
    delete from report_schedules where template_id = ${templateId} and reporting_plan_id <> all(${plans}::text[])`)
  const [owner] = await transaction.query<{ time_zone_id: string }>(sql`
    select a.time_zone_id from report_templates t join accounts a on a.id = t.owner_id where t.id = ${templateId}`)
  const zone = timeZoneName(owner?.time_zone_id ?? '') ?? 'UTC'
  for (const plan of plans) {
    const { madeUntilAt, dueAt } = newPlan(plan, zone, now)
    await transaction.execute(sql`
      insert into report_schedules (template_id, reporting_plan_id, made_until, due_at)
      values (${templateId}, ${plan}, ${new Date(madeUntilAt)}, ${new Date(dueAt)}) on conflict do nothing`)
  }
}

interface DueSchedule {
  readonly template_id: number
  readonly reporting_plan_id: ReportingPlan
  readonly made_until: number
  readonly owner_id: number
  readonly time_zone_id: string
  readonly is_blocked: boolean
}

/** A report that was due and could not be ordered. */
export interface SkippedReport extends ChartRange {
  readonly templateId: number
  readonly plan: ReportingPlan
}

/**
 * Orders the reports of one due plan, and schedules the next; null if none is due. Any number of processes may call it
 * at once: each period comes once, and none for a template that is being deleted. Reports beyond the monthly limit, and
 * those of a blocked account, are skipped.
 */
export async function askForDueReports(database: Database, now: number): Promise<readonly SkippedReport[] | null> {
  return database.transaction(async (transaction) => {
    const [due] = await transaction.query<DueSchedule>(sql`
      select s.template_id, s.reporting_plan_id, s.made_until, t.owner_id, a.time_zone_id, a.is_blocked
      from report_schedules s join report_templates t on t.id = s.template_id join accounts a on a.id = t.owner_id
      where s.due_at <= ${new Date(now)} order by s.due_at limit 1
      for update of s skip locked for key share of t skip locked`)
    if (due === undefined) return null
    const { template_id: templateId, reporting_plan_id: plan } = due
    const zone = timeZoneName(due.time_zone_id) ?? 'UTC'
    const { periods, next } = duePeriods(plan, zone, { madeUntilAt: due.made_until }, now)
    const skipped: SkippedReport[] = []
    for (const period of due.is_blocked ? [] : periods) {
      const isMade = await askForReport(transaction, due, period, now)
      if (!isMade) skipped.push({ ...period, templateId, plan })
    }
    await transaction.execute(sql`
      update report_schedules set made_until = ${new Date(next.madeUntilAt)}, due_at = ${new Date(next.dueAt)}
      where template_id = ${templateId} and reporting_plan_id = ${plan}`)
    return skipped
  })
}

async function askForReport(
  transaction: Executor,
  due: DueSchedule,
  period: ChartRange,
  now: number,
): Promise<boolean> {
  const { made, limit } = await lockMonthlyReports(transaction, due.owner_id, now)
  if (limit !== null && made >= limit) return false
  const kept = await countUpTo(
    transaction,
    { table: 'reports', column: 'owner_id', value: due.owner_id },
    countLimits.reports,
  )
  if (kept >= countLimits.reports) return false
  await transaction.execute(sql`
    insert into reports (template_id, owner_id, from_time, to_time, name, description, email_addresses, section_ids, summary,
      archived_services, weekly_suspensions, requested_scope, reporting_plan_id, created_at)
    select id, owner_id, ${new Date(period.fromAt)}, ${new Date(period.toAt)}, name, description, email_addresses,
      section_ids, summary, archived_services, weekly_suspensions, requested_scope, ${due.reporting_plan_id}, ${new Date(now)}
    from report_templates where id = ${due.template_id}`)
  await reportMade(transaction, due.owner_id, now)
  return true
}
