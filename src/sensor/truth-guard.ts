import { errorType, errorTypeById } from '../domain/error-types.ts'
import type { CheckOutcome } from './attempt.ts'

/** What a station could not see of a check, in milliseconds. */
export interface Blindness {
  /** The whole check. */
  readonly elapsedMs: number
  /** The longest that the process did not run at a stretch meanwhile. */
  readonly heldMs: number
  /** All that it waited for a CPU meanwhile. */
  readonly starvedMs: number
}

/** A hold shorter than this share of the time waited cannot have decided the result. */
const tellingHold = 0.05
/**
 * Waits for a CPU delay each step of a check, not all of its time: a busy machine takes up to a tenth of a second's time in this way and
 * its stations see well; what is behind four fifths of a limit on a machine that is starved, nobody knows.
 */
const tellingStarvation = 0.2
const shortestTellingMs = 50

/** A clock of ours decided it, so that a process which did not run can have caused it. */
export function isTimed({ errorTypeId }: CheckOutcome): boolean {
  return errorTypeId !== null && errorTypeById(errorTypeId)?.timed === true
}

/** A check that ran out of time while this process did not run says nothing of the target. */
export function guarded(outcome: CheckOutcome, blindness: Blindness, mostResponseMs: number | null): CheckOutcome {
  if (!isTimed(outcome) || !isTelling(blindness, excessOf(outcome, mostResponseMs))) return outcome
  const { heldMs, starvedMs } = blindness
  const blind = heldMs >= starvedMs ? `was held for ${whole(heldMs)}` : `waited ${whole(starvedMs)} for a CPU`
  return {
    ...outcome,
    result: 'unknown',
    responseTime: null,
    errorTypeId: errorType('sensor_held').id,
    errorMessage: `${outcome.errorMessage}; this station ${blind} meanwhile`,
  }
}

/** By how much an answer was too late that did come; null for a check that ran out of time. */
function excessOf({ errorTypeId, responseTime }: CheckOutcome, mostResponseMs: number | null): number | null {
  if (errorTypeId !== errorType('response_too_slow').id || responseTime === null || mostResponseMs === null) return null
  return responseTime - mostResponseMs
}

function isTelling({ elapsedMs, heldMs, starvedMs }: Blindness, excessMs: number | null): boolean {
  const atLeast = (ms: number) => Math.max(shortestTellingMs, ms)
  if (excessMs !== null) return Math.max(heldMs, starvedMs) >= atLeast(excessMs)
  return heldMs >= atLeast(elapsedMs * tellingHold) || starvedMs >= atLeast(elapsedMs * tellingStarvation)
}

function whole(ms: number): string {
  return `${Math.round(ms)} ms`
}
