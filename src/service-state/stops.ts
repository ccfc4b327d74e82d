import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { tellStatuses } from '../database/services/stream-events.ts'
import { suspensionAt } from '../domain/calendars/suspension.ts'
import { nextOnGrid, spedUpIntervalSeconds } from '../domain/judging/schedule.ts'
import { changeFor, monitoringStatusFor, type NewChange, type PauseReason } from '../domain/judging/status-change.ts'
import { pauseEvent } from '../domain/notification/notification.ts'
import { type DecidedNotice, writeIntents } from '../outbox/intents.ts'
import { readCalendars } from './calendars.ts'
import { restartHeartbeats } from './heartbeats.ts'
import { lockServices } from './pauses.ts'
import { openChangeOf, openChanges, type StatusRow } from './statuses.ts'
import { wakeSchedulers } from './wake-schedulers.ts'

/** Stops by hand: the service's own switch, archiving, the blocking of its owner. Each is stored where it was made. */

/**
 * Stops monitoring: the state becomes paused, no further round starts, and a running round only goes into the history.
 */
export function stopMonitoring(
  transaction: Executor,
  serviceId: number,
  reason: PauseReason,
  now: number,
): Promise<void> {
  return stopServices(transaction, [serviceId], reason, now)
}

/** Stops many services as one: a number of statements that does not grow with them. */
export async function stopServices(
  transaction: Executor,
  serviceIds: readonly number[],
  reason: PauseReason,
  now: number,
): Promise<void> {
  for (const ids of batchesOf(serviceIds)) {
    const { statuses } = await lockServices(transaction, ids, now)
    const locked = statuses.map((status) => status.service_id)
    await transaction.execute(sql`
      update service_statuses set valid_until = null,
        monitoring_status = case monitoring_status when 'off' then 'off' else ${monitoringStatusFor(reason)} end
      where service_id = any(${locked}::int[])`)
    await tellStatuses(transaction, locked)
    await transaction.execute(sql`
      update schedule set due_at = 'infinity', reason = 'interval' where service_id = any(${locked}::int[])`)
    const stops = statuses.flatMap((status) => {
      const change = changeFor(openChangeOf(status), { kind: 'stop', reason, at: now })
      return change === null ? [] : [{ status, serviceId: status.service_id, change }]
    })
    await openChanges(transaction, stops)
    const notices = stops.flatMap((stop) => noticeOf(stop, reason, now))
    await writeIntents(transaction, notices, now)
  }
}

interface Stop {
  readonly status: StatusRow
  readonly change: NewChange
}

function noticeOf({ status, change }: Stop, reason: PauseReason, now: number): DecidedNotice[] {
  const event = pauseEvent({
    from: openChangeOf(status)?.state ?? null,
    changeId: change.changeId,
    reason,
    modeId: status.notification_mode_id,
    quiet: status.notifications_status === 'silent',
  })
  if (event === null) return []
  const { service_id: serviceId } = status
  return [{ serviceId, event, decidedAt: now, change, analysisId: null, checks: [], pauseReason: reason }]
}

/**
 * Takes a stop by hand back: the first round comes at once, unless another stop by hand or a calendar still holds.
 * The state stays paused until a verdict. A round that is still under way from before the stop no longer counts.
 */
export function resumeMonitoring(transaction: Executor, serviceId: number, now: number): Promise<void> {
  return resume(transaction, [serviceId], now, () => now)
}

/**
 * The same for many services. Their first rounds come within a minute, each on its own grid, so that they make no
 * burst.
 */
export async function resumeServices(transaction: Executor, serviceIds: readonly number[], now: number): Promise<void> {
  const firstRound = ({ service_id: id, interval }: StatusRow) =>
    nextOnGrid(id, Math.min(interval, spedUpIntervalSeconds), now)
  for (const ids of batchesOf(serviceIds)) await resume(transaction, ids, now, firstRound)
}

async function resume(
  transaction: Executor,
  serviceIds: readonly number[],
  now: number,
  firstRound: (status: StatusRow) => number,
): Promise<void> {
  const { statuses } = await lockServices(transaction, serviceIds, now)
  const held = new Set((await readHolds(transaction, serviceIds)).map((hold) => hold.service_id))
  const freed = statuses.filter((status) => status.monitoring_status !== 'on' && !held.has(status.service_id))
  const ids = freed.map((status) => status.service_id)
  const calendars = await readCalendars(transaction, ids, now)
  const isSuspended = freed.map(({ service_id: id }) => {
    const calendar = calendars.get(id)
    return calendar !== undefined && suspensionAt(calendar, now) !== null
  })
  await transaction.execute(sql`
    update service_statuses set monitoring_status = case when freed.is_suspended then 'suspended' else 'on' end
    from unnest(${ids}::int[], ${isSuspended}::boolean[]) as freed (service_id, is_suspended)
    where service_statuses.service_id = freed.service_id`)
  await tellStatuses(transaction, ids)
  const running = freed.filter((_status, index) => isSuspended[index] === false)
  if (running.length === 0) return
  await transaction.execute(sql`
    update schedule set due_at = to_timestamp(first.due_at / 1000), reason = 'forced', claim_no = claim_no + 1, leased_until = null
    from unnest(${running.map((status) => status.service_id)}::int[], ${running.map(firstRound)}::float8[])
      as first (service_id, due_at)
    where schedule.service_id = first.service_id`)
  await restartHeartbeats(
    transaction,
    running.map((status) => status.service_id),
    now,
  )
  await wakeSchedulers(transaction)
}

/** Services stopped by their own switch, by archiving, or by the blocking of their owner or the owner's parent. */
export function readHolds(transaction: Executor, serviceIds: readonly number[]) {
  return transaction.query<{ service_id: number; by_block: boolean }>(
    sql`
    select s.id as service_id, s.is_active and not s.is_archived as by_block
    from services s join accounts owner on owner.id = s.owner_id
    left join accounts parent on parent.id = owner.parent_account_id
    where s.id = any(${serviceIds}::int[])
      and (not s.is_active or s.is_archived or owner.is_blocked or coalesce(parent.is_blocked, false))`,
    'read-holds',
  )
}

/** Services locked in one statement; batches are taken in the order of ids, as everybody takes them. */
const batchSize = 1000

function* batchesOf(serviceIds: readonly number[]): Generator<readonly number[]> {
  const ordered = serviceIds.toSorted((a, b) => a - b)
  for (let first = 0; first < ordered.length; first += batchSize) yield ordered.slice(first, first + batchSize)
}
