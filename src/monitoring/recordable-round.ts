import type { CheckResult } from '../sensor/protocol.ts'
import type { ClaimedRound, RoundTarget } from '../service-state/claims.ts'
import type { HeartbeatOutlook } from '../service-state/verdicts.ts'
import type { Analysis } from './analysis.ts'
import type { KeptArtifacts } from './evidence.ts'

/** A finished round with the evidence that was kept for it; without an analysis when the service has no sensors. */
export interface RecordableRound {
  readonly claim: ClaimedRound
  readonly analysis: Analysis | null
  readonly artifacts: KeptArtifacts
  /** Its service reports in: it is judged when it is recorded. */
  readonly reportsIn?: true
  readonly heartbeat?: HeartbeatOutlook
  /** How long it may wait for others to share its transaction, in milliseconds; at once by default. */
  readonly patienceMs?: number
}

/**
 * A crash loses what waits, which leaves a gap in the history and never a failure. So only a round waits that shows
 * what is known.
 */
const longestPatience = 1000
/** A round of such a service has to be recorded before the next one is claimed. */
const patienceOfShortInterval = 250
/** Seconds. */
export const shortInterval = 10

/** @returns how long a round may wait that found this, in milliseconds */
export function patienceOf(
  { reason }: ClaimedRound,
  { isSteady, interval }: RoundTarget,
  analysis: Analysis | null,
): number {
  const checks = analysis?.checks ?? []
  const isAsBefore = isSteady && reason === 'interval' && checks.length > 0 && checks.every(isPlainlyOk)
  if (!isAsBefore) return 0
  return interval < shortInterval ? patienceOfShortInterval : longestPatience
}

function isPlainlyOk({ result, degraded = [] }: CheckResult): boolean {
  return result === 'ok' && degraded.length === 0
}
