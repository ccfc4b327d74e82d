import sql, { type Sql } from 'sql-template-tag'
import { reportsIn } from '../checks/index.ts'
import type { Executor } from '../database/connect.ts'
import { lockKeys } from '../database/locks.ts'
import { tellStatuses } from '../database/services/stream-events.ts'
import { dayLength, hourLength } from '../domain/calendars/durations.ts'
import { pausingBetween } from '../domain/judging/pausing.ts'
import { intervalInEffect, type NextRound, nextRound, rescheduled, roundsMissed } from '../domain/judging/schedule.ts'
import { validUntil } from '../domain/judging/status.ts'
import { isTriedAgain } from '../domain/judging/unknown-reason.ts'
import { pendingConfirmation } from '../domain/notification/notification.ts'
import { readCalendars } from './calendars.ts'
import { type ClaimedRound, finishClaims } from './claims.ts'
import { removeHeartbeats } from './heartbeats.ts'
import { dropHeldFailures } from './held-failures.ts'
import { noteMissedRounds } from './missed-rounds.ts'
import { calendarsChanged, lockServices } from './pauses.ts'
import { lockPlans, openChangeOf, readStatuses, type StatusRow } from './statuses.ts'
import { readHolds, stopMonitoring } from './stops.ts'
import { wakeSchedulers } from './wake-schedulers.ts'

/** The plan of a service whose monitoring is stopped. */
export const neverRound: NextRound = { dueAt: Number.POSITIVE_INFINITY, reason: 'interval' }

/**
 * Gives a newly inserted service its status and its plan: the first round at once, or a pause if it starts inactive.
 * Expects the row of `services` in the same transaction.
 */
export async function scheduleNew(transaction: Executor, serviceId: number, now: number): Promise<void> {
  const boundaryAt = await firstBoundary(transaction, serviceId, now)
  await transaction.execute(sql`insert into service_statuses (service_id) values (${serviceId})`, 'new-status')
  await tellStatuses(transaction, [serviceId])
  await transaction.execute(
    sql`
    insert into schedule (service_id, due_at, reason, boundary_at)
    values (${serviceId}, ${new Date(now)}, 'forced', to_timestamp(${boundaryAt ?? Number.POSITIVE_INFINITY}::float8 / 1000))`,
    'new-plan',
  )
  const [held] = await readHolds(transaction, [serviceId])
  if (held === undefined && boundaryAt !== null) return wakeSchedulers(transaction)
  if (held !== undefined) await stopMonitoring(transaction, serviceId, held.by_block ? 'account_blocked' : 'user', now)
  await calendarsChanged(transaction, [serviceId], now)
}

/** When the calendar of a new service speaks next; null if it speaks now, or the service has none. */
async function firstBoundary(transaction: Executor, serviceId: number, now: number): Promise<number | null> {
  const calendar = (await readCalendars(transaction, [serviceId], now)).get(serviceId)
  if (calendar === undefined) return null
  const { stopped, isSilent, boundaryAt } = pausingBetween(calendar, { monitoring: 'on', isSilent: false }, now, now)
  return stopped === null && !isSilent ? boundaryAt : null
}

/**
 * After a new interval or new notification modes: recomputes the grid, the confirmation and the validity of the last
 * verdict.
 */
export async function rescheduleService(transaction: Executor, serviceId: number, now: number): Promise<void> {
  const { plan, status } = await lockService(transaction, serviceId, now)
  if (plan === undefined || status === undefined || status.monitoring_status !== 'on') return
  const next = rescheduled({ dueAt: plan.due_at, reason: plan.reason }, plannedRound(status, now))
  await setPlan(transaction, serviceId, next)
  if (reportsIn(status.type_id) || status.last_analysis_time === null) return
  const validUntilAt = new Date(validUntil(status.last_analysis_time, status.interval))
  await transaction.execute(sql`update service_statuses set valid_until = ${validUntilAt}
    where service_id = ${serviceId} and valid_until is not null`)
}

/**
 * After a new address or other settings of the check: a running round with the old ones decides nothing, and starts
 * anew at once.
 */
export async function restartRound(transaction: Executor, serviceId: number, now: number): Promise<void> {
  const { status } = await lockService(transaction, serviceId, now)
  if (status?.monitoring_status !== 'on') return
  const restarted = await transaction.execute(sql`
    update schedule set claim_no = claim_no + 1, leased_until = null, due_at = ${new Date(now)}, reason = 'forced'
    where service_id = ${serviceId} and leased_until is not null`)
  if (restarted > 0) await wakeSchedulers(transaction)
}

/** How often one service may be analysed on request. */
export interface ForceLimits {
  readonly minute: number
  readonly hour: number
  readonly day: number
}

const forceWindows = [
  { limit: 'minute', milliseconds: 60_000 },
  { limit: 'hour', milliseconds: hourLength },
  { limit: 'day', milliseconds: dayLength },
] as const

/** The first limit that forbids a further request of a service or an account. */
export interface ExceededLimit {
  readonly limit: 'minute' | 'hour' | 'day'
  readonly value: number
}

async function exceededLimit(
  transaction: Executor,
  whose: Sql,
  now: number,
  limits: ForceLimits,
): Promise<ExceededLimit | null> {
  const [minute, hour, day] = forceWindows.map(({ milliseconds }) => new Date(now - milliseconds))
  const [counts] = await transaction.query<Record<'minute' | 'hour' | 'day', number>>(sql`
    select count(*) filter (where requested_at > ${minute}) as minute,
      count(*) filter (where requested_at > ${hour}) as hour, count(*) as day
    from forced_analyses where ${whose} and requested_at > ${day}`)
  for (const { limit } of forceWindows) {
    if ((counts?.[limit] ?? 0) >= limits[limit]) return { limit, value: limits[limit] }
  }
  return null
}

/** Counts a trial of a definition; null when the account may make it, else the first limit that forbids it. */
export async function countTrial(
  transaction: Executor,
  accountId: number,
  now: number,
  limits: ForceLimits,
): Promise<ExceededLimit | null> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.trials}, ${accountId})`)
  const exceeded = await exceededLimit(transaction, sql`account_id = ${accountId}`, now, limits)
  if (exceeded !== null) return exceeded
  await transaction.execute(
    sql`insert into forced_analyses (account_id, requested_at) values (${accountId}, ${new Date(now)})`,
  )
  return null
}

/**
 * Asks for a round at once; null when it will come, else the first limit that forbids it.
 * A stopped service is checked too: the analysis is kept and the state stays paused.
 */
export async function forceAnalysis(
  transaction: Executor,
  serviceId: number,
  now: number,
  limits: ForceLimits,
): Promise<ExceededLimit | null> {
  await lockPlans(transaction, [serviceId])
  const exceeded = await exceededLimit(transaction, sql`service_id = ${serviceId}`, now, limits)
  if (exceeded !== null) return exceeded
  await transaction.execute(
    sql`insert into forced_analyses (service_id, requested_at) values (${serviceId}, ${new Date(now)})`,
  )
  await setPlan(transaction, serviceId, { dueAt: now, reason: 'forced' })
  return null
}

/** Forgets requests that no limit counts any more. */
export async function pruneForcedAnalyses(executor: Executor, now: number): Promise<void> {
  const oldest = new Date(now - forceWindows[2].milliseconds)
  await executor.execute(sql`delete from forced_analyses where requested_at <= ${oldest}`)
}

/** Ends claims of missed rounds and returns how many rounds were missed: each service goes on with its next round. */
export async function skipRounds(transaction: Executor, claims: readonly ClaimedRound[], now: number): Promise<number> {
  const serviceIds = claims.map(({ serviceId }) => serviceId)
  await lockPlans(transaction, serviceIds)
  const statuses = new Map((await readStatuses(transaction, serviceIds)).map((row) => [row.service_id, row]))
  const finished = claims.map((claim) => {
    const status = statuses.get(claim.serviceId)
    return { claim, next: status?.monitoring_status === 'on' ? plannedRound(status, now) : neverRound }
  })
  await finishClaims(transaction, finished)
  const missed = claims.map((claim) => {
    const status = statuses.get(claim.serviceId)
    if (status?.monitoring_status !== 'on' || reportsIn(status.type_id)) return 0
    return roundsMissed(claim, effectiveInterval(status), now)
  })
  const all = missed.reduce((sum, rounds) => sum + rounds, 0)
  await noteMissedRounds(transaction, all, now)
  return all
}

/** To call before the rows of `services` are deleted: plans are always locked before statuses, in the order of ids. */
export async function removeSchedules(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  const ids = sql`${serviceIds}::int[]`
  await lockPlans(transaction, serviceIds)
  await transaction.execute(sql`delete from schedule where service_id = any(${ids})`)
  await transaction.execute(sql`delete from forced_analyses where service_id = any(${ids})`)
  await removeHeartbeats(transaction, serviceIds)
  await dropHeldFailures(transaction, serviceIds)
}

/** The next round of a monitored service as its status stands. */
function plannedRound(status: StatusRow, now: number): NextRound {
  // Its own round finds the next moment.
  if (reportsIn(status.type_id)) return { dueAt: now, reason: 'forced' }
  const confirmAt = pendingConfirmation({
    change: openChangeOf(status),
    delaysFromAt: status.delays_from ?? now,
    failureNotified: status.failure_notified,
    modeId: status.notification_mode_id,
    recoveryModeId: status.recovery_notification_mode_id,
  })
  const intervalSeconds = effectiveInterval(status)
  return nextRound({ serviceId: status.service_id, intervalSeconds, now, lastDueAt: null, confirmAt })
}

function effectiveInterval(status: StatusRow): number {
  return intervalInEffect({
    intervalSeconds: status.interval,
    isFailing: status.state === 'failure',
    isBreakdownSpeedUpOff: status.disable_breakdown_checks,
    isTriedAgain: isTriedAgain(status.unknown_reason),
  })
}

async function lockService(transaction: Executor, serviceId: number, now: number) {
  const { plans, statuses } = await lockServices(transaction, [serviceId], now)
  return { plan: plans[0], status: statuses[0] }
}

async function setPlan(transaction: Executor, serviceId: number, next: NextRound): Promise<void> {
  await transaction.execute(sql`
    update schedule set due_at = to_timestamp(${next.dueAt}::float8 / 1000), reason = ${next.reason}
    where service_id = ${serviceId}`)
  await wakeSchedulers(transaction)
}
