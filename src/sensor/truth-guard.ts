import { type ErrorTypeSymbol, errorType, errorTypeById } from '../domain/judging/error-types.ts'
import type { CheckOutcome } from './attempt.ts'
import type { StallMeter } from './stall-meter.ts'

/** A shorter stall, as a share of the waiting time, cannot have decided the result. */
const tellingHold = 0.05
/**
 * Waits for a CPU delay a check by their sum at most. So a target that answers within half of its limit cannot be
 * called down for a smaller share. A busy machine waits a sixth of each second and more, and its stations still judge
 * well. Doubting at a fifth hid one in forty real timeouts (docs/choices.md).
 */
const tellingStarvation = 0.5
const shortestTellingMs = 50
/** No server hangs up on a caller who pauses for less. */
const shortestRudeMs = 1000
/** Failures that show a target whose own patience with us ended. */
const hangUps: ReadonlySet<ErrorTypeSymbol> = new Set<ErrorTypeSymbol>([
  ...(['connection_reset', 'tls_closed', 'dns_closed', 'smtp_closed', 'http2_failed'] as const),
  ...(['http_closed_before_response', 'http_reset_before_response', 'http_body_truncated', 'http_body_reset'] as const),
  'token_endpoint_failed',
])

/**
 * 408 is "Request Timeout" (RFC 9110, section 15.5.9), 421 "closing transmission channel" (RFC 5321, section 4.2.2).
 */
const requestTimeout = 408
const closingChannel = /^421\b/

/**
 * True if our own stall could have caused the failure: one of our timers decided it, or the target did not wait for us.
 */
export function isDoubtful(outcome: CheckOutcome): boolean {
  const { errorTypeId } = outcome
  const type = errorTypeId === null ? null : errorTypeById(errorTypeId)
  return type !== null && (type.timed === true || hangUps.has(type.symbol) || isFarewell(type.symbol, outcome))
}

/** True if the target says that it has waited long enough for us. */
function isFarewell(symbol: ErrorTypeSymbol, { evidence, errorMessage }: CheckOutcome): boolean {
  if (symbol === 'http_client_error') return evidence?.status_code === requestTimeout
  const isMidway = symbol === 'smtp_helo_refused' || symbol === 'smtp_starttls_refused'
  return isMidway && closingChannel.test(errorMessage ?? '')
}

/** Turns a doubtful failure into `unknown`: time ran out, ours or the target's, while this process did not run. */
export function guarded(
  outcome: CheckOutcome,
  stallMeter: Pick<StallMeter, 'whole' | 'owed'>,
  mostResponseMs: number | null,
): CheckOutcome {
  const blindness = isDoubtful(outcome) ? tellingBlindness(outcome, stallMeter, mostResponseMs) : null
  if (blindness === null) return outcome
  return {
    ...outcome,
    result: 'unknown',
    responseTime: null,
    errorTypeId: errorType('sensor_held').id,
    errorMessage: `${outcome.errorMessage}; this station ${blindness} meanwhile`,
  }
}

/** Whether a good answer was slower than the limit by more than our own stalls explain. */
export function isSlow(
  { result, responseTime }: CheckOutcome,
  stallMeter: Pick<StallMeter, 'whole'>,
  limitMs: number | null,
): boolean {
  if (result !== 'ok' || limitMs === null || responseTime === null || responseTime <= limitMs) return false
  const { heldMs, starvedMs } = stallMeter.whole()
  const telling = Math.max(shortestTellingMs, responseTime - limitMs)
  return heldMs < telling && starvedMs < telling
}

/** How late an answer was that did arrive; null if the check ran out of time. */
function excessOf({ errorTypeId, responseTime }: CheckOutcome, mostResponseMs: number | null): number | null {
  if (errorTypeId !== errorType('response_too_slow').id || responseTime === null || mostResponseMs === null) return null
  return responseTime - mostResponseMs
}

/** The part of our stalls that can have decided the result; null if none can. */
function tellingBlindness(
  outcome: CheckOutcome,
  stallMeter: Pick<StallMeter, 'whole' | 'owed'>,
  mostResponseMs: number | null,
): string | null {
  const isTimed = outcome.errorTypeId !== null && errorTypeById(outcome.errorTypeId)?.timed === true
  const excessMs = excessOf(outcome, mostResponseMs)
  // Time that was made up for still delayed the answer and kept the target waiting.
  const { elapsedMs, heldMs, starvedMs } = isTimed && excessMs === null ? stallMeter.owed() : stallMeter.whole()
  const atLeast = (share: number) =>
    Math.max(isTimed ? shortestTellingMs : shortestRudeMs, excessMs ?? elapsedMs * share)
  if (starvedMs >= atLeast(tellingStarvation)) return `waited ${inWhole(starvedMs)} for a CPU`
  return heldMs >= atLeast(tellingHold) ? `was held for ${inWhole(heldMs)}` : null
}

function inWhole(ms: number): string {
  return `${Math.round(ms)} ms`
}
