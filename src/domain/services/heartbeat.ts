import { nextOfCron } from '../calendars/cron.ts'

/** When a service that reports in is late, failed or well (docs/heartbeats.md). Moments in Unix milliseconds. */

export interface HeartbeatRules {
  readonly periodMs: number
  readonly graceMs: number
  /** Null: a run may take any time. */
  readonly maxRunMs: number | null
  /** Replaces the period. The zone is an IANA name. */
  readonly cron: { readonly expression: string; readonly zone: string } | null
}

export const pingKinds = ['success', 'start', 'fail', 'log'] as const
export type PingKind = (typeof pingKinds)[number]

export interface Ping {
  readonly id: number
  readonly at: number
  readonly kind: PingKind
  readonly exitStatus: number | null
  /** Tells runs apart that overlap. */
  readonly rid: string | null
}

/** A run that has started and not ended. */
export interface Run {
  readonly rid: string | null
  readonly startedAt: number
}

export interface HeartbeatFailure {
  readonly kind: 'late' | 'reported' | 'overrun'
  readonly exitStatus: number | null
  /** late: the expected moment. overrun: the start. reported: the report. */
  readonly sinceAt: number
}

export interface HeartbeatState {
  /** The moment from which the next round counts; null: it waits for its first ping. */
  readonly baseAt: number | null
  readonly runs: readonly Run[]
  /** Null while it is well. */
  readonly failure: HeartbeatFailure | null
}

/** A time in which pings could not be received. */
export interface PingOutage {
  readonly startedAt: number
  readonly endedAt: number
}

/** Runs that are remembered at once; the oldest is forgotten. */
const mostRuns = 20
/** A job may report in this much before its moment of the cron line, because its clock is ahead. */
const cronEarlyMs = 60_000

/** The next moment at which a report is expected after one at `at`; Infinity for never. */
export function expectedAfter({ cron, periodMs }: HeartbeatRules, at: number): number {
  return cron === null ? at + periodMs : nextOfCron(cron.expression, cron.zone, at)
}

function overlaps(outage: PingOutage, fromAt: number, toAt: number): boolean {
  return outage.startedAt <= toAt && outage.endedAt >= fromAt
}

/** The first expected moment of the rhythm whose whole window lies after the outage. */
function expectedBeyond(rules: HeartbeatRules, expectedAt: number, earlyMs: number, outage: PingOutage): number {
  const fromAt = Math.max(expectedAt, outage.endedAt + earlyMs)
  if (rules.cron !== null) return expectedAfter(rules, fromAt)
  const periods = Math.max(1, Math.floor((fromAt - expectedAt) / rules.periodMs) + 1)
  return expectedAt + periods * rules.periodMs
}

/**
 * The last expected moment that silence may pass by its grace. A report that was due while nobody could receive it may
 * have been lost, so its round is unknown and the next one counts.
 */
export function awaited(rules: HeartbeatRules, baseAt: number, outages: readonly PingOutage[]): number {
  const earlyMs = rules.cron === null ? Math.min(rules.graceMs, rules.periodMs) : cronEarlyMs
  let expectedAt = expectedAfter(rules, baseAt)
  // Each step leaves at least one outage behind for good.
  for (let step = 0; step <= outages.length; step += 1) {
    const [from, to] = [Math.max(baseAt, expectedAt - earlyMs), expectedAt + rules.graceMs]
    const outage = outages.find((one) => overlaps(one, from, to))
    if (outage === undefined) return expectedAt
    expectedAt = expectedBeyond(rules, expectedAt, earlyMs, outage)
  }
  return expectedAt
}

interface Deadline {
  readonly at: number
  readonly failure: HeartbeatFailure
  readonly run: Run | null
}

function runDeadlines(state: HeartbeatState, { maxRunMs }: HeartbeatRules, outages: readonly PingOutage[]): Deadline[] {
  if (maxRunMs === null) return []
  return state.runs.flatMap((run): Deadline[] => {
    const at = run.startedAt + maxRunMs
    // Its end may have been lost.
    if (outages.some((outage) => overlaps(outage, run.startedAt, at))) return []
    return [{ at, run, failure: { kind: 'overrun', exitStatus: null, sinceAt: run.startedAt } }]
  })
}

/**
 * The moment at which the heartbeat fails unless something is heard; null: it waits for nothing. A run under way with a
 * limit of its own may end after the grace.
 */
export function nextDeadline(
  state: HeartbeatState,
  rules: HeartbeatRules,
  outages: readonly PingOutage[],
): Deadline | null {
  if (state.failure !== null) return null
  const ends = runDeadlines(state, rules, outages)
  if (state.baseAt !== null) {
    const sinceAt = awaited(rules, state.baseAt, outages)
    const silentAt = Math.max(sinceAt + rules.graceMs, ...ends.map(({ at }) => at))
    if (silentAt < Number.POSITIVE_INFINITY) {
      ends.push({ at: silentAt, run: null, failure: { kind: 'late', exitStatus: null, sinceAt } })
    }
  }
  // A sort keeps the order of equals: a run that ends with the grace took too long.
  return ends.toSorted((one, other) => one.at - other.at)[0] ?? null
}

export type HeartbeatEvent =
  | { readonly at: number; readonly verdict: 'ok'; readonly runMs: number | null }
  | { readonly at: number; readonly verdict: 'failure'; readonly failure: HeartbeatFailure }

export interface HeartbeatStep {
  readonly state: HeartbeatState
  /** Null: the round goes on. */
  readonly event: HeartbeatEvent | null
  /** The time of the run that the ping ended. */
  readonly runMs: number | null
}

/** The effect of one ping. The first one begins the watch. */
function takePing(state: HeartbeatState, rules: HeartbeatRules, ping: Ping): HeartbeatStep {
  const { at, kind, rid, exitStatus } = ping
  if (kind === 'log') return { state, event: null, runMs: null }
  const others = state.runs.filter((run) => run.rid !== rid)
  if (kind === 'start') {
    const runs = [...others, { rid, startedAt: at }].slice(-mostRuns)
    return { state: { ...state, baseAt: state.baseAt ?? at, runs }, event: null, runMs: null }
  }
  const startedAt = state.runs.find((run) => run.rid === rid)?.startedAt
  const runMs = startedAt === undefined ? null : Math.max(0, at - startedAt)
  if (kind === 'fail') {
    const failure = { kind: 'reported', exitStatus, sinceAt: at } as const
    return { state: { baseAt: at, runs: others, failure }, event: { at, verdict: 'failure', failure }, runMs }
  }
  // A run whose limit passed during a failure has been told of by it.
  const { maxRunMs } = rules
  const runs = others.filter((run) => maxRunMs === null || run.startedAt + maxRunMs > at)
  return { state: { baseAt: at, runs, failure: null }, event: { at, verdict: 'ok', runMs }, runMs }
}

export interface HeartbeatFacts {
  readonly state: HeartbeatState
  readonly rules: HeartbeatRules
  /** Pings that no round has considered yet, in the order of their storing. */
  readonly pings: readonly Ping[]
  readonly outages: readonly PingOutage[]
  /** Every ping before this moment is stored. */
  readonly heardUntil: number
  /** False while monitoring is stopped: pings count, silence does not. */
  readonly isWatched: boolean
  /** A notice waits for a second verdict. */
  readonly isConfirming: boolean
  readonly now: number
}

export interface HeartbeatJudgement {
  readonly state: HeartbeatState
  /** The first verdict; null: nothing has happened that closes a round. */
  readonly event: HeartbeatEvent | null
  /** The pings that count as considered, with the times of the runs that they ended. */
  readonly taken: readonly { readonly id: number; readonly runMs: number | null }[]
  /** The moment of the next look without another ping; Infinity for never. */
  readonly nextAt: number
}

/** While nobody knows yet whether a ping arrived in time. Milliseconds. */
const unheardPause = 500

function fail(state: HeartbeatState, { at, run, failure }: Deadline): HeartbeatStep {
  const runs = state.runs.filter((one) => one !== run)
  return { state: { ...state, runs, failure }, event: { at, verdict: 'failure', failure }, runMs: null }
}

function nextLook(facts: HeartbeatFacts, state: HeartbeatState): number {
  const deadline = facts.isWatched ? nextDeadline(state, facts.rules, facts.outages) : null
  if (deadline === null) return Number.POSITIVE_INFINITY
  return deadline.at <= facts.now ? facts.now + unheardPause : deadline.at
}

/**
 * The first verdict that the facts allow: what happened first is told first. Silence is judged only once every ping
 * before its deadline is stored.
 */
export function judgeHeartbeat(facts: HeartbeatFacts): HeartbeatJudgement {
  const { rules, pings, outages, heardUntil, isWatched, now } = facts
  const taken: { id: number; runMs: number | null }[] = []
  let { state } = facts
  const passedBefore = (untilAt: number) => {
    const deadline = isWatched ? nextDeadline(state, rules, outages) : null
    return deadline !== null && deadline.at < untilAt ? deadline : null
  }
  for (const ping of pings) {
    const deadline = passedBefore(ping.at)
    if (deadline !== null && deadline.at > heardUntil) {
      return { state, event: null, taken, nextAt: now + unheardPause }
    }
    const step = deadline === null ? takePing(state, rules, ping) : fail(state, deadline)
    state = step.state
    if (deadline === null) taken.push({ id: ping.id, runMs: step.runMs })
    if (step.event === null) continue
    const isMore = taken.length < pings.length
    return { state, event: step.event, taken, nextAt: isMore ? now : nextLook(facts, state) }
  }
  const deadline = passedBefore(now + 1)
  if (deadline !== null && deadline.at <= heardUntil) {
    const step = fail(state, deadline)
    return { state: step.state, event: step.event, taken, nextAt: nextLook(facts, step.state) }
  }
  const event = taken.length === 0 ? repeated(facts, state, deadline) : null
  return { state, event, taken, nextAt: nextLook(facts, state) }
}

/** A failure lasts until a success, and is told anew like that of any service. */
function repeated(
  { isWatched, isConfirming, now }: HeartbeatFacts,
  { failure, baseAt }: HeartbeatState,
  passed: Deadline | null,
): HeartbeatEvent | null {
  if (!isWatched) return null
  if (failure !== null) return { at: now, verdict: 'failure', failure }
  return isConfirming && baseAt !== null && passed === null ? { at: now, verdict: 'ok', runMs: null } : null
}

/** How long a status stays known beyond the moment that should end it. Milliseconds. */
const validityMargin = 60_000

/** Until when a good verdict says something; an outage does not prolong it. Infinity: for ever. */
export function heartbeatValidUntil(state: HeartbeatState, rules: HeartbeatRules): number {
  const deadline = nextDeadline({ ...state, failure: null }, rules, [])
  return deadline === null ? Number.POSITIVE_INFINITY : deadline.at + validityMargin
}
