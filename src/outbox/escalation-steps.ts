import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { isInEffect, nextBoundary } from '../domain/calendars/suspension.ts'
import {
  type EscalationProgress,
  nextStepNotification,
  progressAfter,
  type StepNotification,
} from '../domain/notification/escalation.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'
import { type DueStep, writeSteps } from './escalation-intents.ts'
import { type EscalationPlan, readEscalations } from './escalation-plans.ts'

/**
 * Carries out the due steps of escalations. Each look is one transaction, so a process that dies in it has sent
 * nothing.
 */

interface StatusRow {
  readonly service_id: number
  readonly change_id: number
  readonly escalation_id: number
  readonly step: number
  readonly repeats: number
  readonly started_at: number
  readonly step_told_at: number | null
  readonly last_told_at: number | null
  readonly facts: NoticeFacts
}

/** Failures that one look takes. */
const mostTaken = 50

/** Locks the plans of services with due steps. Locked ones are skipped: processes share the work, and nobody waits. */
async function claimDue(transaction: Executor, now: number): Promise<readonly StatusRow[]> {
  const held = await transaction.query<{ service_id: number }>(
    sql`
    select service_id from schedule where service_id = any(array(
      select service_id from escalation_statuses where state = 'running' and next_at <= ${new Date(now)}
      order by next_at limit ${mostTaken}))
    order by service_id for update skip locked`,
    'claim-escalations',
  )
  if (held.length === 0) return []
  // Read anew: somebody may have told them before the lock was free.
  return transaction.query<StatusRow>(
    sql`
    select service_id, change_id, escalation_id, step, repeats, started_at, step_told_at, last_told_at, facts
    from escalation_statuses where service_id = any(${held.map((row) => row.service_id)}::int[])
      and state = 'running' and next_at <= ${new Date(now)}`,
    'read-due-escalations',
  )
}

/** Services in quiet hours, and those whose notifications the failure of another service holds. */
async function readSilent(transaction: Executor, serviceIds: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await transaction.query<{ service_id: number }>(
    sql`select service_id from service_statuses
      where service_id = any(${[...serviceIds]}::int[]) and (notifications_status = 'silent' or held_by_service_id is not null)`,
    'read-silent',
  )
  return new Set(rows.map((row) => row.service_id))
}

interface Look {
  readonly row: StatusRow
  readonly plan: EscalationPlan
  readonly notification: StepNotification | null
  readonly progress: EscalationProgress
  /** Unix milliseconds; Infinity until quiet hours or the failure of a parent end, null: nothing more is due. */
  readonly nextAt: number | null
}

function progressOf(row: StatusRow): EscalationProgress {
  return {
    startedAt: row.started_at,
    step: row.step,
    stepToldAt: row.step_told_at,
    repeats: row.repeats,
    lastToldAt: row.last_told_at,
  }
}

/** The steps to notify now, and the moment of the next look. A due step waits while nothing may be notified. */
function lookAt(row: StatusRow, plan: EscalationPlan, isSilent: boolean, now: number): Look {
  const progress = progressOf(row)
  const notification = nextStepNotification(plan.steps, progress, now)
  const waiting = { row, plan, progress, notification: null }
  if (notification === null) return { ...waiting, nextAt: null }
  if (notification.at > now) return { ...waiting, nextAt: notification.at }
  if (isSilent) return { ...waiting, nextAt: Number.POSITIVE_INFINITY }
  if (isInEffect(plan.suspended, now)) return { ...waiting, nextAt: nextBoundary(plan.suspended, now) }
  const after = progressAfter(progress, notification, now)
  return { row, plan, notification, progress: after, nextAt: nextStepNotification(plan.steps, after, now)?.at ?? null }
}

/** Tells what is due, or puts it off. Returns how many failures were looked at. */
export function tellDueSteps(database: Database, now: number): Promise<number> {
  return database.transaction(async (transaction) => {
    const rows = await claimDue(transaction, now)
    if (rows.length === 0) return 0
    const plans = await readEscalations(transaction, [...new Set(rows.map((row) => row.escalation_id))], now)
    const silent = await readSilent(
      transaction,
      rows.map((row) => row.service_id),
    )
    const looks = rows.flatMap((row) => {
      const plan = plans.get(row.escalation_id)
      return plan === undefined ? [] : [lookAt(row, plan, silent.has(row.service_id), now)]
    })
    const told = looks.flatMap(({ row, plan, notification }): DueStep[] =>
      notification === null
        ? []
        : [{ serviceId: row.service_id, changeId: row.change_id, escalation: plan, notification, facts: row.facts }],
    )
    await writeSteps(transaction, told, now)
    await keepProgress(transaction, looks)
    return looks.length
  })
}

function dates(moments: readonly (number | null)[]): (Date | null)[] {
  return moments.map((at) => (at === null ? null : new Date(at)))
}

async function keepProgress(transaction: Executor, looks: readonly Look[]): Promise<void> {
  const progress = looks.map((look) => look.progress)
  const isPutOff = looks.map(({ nextAt }) => nextAt === Number.POSITIVE_INFINITY)
  await transaction.execute(
    sql`
    update escalation_statuses status set step = new.step, repeats = new.repeats, step_told_at = new.step_told_at,
      last_told_at = new.last_told_at, next_at = case when new.put_off then 'infinity' else new.next_at end
    from unnest(${looks.map(({ row }) => row.service_id)}::int[], ${looks.map(({ row }) => row.change_id)}::bigint[],
      ${progress.map(({ step }) => step)}::smallint[], ${progress.map(({ repeats }) => repeats)}::smallint[],
      ${dates(progress.map(({ stepToldAt }) => stepToldAt))}::timestamptz[],
      ${dates(progress.map(({ lastToldAt }) => lastToldAt))}::timestamptz[], ${isPutOff}::boolean[],
      ${dates(looks.map(({ nextAt }, index) => (isPutOff[index] ? null : nextAt)))}::timestamptz[])
      as new (service_id, change_id, step, repeats, step_told_at, last_told_at, put_off, next_at)
    where status.service_id = new.service_id and status.change_id = new.change_id`,
    'keep-escalations',
  )
}

/** When something is due next, Unix milliseconds; Infinity for never. */
export async function nextEscalationAt(executor: Executor): Promise<number> {
  const [first] = await executor.query<{ next_at: number | null }>(
    sql`select next_at from escalation_statuses
      where state = 'running' and next_at < 'infinity' and exists (select from escalations where id = escalation_id)
      order by next_at limit 1`,
    'next-escalation',
  )
  return first?.next_at ?? Number.POSITIVE_INFINITY
}
