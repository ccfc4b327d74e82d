import sql, { raw } from 'sql-template-tag'
import { groupFlagOf, type PeriodicFacts, periodicZone } from '../../domain/reports/periodic-report.ts'
import { duePeriods, newPlan, type ReportingPlan } from '../../domain/reports/report-plan.ts'
import type { Database, Executor } from '../connect.ts'
import { enqueue } from '../enqueue.ts'

const frequencies = Object.keys(groupFlagOf) as readonly ReportingPlan[]

/** Begins with the current period; existing plans continue unchanged. */
export async function beginPeriodicReports(executor: Executor, now: number): Promise<void> {
  for (const frequency of frequencies) {
    const { madeUntilAt, dueAt } = newPlan(frequency, periodicZone, now)
    await executor.execute(sql`
      insert into periodic_report_plans (report_frequency, made_until, due_at)
      values (${frequency}, ${new Date(madeUntilAt)}, ${new Date(dueAt)}) on conflict do nothing`)
  }
}

interface DuePlan {
  readonly report_frequency: ReportingPlan
  readonly made_until: number
}

/**
 * Orders the reports of every ended period of one frequency: one for each group that wants them and has a recipient.
 * False if nothing is due. Any number of processes may call it at once: each group and period comes once.
 */
export async function askForPeriodicReports(database: Database, now: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const [due] = await transaction.query<DuePlan>(sql`
      select report_frequency, made_until from periodic_report_plans
      where due_at <= ${new Date(now)} order by due_at limit 1 for update skip locked`)
    if (due === undefined) return false
    const { report_frequency: frequency, made_until: madeUntilAt } = due
    const { periods, next } = duePeriods(frequency, periodicZone, { madeUntilAt }, now)
    for (const { fromAt, toAt } of periods) {
      await transaction.execute(sql`
        insert into periodic_reports (group_id, report_frequency, from_time, to_time, created_at)
        select g.id, ${frequency}, ${new Date(fromAt)}, ${new Date(toAt)}, ${new Date(now)}
        from groups g join accounts a on a.id = g.owner_id left join accounts parent on parent.id = a.parent_account_id
        where g.${raw(groupFlagOf[frequency])} and not a.is_blocked and not coalesce(parent.is_blocked, false)
          and exists (select from periodic_report_addresses to_whom
            where to_whom.group_id = g.id and to_whom.report_frequency = ${frequency})
        on conflict do nothing`)
    }
    await transaction.execute(sql`
      update periodic_report_plans set made_until = ${new Date(next.madeUntilAt)}, due_at = ${new Date(next.dueAt)}
      where report_frequency = ${frequency}`)
    await transaction.execute(raw(`select pg_notify('reports', '')`))
    return true
  })
}

export interface PeriodicOrder {
  readonly id: number
  readonly report_frequency: ReportingPlan
  readonly from_time: number
  readonly to_time: number
  readonly group_id: number
  readonly group_name: string
  readonly hasArchived: boolean
}

/** Takes the oldest free report until the transaction ends. If the process dies, the report is free again. */
export async function takePeriodicReport(transaction: Executor): Promise<PeriodicOrder | null> {
  const [order] = await transaction.query<PeriodicOrder>(sql`
    select r.id, r.report_frequency, r.from_time, r.to_time, r.group_id, g.name as group_name,
      g.archived_services_in_periodic_reports as "hasArchived"
    from periodic_reports r join groups g on g.id = r.group_id
    where not r.is_finished order by r.id limit 1 for update of r skip locked`)
  return order ?? null
}

export interface PeriodicServiceRow {
  readonly id: number
  readonly name: string
  readonly is_archived: boolean
}

export function readServicesOfGroup(
  executor: Executor,
  { group_id, hasArchived }: PeriodicOrder,
): Promise<PeriodicServiceRow[]> {
  return executor.query<PeriodicServiceRow>(sql`
    select id, name, is_archived from services
    where group_id = ${group_id} and (${hasArchived} or not is_archived) order by id`)
}

/** Finishes the report; each of its present recipients gets it once. Null: there is nothing to report. */
export async function finishPeriodicReport(
  transaction: Executor,
  order: PeriodicOrder,
  facts: PeriodicFacts | null,
  now: number,
): Promise<void> {
  await transaction.execute(sql`
    update periodic_reports set is_finished = true, facts = ${facts === null ? null : JSON.stringify(facts)}::jsonb
    where id = ${order.id}`)
  if (facts === null) return
  const readers = await transaction.query<{ address: string }>(sql`
    select distinct address from periodic_report_addresses
    where group_id = ${order.group_id} and report_frequency = ${order.report_frequency}`)
  const mails = readers.map(({ address }) => ({
    kind: 'periodic_report' as const,
    ...{ periodic_report_id: order.id, address },
  }))
  await enqueue(transaction, mails, now)
}

/** Gives a report up; nobody is notified of it. */
export async function abandonPeriodicReport(executor: Executor, reportId: number): Promise<void> {
  await executor.execute(sql`update periodic_reports set is_finished = true where id = ${reportId}`)
}
