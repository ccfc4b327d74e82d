/**
 * What a service does while nothing happens to it: round after round by the rules of the program, without a transaction for each. The
 * round that changes anything beyond the last result (a state, a notice, what quiet hours keep back) ends it and is left to the recorder.
 */
import { type Claim, finishClaims, readTargets, type Target } from '../database/claims.ts'
import type { Database } from '../database/connect.ts'
import type { AnalysisRow } from '../database/history.ts'
import { addToRollUps } from '../database/roll-ups.ts'
import {
  lockPlans,
  type PlanRow,
  readStatuses,
  type StatusRow,
  type StatusWrite,
  writeStatuses,
} from '../database/statuses.ts'
import { countAnalyses } from '../database/usage.ts'
import type { Clock } from '../domain/clock.ts'
import type { NextRound } from '../domain/schedule.ts'
import { EvidenceKeeper, type KeepArtifact } from '../monitoring/evidence.ts'
import { rowOf } from '../monitoring/history-row.ts'
import type { RecordableRound } from '../monitoring/record.ts'
import { runRound } from '../monitoring/round.ts'
import { settle } from '../monitoring/settle.ts'
import type { SensorDirectory } from '../monitoring/stations.ts'
import type { Stations } from '../sensor/protocol.ts'
import type { Timers } from '../turns/timers.ts'

/** Time that goes from round to round of one service after the other, apart from everybody else's. Unix milliseconds. */
export interface RoundTime {
  at: number
}

export interface LapseGround {
  readonly database: Database
  readonly roundTime: RoundTime
  /** Present or not by the time of rounds, which goes on by what their checks take. */
  readonly stations: Stations
  readonly sensors: SensorDirectory
  readonly keepArtifact: KeepArtifact
}

/** What ends a lapse: a round to be recorded, or a boundary of the calendar; null when the time has come. */
export type Happening = { readonly at: number; readonly round: RecordableRound | null }

export interface Lapse {
  /** In the order of their analyses; they are in the sums already. */
  readonly rows: readonly AnalysisRow[]
  readonly happening: Happening | null
}

/** Nobody waits here: answers come at once, at the moment to which they belong. */
const timers: Timers = { machine: 'demo', monotonic: () => 0, after: () => () => undefined }
const nobodyReads = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface Standing {
  readonly plan: PlanRow
  readonly status: StatusRow
  readonly target: Target
}

async function standingOf(database: Database, serviceId: number): Promise<Standing | null> {
  const [plan] = await lockPlans(database, [serviceId])
  const [status] = await readStatuses(database, [serviceId])
  const [target] = await readTargets(database, [serviceId])
  return plan === undefined || status === undefined || target === undefined ? null : { plan, status, target }
}

/** Lets a service live on until something happens to it, at the latest until the moment. */
export async function lapse(ground: LapseGround, serviceId: number, untilAt: number): Promise<Lapse> {
  const standing = await standingOf(ground.database, serviceId)
  if (standing === null) return { rows: [], happening: null }
  const { plan } = standing
  const limitAt = Math.min(untilAt, plan.boundary_at)
  const quiet = await liveQuietly(ground, standing, limitAt)
  if (quiet.rows.length > 0) await keep(ground.database, plan, quiet)
  const boundary = plan.boundary_at < untilAt ? { at: plan.boundary_at, round: null } : null
  return { rows: quiet.rows, happening: happeningOf(quiet, plan) ?? boundary }
}

interface Quiet {
  readonly rows: AnalysisRow[]
  status: StatusWrite | null
  next: NextRound
  loud: RecordableRound | null
}

async function liveQuietly(ground: LapseGround, standing: Standing, limitAt: number): Promise<Quiet> {
  const { plan, target } = standing
  const rounds = roundsOf(ground)
  const quiet: Quiet = { rows: [], status: null, next: { dueAt: plan.due_at, reason: plan.reason }, loud: null }
  let row = standing.status
  while (quiet.next.dueAt < limitAt) {
    const claim: Claim = { serviceId: target.id, claimNo: plan.claim_no, ...quiet.next }
    const round = await rounds.run(claim, target)
    const decidedAt = round.analysis?.decidedAt ?? claim.dueAt
    const settled = settle(row, round, decidedAt)
    const isLoud = settled.opened !== null || settled.told !== null || settled.held !== null
    if (isLoud || decidedAt >= limitAt || claim.reason === 'forced') {
      quiet.loud = round
      break
    }
    if (settled.status !== null) {
      quiet.status = settled.status
      row = { ...row, ...settled.status }
    }
    if (round.analysis !== null) quiet.rows.push(rowOf(round, round.analysis))
    quiet.next = settled.next
  }
  return quiet
}

function roundsOf({ roundTime, sensors, stations, keepArtifact }: LapseGround) {
  const clock: Clock = { now: () => roundTime.at }
  const ended: RecordableRound[] = []
  const parts = {
    ...{ sensors, clock, timers, stations },
    recorder: { add: (round: RecordableRound) => void ended.push(round) },
    evidence: new EvidenceKeeper({ keepArtifact, timers, log: nobodyReads }),
  }
  return {
    async run(claim: Claim, target: Target): Promise<RecordableRound> {
      roundTime.at = claim.dueAt
      await runRound(claim, target, parts)
      const round = ended.pop()
      if (round === undefined) throw new Error(`The round of service ${target.id} has no end.`)
      return round
    },
  }
}

function keep(database: Database, plan: PlanRow, { rows, status, next }: Quiet): Promise<void> {
  const claim: Claim = { serviceId: plan.service_id, claimNo: plan.claim_no, dueAt: plan.due_at, reason: plan.reason }
  return database.transaction(async (transaction) => {
    await lockPlans(transaction, [plan.service_id])
    await addToRollUps(transaction, rows)
    await writeStatuses(transaction, status === null ? [] : [status])
    await finishClaims(transaction, [{ claim, next }])
    await countAnalyses(transaction, rows)
  })
}

/** The claim goes on where what was kept has left the plan. */
function happeningOf({ loud, rows }: Quiet, plan: PlanRow): Happening | null {
  if (loud === null) return null
  const claim = { ...loud.claim, claimNo: plan.claim_no + (rows.length > 0 ? 1 : 0) }
  return { at: loud.analysis?.decidedAt ?? claim.dueAt, round: { ...loud, claim } }
}
