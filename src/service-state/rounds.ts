import type { Executor } from '../database/connect.ts'
import { tellStatuses } from '../database/services/stream-events.ts'
import { validUntil } from '../domain/judging/status.ts'
import type { NoticeCheck } from '../domain/notification/notice.ts'
import { releaseEscalations } from '../outbox/escalations.ts'
import { type DecidedNotice, writeIntents } from '../outbox/intents.ts'
import { type FinishedClaim, finishClaims } from './claims.ts'
import { type DegradedWrite, writeDegraded } from './degraded.ts'
import { askAncestors, readAncestors, wakeHeld } from './dependencies.ts'
import { type ExpiryWrite, writeExpiries } from './expiry.ts'
import { type HeldBack, holdFailures } from './held-failures.ts'
import { hearCalendarsUntil } from './pauses.ts'
import { neverRound } from './schedule.ts'
import {
  type ChangeWrite,
  openChangeOf,
  readStatuses,
  type StatusRow,
  type StatusWrite,
  type UnknownWrite,
  writeChanges,
  writeStatuses,
  writeUnknowns,
} from './statuses.ts'
import { type FinishedRound, type Settlement, settle } from './verdicts.ts'

/** Finished rounds change the state of their services. Two steps, so that the history is written between them. */

/** A round that ended with an analysis. */
export type Analysed<Round extends FinishedRound> = Round & { readonly analysis: NonNullable<Round['analysis']> }

function isAnalysed<Round extends FinishedRound>(round: Round): round is Analysed<Round> {
  return round.analysis !== null
}

/** The decided changes of finished rounds, not written yet. */
export interface RoundChanges<Round extends FinishedRound> {
  /** Rounds whose analysis is kept, of a stopped service too. */
  readonly analysed: Analysed<Round>[]
  readonly statuses: StatusWrite[]
  /** Services of which nothing is known any more, or for another reason than before. */
  readonly unknowns: UnknownWrite[]
  /** Services that had no verdict before and have one again. */
  readonly knownAgain: number[]
  readonly opened: ChangeWrite[]
  /** Services whose status shows something else than the time of its last analysis. */
  readonly shown: number[]
  readonly degraded: DegradedWrite[]
  readonly expiries: ExpiryWrite[]
  readonly notices: DecidedNotice[]
  readonly held: HeldBack[]
  /** Ancestors whose verdicts failures wait for. */
  readonly awaited: number[]
  /** Services whose notifications nothing holds any more. */
  readonly released: number[]
  readonly finished: FinishedClaim[]
}

/**
 * Locks the plans of the services and decides the changes. A calendar's change before a round's verdict comes first. A
 * round whose claim is no longer ours is left out, because the new holder checks anew.
 *
 * @param checksOf the checks in the form of messages; called only if something is notified
 */
export async function decideRounds<Round extends FinishedRound>(
  transaction: Executor,
  rounds: readonly Round[],
  checksOf: (round: Round) => readonly NoticeCheck[],
  now: number,
): Promise<RoundChanges<Round>> {
  const ours = await stillOurs(transaction, rounds)
  const changes = noChanges<Round>()
  if (ours.length === 0) return changes
  const rows = await readStatuses(
    transaction,
    ours.map(({ claim }) => claim.serviceId),
  )
  const statuses = new Map(rows.map((row) => [row.service_id, row]))
  const failed = ours.flatMap(({ claim, analysis }) => {
    const row = statuses.get(claim.serviceId)
    return row !== undefined && row.parent_ids.length > 0 && analysis?.verdict === 'failure' ? [row] : []
  })
  const ancestors = await readAncestors(transaction, failed, now)
  for (const round of ours) {
    const row = statuses.get(round.claim.serviceId)
    const settled = row && settle(row, round, ancestors.get(row.service_id) ?? [], now)
    changes.finished.push({ claim: round.claim, next: settled?.next ?? neverRound })
    if (row === undefined || settled === undefined) continue
    addChanges(changes, { round, row, settled, checksOf, now })
    addDegraded(changes, { round, row, settled, checksOf, now })
  }
  return changes
}

async function stillOurs<Round extends FinishedRound>(
  transaction: Executor,
  rounds: readonly Round[],
): Promise<readonly Round[]> {
  const decidedAt = new Map(rounds.map(({ claim, analysis }) => [claim.serviceId, analysis?.decidedAt]))
  const plans = await hearCalendarsUntil(
    transaction,
    rounds.map(({ claim }) => claim.serviceId),
    (serviceId) => decidedAt.get(serviceId) ?? Number.NEGATIVE_INFINITY,
  )
  const claimNos = new Map(plans.map((plan) => [plan.service_id, plan.claim_no]))
  return rounds.filter(({ claim }) => claimNos.get(claim.serviceId) === claim.claimNo)
}

function noChanges<Round extends FinishedRound>(): RoundChanges<Round> {
  const shown = {
    analysed: [],
    statuses: [],
    unknowns: [],
    knownAgain: [],
    opened: [],
    shown: [],
    degraded: [],
    expiries: [],
  }
  return { ...shown, notices: [], held: [], awaited: [], released: [], finished: [] }
}

interface Settled<Round extends FinishedRound> {
  readonly round: Round
  readonly row: StatusRow
  readonly settled: Settlement
  readonly checksOf: (round: Round) => readonly NoticeCheck[]
  readonly now: number
}

function addChanges<Round extends FinishedRound>(
  changes: RoundChanges<Round>,
  { round, row, settled, checksOf, now }: Settled<Round>,
): void {
  const { analysis } = round
  const { serviceId } = round.claim
  if (isAnalysed(round)) changes.analysed.push(round)
  if (settled.status !== null) changes.statuses.push(settled.status)
  if (settled.unknown !== null) changes.unknowns.push(settled.unknown)
  // A new period tells of the status by itself.
  if (settled.opened === null && isShownAnew(row, settled, now)) changes.shown.push(serviceId)
  if (settled.status !== null && row.unknown_reason !== null) changes.knownAgain.push(serviceId)
  if (settled.opened !== null) changes.opened.push({ serviceId, change: settled.opened })
  changes.awaited.push(...settled.awaitedIds)
  const heldBy = settled.status === null ? row.held_by_service_id : settled.status.held_by_service_id
  if (row.held_by_service_id !== null && heldBy === null) changes.released.push(serviceId)
  if (analysis === null || (settled.told === null && settled.held === null)) return
  const { analysisId, decidedAt } = analysis
  const from = { serviceId, analysisId, checks: checksOf(round) }
  if (settled.told !== null) changes.notices.push({ ...from, ...settled.told, decidedAt, pauseReason: null })
  if (settled.held !== null) changes.held.push({ ...from, changeId: settled.held.changeId })
}

/** After the notice of the verdict: a recovery is notified first. */
function addDegraded<Round extends FinishedRound>(
  changes: RoundChanges<Round>,
  { round: { claim, analysis }, round, row, settled: { degraded, opened }, checksOf }: Settled<Round>,
): void {
  if (analysis === null || degraded === null) return
  if (degraded.write !== null) changes.degraded.push(degraded.write)
  if (degraded.expiry !== null) changes.expiries.push(degraded.expiry)
  const change = opened ?? openChangeOf(row)
  if (degraded.told === null || change === null) return
  const { event, ...told } = degraded.told
  const { analysisId, decidedAt } = analysis
  const from = { serviceId: claim.serviceId, analysisId, checks: checksOf(round), decidedAt, pauseReason: null }
  changes.notices.push({ ...from, event, change, degraded: told })
}

/** True if a round changes the displayed status. A late verdict had made the service `unknown` before. */
function isShownAnew(row: StatusRow, { status, unknown, degraded }: Settlement, now: number): boolean {
  if (unknown !== null) return true
  if (status === null) return false
  if (row.held_by_service_id !== status.held_by_service_id) return true
  const wasValid = row.last_analysis_time !== null && validUntil(row.last_analysis_time, row.interval) > now
  return (
    !wasValid || degraded?.isNews === true || row.unknown_reason !== null || row.check_status !== status.check_status
  )
}

/** Writes what the rounds change, in the transaction that decided it. */
export async function writeRounds(
  transaction: Executor,
  changes: RoundChanges<FinishedRound>,
  now: number,
): Promise<void> {
  await writeStatuses(transaction, changes.statuses)
  await writeUnknowns(transaction, changes.unknowns)
  await writeDegraded(transaction, changes.degraded)
  await writeExpiries(transaction, changes.expiries)
  await writeChanges(transaction, changes.opened)
  await tellStatuses(transaction, changes.shown)
  await writeIntents(transaction, changes.notices, now)
  await holdFailures(transaction, changes.held)
  await releaseEscalations(transaction, changes.released, now)
  await finishClaims(transaction, changes.finished)
  const recovered = changes.opened.filter(({ change }) => change.state !== 'failure')
  await wakeHeld(
    transaction,
    recovered.map(({ serviceId }) => serviceId),
    now,
  )
  await askAncestors(transaction, changes.awaited, now)
}
