/** When a service is checked: at absolute grid points, never "finish + interval" (answers §8). */

/** Why a round is due: its grid, the end of a notification delay, or a request. */
export type RoundReason = 'interval' | 'confirmation' | 'forced'

/** A round that is claimed later than this after its due moment is skipped. Milliseconds. */
export const latenessTolerance = 1000

/**
 * The longest time by which jobs go out ahead of their start, so that a distant station has them in time. Milliseconds.
 */
export const longestLead = 500

/** Jobs that go out this much later still start at the intended moment. Milliseconds. */
const leadTolerance = 50

/** The longest pause between rounds during a failure, and before a round without a verdict is repeated. Seconds. */
export const spedUpIntervalSeconds = 60

/** The finalizer of MurmurHash3: neighbouring ids land far apart. */
function hash(id: number): number {
  let bits = id | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * The offset of a service's grid in milliseconds, below the interval. All intervals share one hash: if a short interval
 * divides a long one, its grid contains every point of the long one's.
 */
export function gridPhase(serviceId: number, intervalSeconds: number): number {
  return hash(serviceId) % (intervalSeconds * 1000)
}

/** The first grid point strictly after `afterAt`. Unix milliseconds. */
export function nextOnGrid(serviceId: number, intervalSeconds: number, afterAt: number): number {
  const step = intervalSeconds * 1000
  const phase = gridPhase(serviceId, intervalSeconds)
  return (Math.floor((Math.floor(afterAt) - phase) / step) + 1) * step + phase
}

/**
 * The effective interval in seconds. During a failure it is min(interval, 60 s), unless the service opts out. After a
 * round without a verdict it is the same minimum for every service (answers §8).
 */
export function intervalInEffect(facts: {
  readonly intervalSeconds: number
  readonly isFailing: boolean
  readonly isBreakdownSpeedUpOff: boolean
  /** The last round had no verdict, and the next one may have one. */
  readonly isTriedAgain: boolean
}): number {
  const isSpedUp = facts.isFailing && !facts.isBreakdownSpeedUpOff
  return isSpedUp || facts.isTriedAgain ? Math.min(facts.intervalSeconds, spedUpIntervalSeconds) : facts.intervalSeconds
}

/** Moments in Unix milliseconds. */
export interface NextRoundFacts {
  readonly serviceId: number
  /** The result of `intervalInEffect`. */
  readonly intervalSeconds: number
  readonly now: number
  /** The round that has just ended; null if there was none. */
  readonly lastDueAt: number | null
  /** When a confirming analysis is wanted; null for never. */
  readonly confirmAt: number | null
}

/** Unix milliseconds. */
export interface NextRound {
  readonly dueAt: number
  readonly reason: RoundReason
}

/**
 * The next grid point after now, or an earlier confirming analysis. A round that started and ended a moment early is
 * not repeated. After a clock was set back a round is repeated, rather than leave the service unchecked for longer than
 * an interval.
 */
export function nextRound(facts: NextRoundFacts): NextRound {
  const { serviceId, intervalSeconds, now, lastDueAt, confirmAt } = facts
  const isEarly = lastDueAt !== null && lastDueAt > now && lastDueAt - now <= latenessTolerance
  const dueAt = nextOnGrid(serviceId, intervalSeconds, isEarly ? lastDueAt : now)
  if (confirmAt !== null && confirmAt > now && confirmAt < dueAt) return { dueAt: confirmAt, reason: 'confirmation' }
  return { dueAt, reason: 'interval' }
}

/**
 * The start of a claimed round; null if it was missed, because a missed round is skipped, never queued (answers §8).
 * Slightly late rounds keep their distances, so a restart starts at most twice as many as usual. A requested round runs
 * however late it is.
 */
export function startOf(round: NextRound, now: number): number | null {
  if (round.reason === 'forced') return Math.max(round.dueAt, now)
  if (round.dueAt >= now) return round.dueAt
  return now - round.dueAt > latenessTolerance ? null : round.dueAt + latenessTolerance
}

/**
 * The moment at which stations start. A timer may fire slightly before it. If a clock was set back since the claim,
 * nobody waits for that moment again. With a lead, even the farthest station has its job before the start.
 */
export function startMoment(dueAt: number, now: number, leadMs = 0): number {
  const isNear = dueAt > now && dueAt - now <= latenessTolerance
  return isNear && dueAt >= now + leadMs - leadTolerance ? dueAt : now + leadMs
}

/** A queued round whose moment has passed because the process or the machine stood still. */
export function isStale(round: NextRound, now: number): boolean {
  return round.reason !== 'forced' && now - round.dueAt > 2 * latenessTolerance
}

/** A new plan does not cancel a requested round. */
export function rescheduled(current: NextRound, next: NextRound): NextRound {
  return current.reason === 'forced' ? current : next
}

/**
 * The rounds that a skipped claim stands for: its own, and those of the grid that have passed since. Intervals are in
 * seconds.
 */
export function roundsMissed({ dueAt, reason }: NextRound, intervalSeconds: number, now: number): number {
  if (reason !== 'interval') return 1
  return 1 + Math.max(0, Math.floor((now - dueAt) / (intervalSeconds * 1000)))
}
