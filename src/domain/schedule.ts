/** When a service is checked: absolute grid points, never "finish + interval" (answers §8). */

/** Why a round is due: its grid, the end of a delay of notices, or somebody who asked. */
export type RoundReason = 'interval' | 'confirmation' | 'forced'

/** A round that is claimed later than this after its due moment is skipped. Milliseconds. */
export const latenessTolerance = 1000

/** The most that jobs are handed over ahead of their start, so that a station far away has them in time. Milliseconds. */
export const longestLead = 500

/** Jobs that are handed over so much later still start at the moment that was meant. Milliseconds. */
const leadTolerance = 50

/** The longest pause between rounds while a failure lasts, and before a round without a verdict is tried again. Seconds. */
export const spedUpIntervalSeconds = 60

/** The finalizer of MurmurHash3: neighbouring ids land far apart. */
function hash(id: number): number {
  let bits = id | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/**
 * The offset of a service's grid in milliseconds, below the interval.
 * One hash for every interval: where a short interval divides a long one, its grid holds every point of the long one's.
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
 * min(interval, 60 s) while a failure lasts, unless the service does not want sped-up checks, and after a round without a verdict,
 * whatever the service wants (answers §8). Seconds.
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
  /** What `intervalInEffect` says. */
  readonly intervalSeconds: number
  readonly now: number
  /** The round that has just ended; null for none. */
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
 * The next grid point after now, or an earlier confirming analysis. A round that started and ended a moment early is not repeated;
 * a clock that was set back repeats one rather than leave the service alone for longer than an interval.
 */
export function nextRound(facts: NextRoundFacts): NextRound {
  const { serviceId, intervalSeconds, now, lastDueAt, confirmAt } = facts
  const isEarly = lastDueAt !== null && lastDueAt > now && lastDueAt - now <= latenessTolerance
  const dueAt = nextOnGrid(serviceId, intervalSeconds, isEarly ? lastDueAt : now)
  if (confirmAt !== null && confirmAt > now && confirmAt < dueAt) return { dueAt: confirmAt, reason: 'confirmation' }
  return { dueAt, reason: 'interval' }
}

/**
 * When a claimed round starts; null when it was missed: such a round is skipped, never queued (answers §8).
 * Rounds that are a little late keep their distances, so that a restart starts at most twice as many as usual.
 * What somebody asked for is done however late.
 */
export function startOf(round: NextRound, now: number): number | null {
  if (round.reason === 'forced') return Math.max(round.dueAt, now)
  if (round.dueAt >= now) return round.dueAt
  return now - round.dueAt > latenessTolerance ? null : round.dueAt + latenessTolerance
}

/**
 * When the stations start: at the round's own moment, which a timer may be a little early for. A clock that stepped back since the
 * round was claimed makes nobody wait for that moment again. With a lead the farthest station has its job before.
 */
export function startMoment(dueAt: number, now: number, leadMs = 0): number {
  const isNear = dueAt > now && dueAt - now <= latenessTolerance
  return isNear && dueAt >= now + leadMs - leadTolerance ? dueAt : now + leadMs
}

/** A round in line whose moment has gone by because the process or the machine stood still. */
export function isStale(round: NextRound, now: number): boolean {
  return round.reason !== 'forced' && now - round.dueAt > 2 * latenessTolerance
}

/** A new plan does not take back what somebody asked for. */
export function rescheduled(current: NextRound, next: NextRound): NextRound {
  return current.reason === 'forced' ? current : next
}
