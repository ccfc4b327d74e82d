import type { Expiry } from '../domain/expiry/expiry.ts'
import type { WatchedDomain } from '../domain/expiry/watched-domain.ts'
import type { CheckResultValue, Verdict } from '../domain/judging/analysis.ts'
import type { DegradedReason } from '../domain/judging/degraded.ts'
import { type Ancestor, dependenceOf, independent } from '../domain/judging/dependencies.ts'
import { intervalInEffect, type NextRound, nextOnGrid, nextRound } from '../domain/judging/schedule.ts'
import { type AnalysisMark, type StatusMemory, statusAfter, validUntil } from '../domain/judging/status.ts'
import { changeFor, type NewChange, type OpenChange } from '../domain/judging/status-change.ts'
import { definitionFaults, isTriedAgain, type UnknownReason, unknownReason } from '../domain/judging/unknown-reason.ts'
import {
  decideNotice,
  type NoticeEvent,
  type NoticeMemory,
  pendingConfirmation,
} from '../domain/notification/notification.ts'
import type { ClaimedRound } from './claims.ts'
import { type DegradedSettlement, settleDegraded } from './degraded.ts'
import { neverRound } from './schedule.ts'
import { openChangeOf, type StatusRow, type StatusWrite, type UnknownWrite } from './statuses.ts'

/** The facts of an analysis on which a service's state depends. */
export interface JudgedAnalysis {
  readonly analysisId: number
  /** Unix milliseconds. */
  readonly decidedAt: number
  readonly verdict: Verdict
  /** Percent. */
  readonly errorTolerance: number
  /** The days of the warnings about an end of validity. */
  readonly warningDays: readonly number[]
  readonly domain?: WatchedDomain | null
  readonly checks: readonly JudgedCheck[]
}

export interface JudgedCheck {
  readonly result: CheckResultValue
  /** Milliseconds. */
  readonly responseTime: number | null
  readonly errorTypeId: number | null
  readonly degraded?: readonly DegradedReason[]
  readonly expiry?: Expiry
}

/** A round that has ended; without an analysis when the service has no sensors. */
export interface FinishedRound {
  readonly claim: ClaimedRound
  readonly analysis: JudgedAnalysis | null
  /** For a service that reports in; its rounds follow its reports instead of a grid. */
  readonly heartbeat?: HeartbeatOutlook
}

/** The outlook of a heartbeat after a round. Moments are Unix milliseconds. */
export interface HeartbeatOutlook {
  /** The next look; Infinity for never. */
  readonly nextAt: number
  readonly isFailing: boolean
  /** Until when a good verdict says something. */
  readonly validUntil: number
  /** It has not reported since it was made or resumed. */
  readonly isAwaited: boolean
}

/** All that one finished round changes. */
export interface Settlement {
  readonly status: StatusWrite | null
  readonly opened: NewChange | null
  readonly told: { readonly event: NoticeEvent; readonly change: OpenChange } | null
  /** The failure that quiet hours keep back. */
  readonly held: OpenChange | null
  /** Why there is no verdict, where that is news. */
  readonly unknown: UnknownWrite | null
  /** Ancestors whose verdicts the failure waits for. */
  readonly awaitedIds: readonly number[]
  /** Null without a verdict, which says nothing of it. */
  readonly degraded: DegradedSettlement | null
  readonly next: NextRound
}

const nothing = { status: null, opened: null, told: null, held: null, unknown: null, awaitedIds: [], degraded: null }

/** Decides what a finished round changes; the rules do the work. A stopped service only keeps its analysis. */
export function settle(row: StatusRow, round: FinishedRound, ancestors: readonly Ancestor[], now: number): Settlement {
  if (row.monitoring_status !== 'on') return { ...nothing, next: stoppedNext(round, now) }
  const { analysis, claim, heartbeat = null } = round
  if (analysis === null || analysis.verdict === 'none') {
    const change = openChangeOf(row)
    const modes = { modeId: row.notification_mode_id, recoveryModeId: row.recovery_notification_mode_id }
    const facts = { change, delaysFromAt: row.delays_from ?? now, failureNotified: row.failure_notified, ...modes }
    const confirmAt = pendingConfirmation(facts)
    if (heartbeat !== null) {
      const unknown = heartbeat.isAwaited ? unknownOf(row, 'heartbeat_awaited', now) : null
      return { ...nothing, unknown, next: heartbeatPlan(row, heartbeat, confirmAt, now) }
    }
    const reason = analysis === null ? faultOf(row) : unknownReason(analysis.checks)
    const unknown = unknownOf(row, reason, analysis?.decidedAt ?? now)
    return { ...nothing, unknown, next: plan(row, claim, { now, change, confirmAt, reason }) }
  }
  return applyVerdict(row, { ...round, analysis: { ...analysis, verdict: analysis.verdict }, ancestors }, now)
}

/** For a service without sensors. The fault of its definition may be more specific. */
function faultOf(row: StatusRow): UnknownReason {
  return definitionFaults.find((fault) => fault === row.unknown_reason) ?? 'no_sensor'
}

function unknownOf(row: StatusRow, reason: UnknownReason, decidedAt: number): UnknownWrite | null {
  if (row.unknown_reason === reason) return null
  return { serviceId: row.service_id, reason, sinceAt: row.unknown_since ?? decidedAt }
}

/** The stored facts of a service that decide on its notices. */
function noticeFactsOf(row: StatusRow) {
  return {
    modeId: row.notification_mode_id,
    recoveryModeId: row.recovery_notification_mode_id,
    memory: noticesOf(row),
    conditionIds: row.notification_condition_ids,
    quiet: row.notifications_status === 'silent',
    isEscalated: row.is_escalated,
  }
}

type Judged = JudgedAnalysis & { readonly verdict: 'ok' | 'failure' }

interface JudgedRound extends Pick<FinishedRound, 'claim' | 'heartbeat'> {
  readonly analysis: Judged
  readonly ancestors: readonly Ancestor[]
}

function applyVerdict(row: StatusRow, round: JudgedRound, now: number): Settlement {
  const { claim, analysis, ancestors, heartbeat = null } = round
  const { verdict, analysisId, decidedAt } = analysis
  const open = openChangeOf(row)
  const opened = changeFor(open, { kind: 'verdict', verdict, analysisId, at: decidedAt })
  const change = opened ?? open
  // changeFor opens a period whenever there was none.
  if (change === null) return { ...nothing, next: neverRound }
  const delaysFromAt = opened === null ? (row.delays_from ?? decidedAt) : decidedAt
  const dependence =
    verdict === 'failure'
      ? dependenceOf({ failedAt: change.startedAt, previousAt: row.last_analysis_time }, ancestors)
      : independent
  const decision = decideNotice({
    ...{ verdict, now: decidedAt, change, delaysFromAt, dependence },
    ...noticeFactsOf(row),
    opened: opened === null ? null : { from: open?.state ?? null },
    isAcknowledged: opened === null && row.is_acknowledged,
  })
  const memory = statusAfter(memoryOf(row), verdict, { analysisId, at: decidedAt })
  const status = statusOf(row.service_id, memory, {
    validUntil: heartbeat !== null && verdict === 'ok' ? heartbeat.validUntil : validUntil(decidedAt, row.interval),
    responseTime: responseTime(analysis.checks) ?? row.last_response_time,
    change,
    delaysFromAt,
    notices: decision.memory,
    heldBy: dependence.heldBy,
    dueAt: claim.dueAt,
  })
  const told = decision.event === null ? null : { event: decision.event, change }
  const held = decision.isHeld ? change : null
  const degraded = settleDegraded(row, verdict, analysis)
  const { confirmAt } = decision
  const next =
    heartbeat === null
      ? plan(row, claim, { now, change, confirmAt, reason: null })
      : heartbeatPlan(row, heartbeat, confirmAt, now)
  const awaitedIds = decision.event === null && !decision.memory.failureNotified ? dependence.unheardIds : []
  return { status, opened, told, held, unknown: null, awaitedIds, degraded, next }
}

/** A stopped service is not checked; a heartbeat whose pings wait goes on until they are all in the history. */
function stoppedNext({ heartbeat }: FinishedRound, now: number): NextRound {
  return heartbeat === undefined || heartbeat.nextAt > now ? neverRound : { dueAt: now, reason: 'forced' }
}

/** However late its round is claimed, a heartbeat's is judged: nothing else would notice silence. */
function heartbeatPlan(
  row: StatusRow,
  { nextAt, isFailing }: HeartbeatOutlook,
  confirmAt: number | null,
  now: number,
): NextRound {
  const facts = { intervalSeconds: row.interval, isBreakdownSpeedUpOff: row.disable_breakdown_checks }
  const intervalSeconds = intervalInEffect({ ...facts, isFailing, isTriedAgain: false })
  const repeatAt = isFailing ? nextOnGrid(row.service_id, intervalSeconds, now) : Number.POSITIVE_INFINITY
  const awaitedAt = confirmAt !== null && confirmAt > now ? confirmAt : Number.POSITIVE_INFINITY
  const dueAt = Math.min(nextAt, repeatAt, awaitedAt)
  return dueAt === Number.POSITIVE_INFINITY ? neverRound : { dueAt, reason: 'forced' }
}

function noticesOf(row: StatusRow): NoticeMemory {
  return {
    failureNotified: row.failure_notified,
    continuationsSent: row.continuations_sent,
    lastNoticeAt: row.last_notice_at,
  }
}

interface PlanFacts {
  readonly now: number
  readonly change: OpenChange | null
  readonly confirmAt: number | null
  /** Null after a verdict. */
  readonly reason: UnknownReason | null
}

function plan(row: StatusRow, claim: ClaimedRound, { now, change, confirmAt, reason }: PlanFacts): NextRound {
  const intervalSeconds = intervalInEffect({
    intervalSeconds: row.interval,
    isFailing: change?.state === 'failure',
    isBreakdownSpeedUpOff: row.disable_breakdown_checks,
    isTriedAgain: isTriedAgain(reason),
  })
  const lastDueAt = claim.reason === 'interval' ? claim.dueAt : null
  return nextRound({ serviceId: row.service_id, intervalSeconds, now, lastDueAt, confirmAt })
}

/** The mean of the good checks, as charts count it; null without any. */
function responseTime(checks: readonly JudgedCheck[]): number | null {
  const times = checks.flatMap(({ result, responseTime: time }) => (result === 'ok' && time !== null ? [time] : []))
  return times.length === 0 ? null : Math.round(times.reduce((sum, time) => sum + time, 0) / times.length)
}

function mark(analysisId: number | null, at: number | null): AnalysisMark | null {
  return analysisId === null || at === null ? null : { analysisId, at }
}

function memoryOf(row: StatusRow): StatusMemory {
  return {
    checkStatus: row.check_status,
    lastChangeAt: row.last_check_status_change_time,
    lastAnalysis: mark(row.last_analysis_id, row.last_analysis_time),
    lastOkAnalysis: mark(row.last_ok_analysis_id, row.last_ok_analysis_time),
    lastFailureAnalysis: mark(row.last_failure_analysis_id, row.last_failure_analysis_time),
  }
}

interface Standing {
  readonly validUntil: number
  readonly responseTime: number | null
  readonly change: OpenChange
  readonly delaysFromAt: number
  readonly notices: NoticeMemory
  readonly heldBy: number | null
  /** When the analysis was due. */
  readonly dueAt: number
}

/** Written in one literal: spread together from parts it took most of the time of a round's settling. */
function statusOf(serviceId: number, memory: StatusMemory, standing: Standing): StatusWrite {
  const { change, notices } = standing
  return {
    service_id: serviceId,
    check_status: memory.checkStatus,
    last_check_status_change_time: memory.lastChangeAt,
    last_analysis_id: memory.lastAnalysis?.analysisId ?? null,
    last_analysis_time: memory.lastAnalysis?.at ?? null,
    last_ok_analysis_id: memory.lastOkAnalysis?.analysisId ?? null,
    last_ok_analysis_time: memory.lastOkAnalysis?.at ?? null,
    last_failure_analysis_id: memory.lastFailureAnalysis?.analysisId ?? null,
    last_failure_analysis_time: memory.lastFailureAnalysis?.at ?? null,
    last_response_time: standing.responseTime,
    valid_until: standing.validUntil,
    state: change.state,
    state_change_id: change.changeId,
    state_since: change.startedAt,
    delays_from: standing.delaysFromAt,
    failure_notified: notices.failureNotified,
    continuations_sent: notices.continuationsSent,
    last_notice_at: notices.lastNoticeAt,
    held_by_service_id: standing.heldBy,
    last_due_at: standing.dueAt,
  }
}
