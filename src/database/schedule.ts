import sql from 'sql-template-tag'
import { pauseEvent, pendingConfirmation } from '../domain/notification.ts'
import { intervalInEffect, type NextRound, nextRound, rescheduled } from '../domain/schedule.ts'
import { validUntil } from '../domain/status.ts'
import { changeFor, monitoringStatusFor, type PauseReason } from '../domain/status-change.ts'
import { suspensionAt } from '../domain/suspension.ts'
import { readCalendars } from './calendars.ts'
import { type Claim, finishClaims } from './claims.ts'
import type { Executor } from './connect.ts'
import { dropHeldFailures } from './held-failures.ts'
import { writeIntents } from './intents.ts'
import { applyBoundaries, calendarsChanged } from './pauses.ts'
import { lockPlans, lockStatuses, openChangeOf, openChanges, type StatusRow } from './statuses.ts'

/** The plan of a service whose monitoring is stopped. */
export const neverRound: NextRound = { dueAt: Number.POSITIVE_INFINITY, reason: 'interval' }

/**
 * Gives a service that was just inserted its status and its plan: the first round at once, or a pause when it starts inactive.
 * Expects the row of `services` in the same transaction.
 */
export async function scheduleNew(transaction: Executor, serviceId: number, now: number): Promise<void> {
  await transaction.execute(sql`insert into service_statuses (service_id) values (${serviceId})`)
  await transaction.execute(
    sql`insert into schedule (service_id, due_at, reason) values (${serviceId}, ${new Date(now)}, 'forced')`,
  )
  const active = await transaction.query<{ is_active: boolean }>(
    sql`select is_active and not is_archived as is_active from services where id = ${serviceId}`,
  )
  if (active[0]?.is_active !== true) await stopMonitoring(transaction, serviceId, 'user', now)
  await calendarsChanged(transaction, [serviceId], now)
}

/** After a new interval or new notification modes: the grid, the confirmation and the validity of the last verdict anew. */
export async function rescheduleService(transaction: Executor, serviceId: number, now: number): Promise<void> {
  const { plan, status } = await lockService(transaction, serviceId, now)
  if (plan === undefined || status === undefined || status.monitoring_status !== 'on') return
  const next = rescheduled({ dueAt: plan.due_at, reason: plan.reason }, plannedRound(status, now))
  await setPlan(transaction, serviceId, next)
  if (status.last_analysis_time === null) return
  const validUntilAt = new Date(validUntil(status.last_analysis_time, status.interval))
  await transaction.execute(sql`update service_statuses set valid_until = ${validUntilAt}
    where service_id = ${serviceId} and valid_until is not null`)
}

/** Stops monitoring: the state becomes paused, no further round starts, what is under way is only kept for the history. */
export async function stopMonitoring(
  transaction: Executor,
  serviceId: number,
  reason: PauseReason,
  now: number,
): Promise<void> {
  const { status } = await lockService(transaction, serviceId, now)
  if (status === undefined) return
  const stopped = status.monitoring_status === 'off' ? 'off' : monitoringStatusFor(reason)
  const open = openChangeOf(status)
  const change = changeFor(open, { kind: 'stop', reason, at: now })
  await transaction.execute(sql`update service_statuses set monitoring_status = ${stopped}, valid_until = null
    where service_id = ${serviceId}`)
  await setPlan(transaction, serviceId, neverRound)
  if (change === null) return
  await openChanges(transaction, [{ serviceId, change }])
  const event = pauseEvent({
    from: open?.state ?? null,
    changeId: change.changeId,
    reason,
    modeId: status.notification_mode_id,
    quiet: status.notifications_status === 'silent',
  })
  if (event === null) return
  const notice = { serviceId, event, decidedAt: now, change, analysisId: null, checks: [], pauseReason: reason }
  await writeIntents(transaction, [notice], now)
}

/**
 * Takes a stop by hand back: the first round comes at once, unless another stop by hand or a calendar still holds.
 * The state stays paused until a verdict. A round that is still under way from before the stop no longer counts.
 */
export async function resumeMonitoring(transaction: Executor, serviceId: number, now: number): Promise<void> {
  const { status } = await lockService(transaction, serviceId, now)
  if (status === undefined || status.monitoring_status === 'on' || (await isHeldByHand(transaction, serviceId))) return
  const calendar = (await readCalendars(transaction, [serviceId], now)).get(serviceId)
  const isSuspended = calendar !== undefined && suspensionAt(calendar, now) !== null
  await transaction.execute(sql`update service_statuses set monitoring_status = ${isSuspended ? 'suspended' : 'on'}
    where service_id = ${serviceId}`)
  if (isSuspended) return
  await transaction.execute(sql`
    update schedule set due_at = ${new Date(now)}, reason = 'forced', claim_no = claim_no + 1, leased_until = null
    where service_id = ${serviceId}`)
  await wakeSchedulers(transaction)
}

/** The service's own switch, its archiving or the blocking of its owner still stops it. */
async function isHeldByHand(transaction: Executor, serviceId: number): Promise<boolean> {
  const [row] = await transaction.query<{ is_held: boolean }>(sql`
    select not is_active or is_archived or is_blocked as is_held
    from services join accounts on accounts.id = services.owner_id where services.id = ${serviceId}`)
  return row?.is_held ?? true
}

/** How often one service may be analysed on request. */
export interface ForceLimits {
  readonly minute: number
  readonly hour: number
  readonly day: number
}

const forceWindows = [
  { limit: 'minute', milliseconds: 60_000 },
  { limit: 'hour', milliseconds: 3_600_000 },
  { limit: 'day', milliseconds: 86_400_000 },
] as const

/**
 * Asks for a round at once; null when it will come, else the first limit that forbids it.
 * A stopped service is checked too: the analysis is kept and the state stays paused.
 */
export async function forceAnalysis(
  transaction: Executor,
  serviceId: number,
  now: number,
  limits: ForceLimits,
): Promise<{ readonly limit: 'minute' | 'hour' | 'day'; readonly value: number } | null> {
  await lockPlans(transaction, [serviceId])
  const [minute, hour, day] = forceWindows.map(({ milliseconds }) => new Date(now - milliseconds))
  const [counts] = await transaction.query<Record<'minute' | 'hour' | 'day', number>>(sql`
    select count(*) filter (where requested_at > ${minute}) as minute,
      count(*) filter (where requested_at > ${hour}) as hour, count(*) as day
    from forced_analyses where service_id = ${serviceId} and requested_at > ${day}`)
  for (const { limit } of forceWindows) {
    if ((counts?.[limit] ?? 0) >= limits[limit]) return { limit, value: limits[limit] }
  }
  await transaction.execute(
    sql`insert into forced_analyses (service_id, requested_at) values (${serviceId}, ${new Date(now)})`,
  )
  await setPlan(transaction, serviceId, { dueAt: now, reason: 'forced' })
  await wakeSchedulers(transaction)
  return null
}

/** Forgets requests that no limit counts any more. */
export async function pruneForcedAnalyses(executor: Executor, now: number): Promise<void> {
  const oldest = new Date(now - forceWindows[2].milliseconds)
  await executor.execute(sql`delete from forced_analyses where requested_at <= ${oldest}`)
}

/** Ends claims of missed rounds: each service goes on with its next round. */
export async function skipRounds(transaction: Executor, claims: readonly Claim[], now: number): Promise<void> {
  const serviceIds = claims.map(({ serviceId }) => serviceId)
  await lockPlans(transaction, serviceIds)
  const statuses = new Map((await lockStatuses(transaction, serviceIds)).map((row) => [row.service_id, row]))
  const finished = claims.map((claim) => {
    const status = statuses.get(claim.serviceId)
    return { claim, next: status?.monitoring_status === 'on' ? plannedRound(status, now) : neverRound }
  })
  await finishClaims(transaction, finished)
}

/** To call before the row of `services` is deleted: plans are always locked before statuses. */
export async function removeSchedule(transaction: Executor, serviceId: number): Promise<void> {
  await transaction.execute(sql`delete from schedule where service_id = ${serviceId}`)
  await transaction.execute(sql`delete from forced_analyses where service_id = ${serviceId}`)
  await dropHeldFailures(transaction, serviceId)
}

/** The next round of a monitored service as its status stands. */
function plannedRound(status: StatusRow, now: number): NextRound {
  const confirmAt = pendingConfirmation({
    change: openChangeOf(status),
    failureNotified: status.failure_notified,
    modeId: status.notification_mode_id,
    recoveryModeId: status.recovery_notification_mode_id,
  })
  const intervalSeconds = intervalInEffect({
    intervalSeconds: status.interval,
    isFailing: status.state === 'failure',
    isBreakdownSpeedUpOff: status.disable_breakdown_checks,
  })
  return nextRound({ serviceId: status.service_id, intervalSeconds, now, lastDueAt: null, confirmAt })
}

/** What the calendar said until now happens first, if nobody has looked yet. */
async function lockService(transaction: Executor, serviceId: number, now: number) {
  let [plan] = await lockPlans(transaction, [serviceId])
  if (plan !== undefined && plan.boundary_at <= now) {
    await applyBoundaries(transaction, [{ serviceId, fromAt: plan.boundary_at, toAt: now }])
    ;[plan] = await lockPlans(transaction, [serviceId])
  }
  const [status] = await lockStatuses(transaction, [serviceId])
  return { plan, status }
}

async function setPlan(transaction: Executor, serviceId: number, next: NextRound): Promise<void> {
  await transaction.execute(sql`
    update schedule set due_at = to_timestamp(${next.dueAt}::float8 / 1000), reason = ${next.reason}
    where service_id = ${serviceId}`)
}

async function wakeSchedulers(transaction: Executor): Promise<void> {
  await transaction.execute(sql`select pg_notify('schedule', '')`)
}
