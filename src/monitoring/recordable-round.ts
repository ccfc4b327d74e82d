import type { Claim } from '../service-state/claims.ts'
import type { HeartbeatOutlook } from '../service-state/verdicts.ts'
import type { Analysis } from './analysis.ts'
import type { KeptArtifacts } from './evidence.ts'

/** A finished round with the evidence that was kept for it; without an analysis when the service has no sensors. */
export interface RecordableRound {
  readonly claim: Claim
  readonly analysis: Analysis | null
  readonly artifacts: KeptArtifacts
  /** Its service reports in: it is judged when it is recorded. */
  readonly reportsIn?: true
  readonly heartbeat?: HeartbeatOutlook
}
