import type { Database, Executor } from '../database/connect.ts'
import { tellStatuses } from '../database/stream-events.ts'
import { countAnalyses } from '../database/usage.ts'
import type { NoticeCheck } from '../domain/notice.ts'
import { validUntil } from '../domain/status.ts'
import { insertAnalyses } from '../history/analyses.ts'
import { addToRollUps } from '../history/roll-ups.ts'
import { type DecidedNotice, writeIntents } from '../outbox/intents.ts'
import type { CheckResult } from '../sensor/protocol.ts'
import { type Claim, type FinishedClaim, finishClaims } from '../service-state/claims.ts'
import { type HeldBack, holdFailures } from '../service-state/held-failures.ts'
import { applyBoundaries } from '../service-state/pauses.ts'
import { neverRound } from '../service-state/schedule.ts'
import {
  type ChangeWrite,
  lockPlans,
  type PlanRow,
  readStatuses,
  type StatusRow,
  type StatusWrite,
  type UnknownWrite,
  writeChanges,
  writeStatuses,
  writeUnknowns,
} from '../service-state/statuses.ts'
import type { Analysis } from './analyse.ts'
import type { KeptArtifacts } from './evidence.ts'
import { rowOf } from './history-row.ts'
import { type FinishedRound, settle } from './settle.ts'
import type { SensorDirectory } from './stations.ts'

/** A finished round with the evidence that was kept for it. */
export interface RecordableRound extends FinishedRound {
  readonly artifacts: KeptArtifacts
}

/** What one transaction kept. */
export interface Recorded {
  readonly analysed: Changes['analysed']
  /** How many notices a service's round decided; services without one are left out. */
  readonly notices: ReadonlyMap<number, number>
  /** Services of which nothing is known any more, or for another reason than before. */
  readonly unknowns: readonly UnknownWrite[]
  /** Services that had no verdict before and have one again. */
  readonly knownAgain: readonly number[]
}

const nothing: Recorded = { analysed: [], notices: new Map(), unknowns: [], knownAgain: [] }

/**
 * Records finished rounds in one transaction: analyses, statuses, periods, notices and the next plans.
 * A round whose claim is not ours any more is discarded: whoever took it over checks anew.
 */
export async function recordRounds(
  database: Database,
  rounds: readonly RecordableRound[],
  sensors: Pick<SensorDirectory, 'rowOf'>,
  now: number,
): Promise<Recorded> {
  return database.transaction(async (transaction) => {
    const ours = await stillOurs(transaction, rounds)
    if (ours.length === 0) return nothing
    const changes = await settleAll(transaction, ours, sensors, now)
    const fresh = await insertAnalyses(
      transaction,
      changes.analysed.map(({ analysis, round }) => rowOf(round, analysis)),
    )
    await addToRollUps(transaction, fresh)
    await writeStatuses(transaction, changes.statuses)
    await writeUnknowns(transaction, changes.unknowns)
    await writeChanges(transaction, changes.opened)
    await tellStatuses(transaction, changes.shown)
    await writeIntents(transaction, changes.notices, now)
    await holdFailures(transaction, changes.held)
    await finishClaims(transaction, changes.finished)
    await countAnalyses(transaction, fresh)
    const { analysed, notices, unknowns, knownAgain } = changes
    return { analysed, notices: countsOf(notices), unknowns, knownAgain }
  })
}

function countsOf(notices: readonly DecidedNotice[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const { serviceId } of notices) counts.set(serviceId, (counts.get(serviceId) ?? 0) + 1)
  return counts
}

/** A calendar that spoke before a round's verdict is heard before it. */
async function lockPlansUpToDate(transaction: Executor, rounds: readonly RecordableRound[]): Promise<PlanRow[]> {
  const serviceIds = rounds.map(({ claim }) => claim.serviceId)
  const decidedAt = new Map(rounds.map(({ claim, analysis }) => [claim.serviceId, analysis?.decidedAt]))
  const plans = await lockPlans(transaction, serviceIds)
  const due = plans.flatMap(({ service_id: serviceId, boundary_at: fromAt }) => {
    const toAt = decidedAt.get(serviceId) ?? Number.NEGATIVE_INFINITY
    return fromAt <= toAt ? [{ serviceId, fromAt, toAt }] : []
  })
  if (due.length === 0) return plans
  await applyBoundaries(transaction, due)
  return lockPlans(transaction, serviceIds)
}

async function stillOurs(transaction: Executor, rounds: readonly RecordableRound[]): Promise<RecordableRound[]> {
  const plans = await lockPlansUpToDate(transaction, rounds)
  const claimNos = new Map(plans.map((plan) => [plan.service_id, plan.claim_no]))
  return rounds.filter(({ claim }) => claimNos.get(claim.serviceId) === claim.claimNo)
}

interface Changes {
  readonly analysed: { readonly round: RecordableRound; readonly claim: Claim; readonly analysis: Analysis }[]
  readonly statuses: StatusWrite[]
  readonly unknowns: UnknownWrite[]
  readonly knownAgain: number[]
  readonly opened: ChangeWrite[]
  /** Services whose status shows something else than the time of its last analysis. */
  readonly shown: number[]
  readonly notices: DecidedNotice[]
  readonly held: HeldBack[]
  readonly finished: FinishedClaim[]
}

function noChanges(): Changes {
  const shown = { analysed: [], statuses: [], unknowns: [], knownAgain: [], opened: [], shown: [] }
  return { ...shown, notices: [], held: [], finished: [] }
}

async function settleAll(
  transaction: Executor,
  rounds: readonly RecordableRound[],
  sensors: Pick<SensorDirectory, 'rowOf'>,
  now: number,
): Promise<Changes> {
  const rows = await readStatuses(
    transaction,
    rounds.map(({ claim }) => claim.serviceId),
  )
  const statuses = new Map(rows.map((row) => [row.service_id, row]))
  const changes = noChanges()
  for (const round of rounds) {
    const { claim, analysis } = round
    const row = statuses.get(claim.serviceId)
    const settled = row && settle(row, round, now)
    changes.finished.push({ claim, next: settled?.next ?? neverRound })
    if (settled === undefined) continue
    if (analysis !== null) changes.analysed.push({ round, claim, analysis })
    if (settled.status !== null) changes.statuses.push(settled.status)
    if (settled.unknown !== null) changes.unknowns.push(settled.unknown)
    // A new period tells of the status by itself.
    if (row !== undefined && settled.opened === null && isShownAnew(row, settled, now))
      changes.shown.push(row.service_id)
    if (settled.status !== null && row?.unknown_reason !== null) changes.knownAgain.push(claim.serviceId)
    if (settled.opened !== null) changes.opened.push({ serviceId: claim.serviceId, change: settled.opened })
    if (analysis === null || (settled.told === null && settled.held === null)) continue
    const { analysisId, decidedAt } = analysis
    const from = {
      serviceId: claim.serviceId,
      analysisId,
      checks: analysis.checks.map((check) => noticeCheck(check, sensors, round.artifacts)),
    }
    if (settled.told !== null) changes.notices.push({ ...from, ...settled.told, decidedAt, pauseReason: null })
    if (settled.held !== null) changes.held.push({ ...from, changeId: settled.held.changeId })
  }
  return changes
}

/** Whether a round changes what people see of the status. A verdict that came too late for its service had become `unknown`. */
function isShownAnew(
  row: StatusRow,
  { status, unknown }: Pick<ReturnType<typeof settle>, 'status' | 'unknown'>,
  now: number,
): boolean {
  if (unknown !== null) return true
  if (status === null) return false
  const wasValid = row.last_analysis_time !== null && validUntil(row.last_analysis_time, row.interval) > now
  return !wasValid || row.unknown_reason !== null || row.check_status !== status.check_status
}

function noticeCheck(
  check: CheckResult,
  sensors: Pick<SensorDirectory, 'rowOf'>,
  artifacts: KeptArtifacts,
): NoticeCheck {
  const sensor = sensors.rowOf(check.sensorId)
  const artifactIds = (artifacts.get(check.sensorId)?.artifacts ?? []).map(({ id }) => id)
  return {
    sensor_id: check.sensorId,
    sensor_name: sensor?.name ?? String(check.sensorId),
    city: sensor?.city ?? '',
    country: sensor?.country ?? '',
    result: check.result,
    response_time: check.responseTime,
    error_type_id: check.errorTypeId,
    error_message: check.errorMessage,
    ...(artifactIds.length === 0 ? {} : { artifact_ids: artifactIds }),
  }
}
