import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { tellStatuses } from '../database/services/stream-events.ts'
import { type Pausing, pausingBetween } from '../domain/judging/pausing.ts'
import { nextOnGrid, spedUpIntervalSeconds } from '../domain/judging/schedule.ts'
import { changeFor } from '../domain/judging/status-change.ts'
import { releaseEscalations } from '../outbox/escalations.ts'
import { readCalendars } from './calendars.ts'
import { restartHeartbeats } from './heartbeats.ts'
import { tellHeldFailures } from './held-failures.ts'
import { lockPlans, openChangeOf, openChanges, type PlanRow, readStatuses, type StatusRow } from './statuses.ts'
import { wakeSchedulers } from './wake-schedulers.ts'

/** The effect of calendars on services: each boundary at its own moment, however late it is handled. */

export interface DueBoundary {
  readonly serviceId: number
  /** The boundary itself, or the moment when the plans changed. */
  readonly fromAt: number
  readonly toAt: number
}

/**
 * Takes services whose calendars have spoken; processes never wait for each other nor take the same one. The plans stay
 * locked until the transaction ends, so whoever dies in between has taken nothing.
 */
export async function claimBoundaries(transaction: Executor, now: number, limit: number): Promise<DueBoundary[]> {
  const rows = await transaction.query<{ service_id: number; boundary_at: number }>(
    sql`select service_id, boundary_at from schedule
      where boundary_at <= ${new Date(now)} and boundary_at < 'infinity'
      order by boundary_at limit ${limit} for update skip locked`,
    'claim-boundaries',
  )
  return rows.map((row) => ({ serviceId: row.service_id, fromAt: row.boundary_at, toAt: now }))
}

/** The next boundary of all services; Infinity for none. */
export async function nextBoundaryAt(executor: Executor): Promise<number> {
  const [first] = await executor.query<{ boundary_at: number }>(
    sql`select boundary_at from schedule where boundary_at < 'infinity' order by boundary_at limit 1`,
    'next-boundary',
  )
  return first?.boundary_at ?? Number.POSITIVE_INFINITY
}

/** To call whenever anything that a service's calendar is made of has changed: what it says holds from now on. */
export async function calendarsChanged(
  transaction: Executor,
  serviceIds: readonly number[],
  now: number,
): Promise<void> {
  if (serviceIds.length === 0) return
  const plans = await lockPlans(transaction, serviceIds)
  const due = plans.map((plan) => ({
    serviceId: plan.service_id,
    fromAt: Math.min(plan.boundary_at, now),
    toAt: now,
  }))
  await applyBoundaries(transaction, due)
  await wakeSchedulers(transaction)
}

/** Changes by the calendars until now come first, if nobody has handled them yet. */
export async function lockServices(transaction: Executor, serviceIds: readonly number[], now: number) {
  const plans = await hearCalendars(transaction, serviceIds, now)
  return { plans, statuses: await readStatuses(transaction, serviceIds) }
}

/**
 * Call it before any change to a service's calendar: otherwise its unhandled changes until now would be forgotten.
 * Locks the plans, and returns them as the calendars left them.
 */
export function hearCalendars(transaction: Executor, serviceIds: readonly number[], now: number): Promise<PlanRow[]> {
  return hearCalendarsUntil(transaction, serviceIds, () => now)
}

/** The same, for each service until a moment of its own. */
export async function hearCalendarsUntil(
  transaction: Executor,
  serviceIds: readonly number[],
  until: (serviceId: number) => number,
): Promise<PlanRow[]> {
  const plans = await lockPlans(transaction, serviceIds)
  const due = plans.flatMap(({ service_id: serviceId, boundary_at: fromAt }) => {
    const toAt = until(serviceId)
    return fromAt <= toAt ? [{ serviceId, fromAt, toAt }] : []
  })
  const changed = new Map((await applyBoundaries(transaction, due)).map((plan) => [plan.service_id, plan]))
  return plans.map((plan) => changed.get(plan.service_id) ?? plan)
}

interface Paused {
  readonly row: StatusRow
  readonly pausing: Pausing
  readonly toAt: number
}

/**
 * Goes through the boundaries of each service. Expects the plans locked in this transaction, and returns their new
 * state.
 */
export async function applyBoundaries(transaction: Executor, due: readonly DueBoundary[]): Promise<readonly PlanRow[]> {
  if (due.length === 0) return []
  const serviceIds = due.map(({ serviceId }) => serviceId)
  const rows = new Map((await readStatuses(transaction, serviceIds)).map((row) => [row.service_id, row]))
  const firstAt = Math.min(...due.map(({ fromAt }) => fromAt))
  const calendars = await readCalendars(transaction, serviceIds, firstAt)
  const paused = due.flatMap(({ serviceId, fromAt, toAt }): Paused[] => {
    const [row, calendar] = [rows.get(serviceId), calendars.get(serviceId)]
    if (row === undefined || calendar === undefined) return []
    const state = { monitoring: row.monitoring_status, isSilent: row.notifications_status === 'silent' }
    return [{ row, pausing: pausingBetween(calendar, state, fromAt, toAt), toAt }]
  })
  await writePauses(transaction, paused)
  const plans = await writePlans(transaction, paused)
  const resumed = paused.filter(({ pausing }) => pausing.isResumed)
  const resumedIds = resumed.map(({ row }) => row.service_id)
  await restartHeartbeats(transaction, resumedIds, Math.max(...resumed.map(({ toAt }) => toAt)))
  await openPauses(transaction, paused)
  await endQuietHours(transaction, paused)
  return plans
}

async function writePauses(transaction: Executor, paused: readonly Paused[]): Promise<void> {
  const changed = await transaction.query<{ service_id: number }>(
    sql`
    update service_statuses set monitoring_status = new.monitoring, notifications_status = new.notifications,
      valid_until = case when new.stopped then null else valid_until end
    from unnest(${paused.map(({ row }) => row.service_id)}::int[],
      ${paused.map(({ pausing }) => pausing.monitoring)}::text[],
      ${paused.map(({ pausing }) => (pausing.isSilent ? 'silent' : 'on'))}::text[],
      ${paused.map(({ pausing }) => pausing.stopped !== null)}::boolean[])
      as new (service_id, monitoring, notifications, stopped)
    where service_statuses.service_id = new.service_id and (new.stopped
      or monitoring_status <> new.monitoring or notifications_status <> new.notifications)
    returning service_statuses.service_id`,
    'write-pauses',
  )
  await tellStatuses(
    transaction,
    changed.map((row) => row.service_id),
  )
}

/**
 * A resumed service is checked within a minute, on its own grid, so services that one calendar resumes together make no
 * burst. A round still running from before the stop no longer counts then.
 */
async function writePlans(transaction: Executor, paused: readonly Paused[]): Promise<readonly PlanRow[]> {
  const dueAt = paused.map(({ row, pausing, toAt }) =>
    pausing.isResumed
      ? nextOnGrid(row.service_id, Math.min(row.interval, spedUpIntervalSeconds), toAt)
      : Number.POSITIVE_INFINITY,
  )
  return transaction.query<PlanRow>(
    sql`
    update schedule set boundary_at = to_timestamp(new.boundary_at / 1000),
      due_at = case when new.resumed or new.stopped then to_timestamp(new.due_at / 1000) else schedule.due_at end,
      reason = case when new.resumed then 'forced' when new.stopped then 'interval' else reason end,
      claim_no = case when new.resumed then claim_no + 1 else claim_no end,
      leased_until = case when new.resumed then null else leased_until end
    from unnest(${paused.map(({ row }) => row.service_id)}::int[],
      ${paused.map(({ pausing }) => pausing.boundaryAt)}::float8[], ${dueAt}::float8[],
      ${paused.map(({ pausing }) => pausing.isResumed)}::boolean[],
      ${paused.map(({ pausing }) => pausing.stopped !== null)}::boolean[])
      as new (service_id, boundary_at, due_at, resumed, stopped)
    where schedule.service_id = new.service_id
    returning schedule.service_id, claim_no, schedule.due_at, reason, schedule.boundary_at`,
    'write-boundaries',
  )
}

async function openPauses(transaction: Executor, paused: readonly Paused[]): Promise<void> {
  const changes = paused.flatMap(({ row, pausing: { stopped } }) => {
    const change = stopped === null ? null : changeFor(openChangeOf(row), { kind: 'stop', ...stopped })
    return change === null ? [] : [{ serviceId: row.service_id, change }]
  })
  await openChanges(transaction, changes)
}

async function endQuietHours(transaction: Executor, paused: readonly Paused[]): Promise<void> {
  const ends = paused.flatMap(({ row, pausing: { quietEndedAt }, toAt }) =>
    quietEndedAt === null
      ? []
      : [{ serviceId: row.service_id, at: quietEndedAt, modeId: row.notification_mode_id, toAt }],
  )
  const now = Math.max(0, ...ends.map(({ toAt }) => toAt))
  await tellHeldFailures(transaction, ends, now)
  const heard = paused.filter(({ pausing }) => !pausing.isSilent)
  await releaseEscalations(
    transaction,
    heard.map(({ row }) => row.service_id),
    Math.max(...paused.map(({ toAt }) => toAt)),
  )
}
