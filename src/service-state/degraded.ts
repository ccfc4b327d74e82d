import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { Expiry } from '../domain/expiry/expiry.ts'
import {
  type DegradedCheck,
  type DegradedDecision,
  type DegradedMemory,
  type DegradedReason,
  type DegradedSign,
  degradedAfter,
  isNoticeable,
  reasonsSeen,
} from '../domain/judging/degraded.ts'
import type { DegradedNotice } from '../domain/notification/notice.ts'
import type { NoticeEvent } from '../domain/notification/notification.ts'
import {
  type DueWarning,
  type ExpiringAnalysis,
  type ExpiryRow,
  type ExpiryWrite,
  expiryWrite,
  isSameEnd,
  nearestKnown,
  seeExpiry,
} from './expiry.ts'

/** The degraded state of services, kept in their statuses; its periods are kept as status changes are. */

/** The part of a status that decisions about the degraded state need. Moments are Unix milliseconds. */
export interface DegradedRow extends ExpiryRow {
  readonly degraded_signs: readonly DegradedSign[]
  readonly degraded_since: number | null
  readonly degraded_told_since: number | null
}

/** The facts of an analysis that show a degraded service. */
interface SeenAnalysis extends ExpiringAnalysis {
  readonly analysisId: number
  readonly errorTolerance: number
  readonly checks: readonly (DegradedCheck & { readonly expiry?: Expiry })[]
}

/** The settings of the service that decide on messages. */
interface Telling {
  readonly notification_mode_id: string
  readonly notification_condition_ids: readonly string[]
  readonly notifications_status: 'on' | 'silent'
}

/** A changed degraded state. */
export interface DegradedWrite {
  readonly serviceId: number
  readonly memory: DegradedMemory
  readonly reasons: DegradedDecision['reasons']
  /** The analysis that decided, and the moment of its decision. */
  readonly analysisId: number
  readonly at: number
  /** The period before ends, even if the service stays degraded: for another reason. */
  readonly hasEnded: boolean
  /** A period begins. */
  readonly hasBegun: boolean
}

/** An event of the degraded state. A warning about an end has the same id each time it is decided. */
interface ToldDegraded extends DegradedNotice {
  readonly event: NoticeEvent
}

export interface DegradedSettlement {
  /** Null: nothing changes. */
  readonly write: DegradedWrite | null
  readonly told: ToldDegraded | null
  /** Null: no end of validity changes. */
  readonly expiry: ExpiryWrite | null
  /** The displayed status changes. */
  readonly isNews: boolean
}

export function settleDegraded(
  row: DegradedRow & Telling & { readonly service_id: number; readonly degraded_reasons: readonly string[] },
  verdict: 'ok' | 'failure',
  analysis: SeenAnalysis,
): DegradedSettlement {
  const { analysisId, decidedAt } = analysis
  const before = memoryOf(row)
  const ends = seeExpiry(row, verdict, analysis)
  // One in a round: the others are news in the next one.
  const warning = ends.due.find((one) => one.isNews) ?? null
  const { memory, reasons, event } = degradedAfter(before, {
    ...{ verdict, now: decidedAt, seen: verdict === 'ok' ? seenIn(analysis, ends.due) : [] },
    isWanted: row.notification_mode_id !== 'off' && row.notification_condition_ids.includes('degraded'),
    isQuiet: row.notifications_status === 'silent',
    isWarningDue: warning !== null,
  })
  const isNews = reasons.join() !== row.degraded_reasons.join() || !isSameEnd(nearestKnown(row), ends.nearest)
  // Visitors notice one part and not the other, so these are two periods.
  const isOther = memory.sinceAt !== null && isNoticeable(reasons) !== isNoticeable(row.degraded_reasons)
  const hasBegun = memory.sinceAt !== null && (before.sinceAt === null || isOther)
  const hasEnded = before.sinceAt !== null && (memory.sinceAt === null || isOther)
  const write = { serviceId: row.service_id, memory, reasons, analysisId, at: decidedAt, hasBegun, hasEnded }
  const told = toldOf(event, before, write, warning)
  const expiry = expiryWrite(row, ends, told?.expiry === undefined ? null : warning)
  return { write: isSame(before, memory) ? null : write, told, expiry, isNews }
}

function seenIn({ checks, errorTolerance }: SeenAnalysis, due: readonly DueWarning[]): readonly DegradedReason[] {
  return [...reasonsSeen(checks, errorTolerance), ...due.map(({ end }) => end.kind)]
}

function toldOf(
  event: DegradedDecision['event'],
  before: DegradedMemory,
  { memory, reasons, at, analysisId }: DegradedWrite,
  warning: DueWarning | null,
): ToldDegraded | null {
  if (event === null) return null
  const sinceAt = (event === 'degraded' ? memory.toldSinceAt : before.toldSinceAt) ?? at
  // A period that a failure or a pause ended has no length of its own any more.
  const isWhole = event === 'degraded_end' && before.sinceAt === sinceAt
  const told = { reasons, sinceAt, endedAt: isWhole ? at : null }
  if (event === 'degraded_end' || warning === null) {
    return { ...told, event: { condition: event, eventId: `${event}:${analysisId}` } }
  }
  const { end, days } = warning
  const eventId = `${event}:${end.kind}:${end.id}:${end.endsAt}:${days}`
  return { ...told, event: { condition: event, eventId }, expiry: { ...end, days } }
}

function memoryOf(row: DegradedRow): DegradedMemory {
  return { signs: row.degraded_signs, sinceAt: row.degraded_since, toldSinceAt: row.degraded_told_since }
}

/** Most services have no signs, before and after. */
function isSame(one: DegradedMemory, other: DegradedMemory): boolean {
  if (one.sinceAt !== other.sinceAt || one.toldSinceAt !== other.toldSinceAt) return false
  if (one.signs.length !== other.signs.length) return false
  return one.signs.every(({ reason, holds, rounds }, index) => {
    const sign = other.signs[index]
    return sign?.reason === reason && sign.holds === holds && sign.rounds === rounds
  })
}

/** Expects the plans locked in this transaction. */
export async function writeDegraded(transaction: Executor, writes: readonly DegradedWrite[]): Promise<void> {
  if (writes.length === 0) return
  await transaction.execute(
    sql`update service_statuses set degraded_reasons = string_to_array(new.reasons, ','), degraded_signs = new.signs,
        degraded_since = to_timestamp(new.since / 1000), degraded_told_since = to_timestamp(new.told_since / 1000)
      from unnest(${writes.map(({ serviceId }) => serviceId)}::int[], ${writes.map(({ reasons }) => reasons.join())}::text[],
        ${writes.map(({ memory }) => JSON.stringify(memory.signs))}::jsonb[],
        ${writes.map(({ memory }) => memory.sinceAt)}::float8[], ${writes.map(({ memory }) => memory.toldSinceAt)}::float8[])
        as new (service_id, reasons, signs, since, told_since)
      where service_statuses.service_id = new.service_id`,
    'write-degraded',
  )
  await closePeriods(
    transaction,
    writes.filter(({ hasEnded }) => hasEnded),
  )
  const begun = writes.filter(({ hasBegun }) => hasBegun)
  if (begun.length === 0) return
  await transaction.execute(
    sql`insert into degraded_periods (service_id, period_id, start_time, is_noticeable)
      select service_id, period_id, to_timestamp(start / 1000), is_noticeable
      from unnest(${begun.map(({ serviceId }) => serviceId)}::int[], ${begun.map(({ analysisId }) => analysisId)}::bigint[],
        ${begun.map(({ at }) => at)}::float8[], ${begun.map(({ reasons }) => isNoticeable(reasons))}::boolean[])
        as new (service_id, period_id, start, is_noticeable)
      on conflict do nothing`,
    'open-degraded-periods',
  )
}

async function closePeriods(
  transaction: Executor,
  ends: readonly { readonly serviceId: number; readonly at: number }[],
): Promise<void> {
  if (ends.length === 0) return
  await transaction.execute(
    sql`update degraded_periods set end_time = greatest(start_time, to_timestamp(ended.at / 1000))
      from unnest(${ends.map(({ serviceId }) => serviceId)}::int[], ${ends.map(({ at }) => at)}::float8[])
        as ended (service_id, at)
      where degraded_periods.service_id = ended.service_id and end_time is null`,
    'close-degraded-periods',
  )
}

/** For services that are stopped: nothing is known of them any more. The memory of notices stays. */
export async function endDegraded(
  transaction: Executor,
  ends: readonly { readonly serviceId: number; readonly at: number }[],
): Promise<void> {
  if (ends.length === 0) return
  await transaction.execute(
    sql`update service_statuses set degraded_reasons = '{}', degraded_signs = '[]', degraded_since = null
      where service_id = any(${ends.map(({ serviceId }) => serviceId)}::int[]) and degraded_signs <> '[]'`,
    'end-degraded',
  )
  await closePeriods(transaction, ends)
}
