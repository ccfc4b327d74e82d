import type { WatchedDomain } from '../domain/expiry/watched-domain.ts'
import type { Verdict } from '../domain/judging/analysis.ts'
import type { CheckResult } from '../sensor/protocol.ts'

/** A judged round, before it is recorded. */
export interface Analysis {
  readonly typeId: string
  readonly analysisId: number
  readonly decidedAt: number
  readonly verdict: Verdict
  readonly errorTolerance: number
  /** The days of the warnings about the end of a certificate or domain. */
  readonly warningDays: readonly number[]
  /** The domain of the service's host; null: there is none to watch. Absent where nobody asks registries. */
  readonly domain?: WatchedDomain | null
  /** One per seat, in the order of the configuration. */
  readonly checks: readonly CheckResult[]
}

/** Somebody who watches a round; a round of the schedule has none. */
export interface AnalysisListener {
  /** Called once for each seat as soon as its check has ended. */
  readonly heard: (check: CheckResult) => void
  /** Nobody waits any more: the round ends without those who have not answered. */
  readonly ended: AbortSignal
}
