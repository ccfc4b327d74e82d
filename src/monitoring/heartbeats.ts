import type { Executor } from '../database/connect.ts'
import { hourLength } from '../domain/calendars/durations.ts'
import { analysisIdOf, coreSensorId } from '../domain/judging/analysis.ts'
import { type ErrorTypeSymbol, errorType } from '../domain/judging/error-types.ts'
import { pendingConfirmation } from '../domain/notification/notification.ts'
import {
  type HeartbeatEvent,
  type HeartbeatFailure,
  heartbeatValidUntil,
  judgeHeartbeat,
} from '../domain/services/heartbeat.ts'
import { heartbeatMessage } from '../domain/services/heartbeat-message.ts'
import type { CheckResult } from '../sensor/protocol.ts'
import {
  type Hearing,
  type HeartbeatRow,
  type HeartbeatWrite,
  readHearing,
  readHeartbeats,
} from '../service-state/heartbeats.ts'
import { hearCalendarsUntil } from '../service-state/pauses.ts'
import { openChangeOf, readStatuses, type StatusRow } from '../service-state/statuses.ts'
import type { Analysis } from './analysis.ts'
import type { RecordableRound } from './recordable-round.ts'

/**
 * Rounds of services that report in. They are judged in the transaction that records them, because only the locked plan
 * tells that no further ping is on its way into the table.
 */

const errorSymbols: Readonly<Record<HeartbeatFailure['kind'], ErrorTypeSymbol>> = {
  late: 'heartbeat_late',
  reported: 'heartbeat_failed',
  overrun: 'heartbeat_overrun',
}

/** An event is told at its own second, unless it is so old that its day may be closed. */
const oldestEvent = hourLength

function decidedAt(event: HeartbeatEvent, row: StatusRow, now: number): number {
  const after = Math.max(row.last_analysis_time ?? 0, row.state_since ?? 0) + 1
  return Math.max(Math.min(event.at, now), now - oldestEvent, Math.min(after, now))
}

function resultOf(serviceId: number, event: HeartbeatEvent, at: number): CheckResult {
  const nothing = { dataSize: null, phases: null, steps: null, evidence: null }
  const about = { serviceId, sensorId: coreSensorId, startedAt: at, ...nothing }
  if (event.verdict === 'ok') {
    const responseTime = event.runMs === null ? null : Math.round(event.runMs)
    return { ...about, result: 'ok', responseTime, errorTypeId: null, errorMessage: null }
  }
  const errorTypeId = errorType(errorSymbols[event.failure.kind]).id
  return { ...about, result: 'error', responseTime: null, errorTypeId, errorMessage: heartbeatMessage(event.failure) }
}

function isConfirming(row: StatusRow, now: number): boolean {
  const confirmAt = pendingConfirmation({
    change: openChangeOf(row),
    delaysFromAt: row.delays_from ?? now,
    failureNotified: row.failure_notified,
    modeId: row.notification_mode_id,
    recoveryModeId: row.recovery_notification_mode_id,
  })
  return confirmAt !== null && confirmAt <= now
}

interface JudgedRound {
  readonly round: RecordableRound
  readonly write: HeartbeatWrite
}

interface RoundFacts {
  readonly heartbeat: HeartbeatRow
  readonly status: StatusRow
  readonly hearing: Hearing
  readonly now: number
}

function judgeRound(round: RecordableRound, { heartbeat, status, hearing, now }: RoundFacts): JudgedRound {
  const { claim } = round
  const { rules, state, pings } = heartbeat
  const isWatched = status.monitoring_status === 'on'
  const facts = { state, rules, pings, ...hearing, isWatched, isConfirming: isConfirming(status, now), now }
  const judgement = judgeHeartbeat(facts)
  const { event, nextAt } = judgement
  const outlook = {
    nextAt,
    isFailing: judgement.state.failure !== null,
    validUntil: heartbeatValidUntil(judgement.state, rules),
    isAwaited: status.last_analysis_time === null || status.state === 'paused',
  }
  const at = event === null ? now : decidedAt(event, status, now)
  const analysis: Analysis | null =
    event === null
      ? null
      : {
          typeId: status.type_id,
          analysisId: analysisIdOf(at, claim.claimNo),
          decidedAt: at,
          verdict: event.verdict,
          errorTolerance: 100,
          warningDays: [],
          checks: [resultOf(claim.serviceId, event, at)],
        }
  const { serviceId } = heartbeat
  return { round: { ...round, analysis, heartbeat: outlook }, write: { serviceId, rules, judgement } }
}

/** Judges the rounds of services that report in; the others pass as they are. Locks the plans of all of them. */
export async function judgeReports(
  transaction: Executor,
  rounds: readonly RecordableRound[],
  now: number,
): Promise<{ readonly rounds: readonly RecordableRound[]; readonly writes: readonly HeartbeatWrite[] }> {
  const reporting = rounds.filter((round) => round.reportsIn === true)
  if (reporting.length === 0) return { rounds, writes: [] }
  const decided = new Map(rounds.map(({ claim, analysis }) => [claim.serviceId, analysis?.decidedAt]))
  const ids = reporting.map(({ claim }) => claim.serviceId)
  const own = new Set(ids)
  const plans = await hearCalendarsUntil(
    transaction,
    rounds.map(({ claim }) => claim.serviceId),
    (serviceId) => (own.has(serviceId) ? now : (decided.get(serviceId) ?? Number.NEGATIVE_INFINITY)),
  )
  const claimNos = new Map(plans.map((plan) => [plan.service_id, plan.claim_no]))
  const heartbeats = await readHeartbeats(transaction, ids)
  const statuses = new Map((await readStatuses(transaction, ids)).map((row) => [row.service_id, row]))
  const hearingOf = await readHearing(transaction, ids)
  const writes: HeartbeatWrite[] = []
  const judged = rounds.map((round) => {
    const { serviceId, claimNo } = round.claim
    const [heartbeat, status] = [heartbeats.get(serviceId), statuses.get(serviceId)]
    const isOurs = claimNos.get(serviceId) === claimNo
    if (round.reportsIn !== true || !isOurs || heartbeat === undefined || status === undefined) return round
    const { round: done, write } = judgeRound(round, { heartbeat, status, hearing: hearingOf(serviceId), now })
    writes.push(write)
    return done
  })
  return { rounds: judged, writes }
}
