import { type ErrorTypeSymbol, errorType, errorTypeById } from '../domain/error-types.ts'
import type { CheckOutcome } from './attempt.ts'
import type { Sight } from './sight.ts'

/** A hold shorter than this share of the time waited cannot have decided the result. */
const tellingHold = 0.05
/**
 * Waits for a CPU delay a check by their sum at most, so a target that answers within half of its limit cannot be called down for fewer.
 * A busy machine takes a sixth of each second in this way, and more of some, and its stations see well: to doubt at a fifth hid one in
 * forty real timeouts (docs/choices.md).
 */
const tellingStarvation = 0.5
const shortestTellingMs = 50
/** Nobody hangs up on a caller who falters for less. */
const shortestRudeMs = 1000
/** What a target does whose own patience with us is over. */
const hangUps: ReadonlySet<ErrorTypeSymbol> = new Set<ErrorTypeSymbol>([
  ...(['connection_reset', 'tls_closed', 'dns_closed', 'smtp_closed', 'http2_failed'] as const),
  ...(['http_closed_before_response', 'http_reset_before_response', 'http_body_truncated', 'http_body_reset'] as const),
])

/** 408 is "Request Timeout" (RFC 9110, section 15.5.9), 421 "closing transmission channel" (RFC 5321, section 4.2.2). */
const requestTimeout = 408
const closingChannel = /^421\b/

/** A process that did not run can have caused it: a clock of ours decided it, or the target did not wait for us. */
export function isDoubtful(outcome: CheckOutcome): boolean {
  const { errorTypeId } = outcome
  const type = errorTypeId === null ? null : errorTypeById(errorTypeId)
  return type !== null && (type.timed === true || hangUps.has(type.symbol) || isFarewell(type.symbol, outcome))
}

/** The target answers that it has waited long enough for us. */
function isFarewell(symbol: ErrorTypeSymbol, { evidence, errorMessage }: CheckOutcome): boolean {
  if (symbol === 'http_client_error') return evidence?.status_code === requestTimeout
  const isMidway = symbol === 'smtp_helo_refused' || symbol === 'smtp_starttls_refused'
  return isMidway && closingChannel.test(errorMessage ?? '')
}

/** A check that ran out of time, ours or the target's, while this process did not run says nothing of the target. */
export function guarded(
  outcome: CheckOutcome,
  sight: Pick<Sight, 'whole' | 'owed'>,
  mostResponseMs: number | null,
): CheckOutcome {
  const blindness = isDoubtful(outcome) ? tellingBlindness(outcome, sight, mostResponseMs) : null
  if (blindness === null) return outcome
  return {
    ...outcome,
    result: 'unknown',
    responseTime: null,
    errorTypeId: errorType('sensor_held').id,
    errorMessage: `${outcome.errorMessage}; this station ${blindness} meanwhile`,
  }
}

/** By how much an answer was too late that did come; null for a check that ran out of time. */
function excessOf({ errorTypeId, responseTime }: CheckOutcome, mostResponseMs: number | null): number | null {
  if (errorTypeId !== errorType('response_too_slow').id || responseTime === null || mostResponseMs === null) return null
  return responseTime - mostResponseMs
}

/** What of the station's blindness can have decided the result; null where none can. */
function tellingBlindness(
  outcome: CheckOutcome,
  sight: Pick<Sight, 'whole' | 'owed'>,
  mostResponseMs: number | null,
): string | null {
  const isTimed = outcome.errorTypeId !== null && errorTypeById(outcome.errorTypeId)?.timed === true
  const excessMs = excessOf(outcome, mostResponseMs)
  // What was given back to a check still delayed its answer, and kept its target waiting.
  const { elapsedMs, heldMs, starvedMs } = isTimed && excessMs === null ? sight.owed() : sight.whole()
  const atLeast = (share: number) =>
    Math.max(isTimed ? shortestTellingMs : shortestRudeMs, excessMs ?? elapsedMs * share)
  if (starvedMs >= atLeast(tellingStarvation)) return `waited ${inWhole(starvedMs)} for a CPU`
  return heldMs >= atLeast(tellingHold) ? `was held for ${inWhole(heldMs)}` : null
}

function inWhole(ms: number): string {
  return `${Math.round(ms)} ms`
}
