/**
 * A service's life while nothing happens: round after round by the program's rules, without a transaction for each. A
 * round that changes more than the last result (a state, a notification, a failure suppressed by quiet hours) ends it,
 * and is left to the recorder.
 */
import { setImmediate as othersTurn } from 'node:timers/promises'
import { countAnalyses } from '../database/accounts/usage.ts'
import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import type { NextRound } from '../domain/judging/schedule.ts'
import type { AnalysisRow } from '../history/analyses.ts'
import { addToRollUps } from '../history/roll-ups.ts'
import { EvidenceKeeper, type KeepArtifact } from '../monitoring/evidence.ts'
import { GoodScreenshots } from '../monitoring/good-screenshots.ts'
import { rowOf } from '../monitoring/history-row.ts'
import { OwnerKeys } from '../monitoring/owner-keys.ts'
import type { RecordableRound } from '../monitoring/recordable-round.ts'
import { runRound } from '../monitoring/round.ts'
import type { SensorDirectory } from '../monitoring/stations.ts'
import type { CheckJob, CheckResult, Stations } from '../sensor/protocol.ts'
import { type ClaimedRound, finishClaims, type RoundTarget, readTargets } from '../service-state/claims.ts'
import {
  lockPlans,
  type PlanRow,
  readStatuses,
  type StatusRow,
  type StatusWrite,
  writeStatuses,
} from '../service-state/statuses.ts'
import { settle } from '../service-state/verdicts.ts'
import type { Timers } from '../turns/timers.ts'

/** Time that goes from round to round of one service after the other, independent of all others. Unix milliseconds. */
export interface RoundTime {
  at: number
}

export interface SimulationParts {
  readonly database: Database
  readonly roundTime: RoundTime
  /** Available or not by the time of rounds, which advances by the duration of their checks. */
  readonly stations: Stations
  readonly sensors: SensorDirectory
  readonly keepArtifact: KeepArtifact
}

/** The end of a quiet time: a round to record, or a change by the calendar; null if the time is up. */
export type Happening = { readonly at: number; readonly round: RecordableRound | null }

/** A service to simulate, and until when at most. */
export interface Wish {
  readonly serviceId: number
  readonly untilAt: number
}

export interface Simulated extends Wish {
  /** In the order of their analyses; they are in the sums already. */
  readonly rows: readonly AnalysisRow[]
  readonly happening: Happening | null
}

/** Nobody waits here: answers come at once, at the moment to which they belong. */
const timers: Timers = { machine: 'demo', monotonic: () => 0, after: () => () => undefined }
/** Services per write. */
const keptAtOnce = 6
/** Rounds between which the database's answers are handled. */
const livedAtOnce = 50
const nobodyReads = { info: () => undefined, warn: () => undefined, error: () => undefined }

interface Standing {
  readonly plan: PlanRow
  readonly status: StatusRow
  readonly target: RoundTarget
}

/** Nobody else writes meanwhile, so they need not be read in one transaction. */
async function standingsOf(database: Database, serviceIds: readonly number[]): Promise<ReadonlyMap<number, Standing>> {
  const [plans, statuses, targets] = await Promise.all([
    lockPlans(database, serviceIds),
    readStatuses(database, serviceIds),
    readTargets(database, serviceIds),
  ])
  const statusOf = new Map(statuses.map((status) => [status.service_id, status]))
  const targetOf = new Map(targets.map((target) => [target.id, target]))
  return new Map(
    plans.flatMap((plan) => {
      const id = plan.service_id
      const [status, target] = [statusOf.get(id), targetOf.get(id)]
      return status === undefined || target === undefined ? [] : [[id, { plan, status, target }] as const]
    }),
  )
}

/**
 * Simulates services, each until something happens to it. Finished parts are stored while others go on. Deleted
 * services are left out.
 */
export async function simulate(parts: SimulationParts, wishes: readonly Wish[]): Promise<readonly Simulated[]> {
  const standings = await standingsOf(
    parts.database,
    wishes.map(({ serviceId }) => serviceId),
  )
  const all: Lived[] = []
  let keeping = Promise.resolve()
  for (let from = 0; from < wishes.length; from += keptAtOnce) {
    const lived = await liveEach(parts, wishes.slice(from, from + keptAtOnce), standings)
    all.push(...lived)
    await keeping
    keeping = keep(parts.database, lived)
    // The next waiting caller gets the rejection.
    keeping.catch(() => undefined)
  }
  await keeping
  return all.map(({ wish, plan, quiet }) => {
    const boundary = plan.boundary_at < wish.untilAt ? { at: plan.boundary_at, round: null } : null
    return { ...wish, rows: quiet.rows, happening: happeningOf(quiet, plan) ?? boundary }
  })
}

async function liveEach(
  parts: SimulationParts,
  wishes: readonly Wish[],
  standings: ReadonlyMap<number, Standing>,
): Promise<readonly Lived[]> {
  const lived: Lived[] = []
  for (const wish of wishes) {
    const standing = standings.get(wish.serviceId)
    if (standing === undefined) continue
    const { plan } = standing
    lived.push({ wish, plan, quiet: await liveQuietly(parts, standing, Math.min(wish.untilAt, plan.boundary_at)) })
  }
  return lived
}

interface Lived {
  readonly wish: Wish
  readonly plan: PlanRow
  readonly quiet: Quiet
}

interface Quiet {
  readonly rows: AnalysisRow[]
  status: StatusWrite | null
  next: NextRound
  loud: RecordableRound | null
}

async function liveQuietly(parts: SimulationParts, standing: Standing, limitAt: number): Promise<Quiet> {
  const { plan, target } = standing
  const rounds = roundsOf(parts)
  const quiet: Quiet = { rows: [], status: null, next: { dueAt: plan.due_at, reason: plan.reason }, loud: null }
  const row = { ...standing.status }
  while (quiet.next.dueAt < limitAt) {
    const claim: ClaimedRound = { serviceId: target.id, claimNo: plan.claim_no, ...quiet.next }
    const round = await rounds.run(claim, target)
    const decidedAt = round.analysis?.decidedAt ?? claim.dueAt
    const settled = settle(row, round, [], decidedAt)
    const isDegrading = settled.degraded !== null && settled.degraded.write !== null
    const isLoud = settled.opened !== null || settled.told !== null || settled.held !== null || isDegrading
    if (isLoud || decidedAt >= limitAt || claim.reason === 'forced') {
      quiet.loud = round
      break
    }
    if (settled.status !== null) {
      quiet.status = settled.status
      Object.assign(row, settled.status)
    }
    if (round.analysis !== null) quiet.rows.push(rowOf(round, round.analysis))
    if (quiet.rows.length % livedAtOnce === 0) await othersTurn()
    quiet.next = settled.next
  }
  return quiet
}

/** The story knows nothing of who checks. */
async function checkInCore(job: CheckJob, stations: Stations): Promise<CheckResult> {
  return { ...(await stations.check(job)), responseTime: null, dataSize: null, phases: null }
}

function roundsOf({ database, roundTime, sensors, stations, keepArtifact }: SimulationParts) {
  const clock: Clock = { now: () => roundTime.at }
  const ended: RecordableRound[] = []
  const parts = {
    ...{ sensors, clock, timers, stations, core: { check: (job: CheckJob) => checkInCore(job, stations) } },
    recorder: { add: (round: RecordableRound) => void ended.push(round) },
    ownerKeys: new OwnerKeys(),
    evidence: new EvidenceKeeper({ keepArtifact, timers, log: nobodyReads }),
    goodScreenshots: new GoodScreenshots(database, nobodyReads),
  }
  return {
    async run(claim: ClaimedRound, target: RoundTarget): Promise<RecordableRound> {
      roundTime.at = claim.dueAt
      await runRound(claim, target, parts)
      const round = ended.pop()
      if (round === undefined) throw new Error(`The round of service ${target.id} has no end.`)
      return round
    },
  }
}

async function keep(database: Database, all: readonly Lived[]): Promise<void> {
  const lived = all.filter(({ quiet }) => quiet.rows.length > 0)
  if (lived.length === 0) return
  const rows = lived.flatMap(({ quiet }) => quiet.rows)
  const finished = lived.map(({ plan, quiet }) => ({ claim: claimOf(plan), next: quiet.next }))
  await database.transaction(async (transaction) => {
    await addToRollUps(transaction, rows)
    await writeStatuses(
      transaction,
      lived.flatMap(({ quiet }) => quiet.status ?? []),
    )
    await finishClaims(transaction, finished)
    await countAnalyses(transaction, rows)
  })
}

function claimOf({ service_id, claim_no, due_at, reason }: PlanRow): ClaimedRound {
  return { serviceId: service_id, claimNo: claim_no, dueAt: due_at, reason }
}

/** The claim continues where the stored rows left the plan. */
function happeningOf({ loud, rows }: Quiet, plan: PlanRow): Happening | null {
  if (loud === null) return null
  const claim = { ...loud.claim, claimNo: plan.claim_no + (rows.length > 0 ? 1 : 0) }
  return { at: loud.analysis?.decidedAt ?? claim.dueAt, round: { ...loud, claim } }
}
