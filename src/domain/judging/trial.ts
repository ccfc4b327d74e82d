import { type Expiry, nearestOf, warningDue } from '../expiry/expiry.ts'
import type { StoredSettings } from '../services/extended-settings.ts'
import type { CheckResultValue, Verdict } from './analysis.ts'
import { type DegradedReason, degradedReasons, reasonsSeen } from './degraded.ts'
import type { MissingArtifact } from './evidence.ts'

/** A trial: stations check a definition that nobody has saved (specification: extensions, Trial). */

/** The definition to try. */
export interface TriedDefinition {
  /** The owner of the service if it were saved. */
  readonly ownerId: number
  readonly groupId: number
  readonly typeId: string
  readonly address: string
  readonly settings: StoredSettings
  /** The definition's own sensors; if empty, the group's. */
  readonly sensorIds: readonly number[]
}

/** One station's answer. Moments in Unix milliseconds, durations in milliseconds. */
export interface TrialCheck {
  readonly sensorId: number
  readonly result: CheckResultValue
  readonly startedAt: number
  readonly responseTime: number | null
  readonly dataSize: number | null
  readonly errorTypeId: number | null
  readonly errorMessage: string | null
  readonly phases: Readonly<Record<TrialPhase, number | null>> | null
  readonly steps:
    | readonly {
        readonly name: string
        readonly result: 'ok' | 'error' | 'not_run'
        readonly responseTime: number | null
      }[]
    | null
  readonly evidence: TrialEvidence | null
  readonly degraded?: readonly DegradedReason[]
  readonly expiry?: Expiry
}

export type TrialPhase = 'dns' | 'connect' | 'tls' | 'sent' | 'first_byte' | 'transfer'

interface TrialEvidence {
  readonly base_url: string
  readonly ip_address: string | null
  readonly status_code: number | null
  readonly response_headers: string | null
  readonly content_type: string | null
  readonly file_name: string | null
  readonly facts: Readonly<Record<string, unknown>>
  readonly missing?: readonly MissingArtifact[]
}

/** A trial that has ended, judged as an analysis. */
export interface TriedAnalysis {
  readonly verdict: Verdict
  readonly errorTolerance: number
  /** The days of the warnings about an end of validity. */
  readonly warningDays: readonly number[]
  readonly decidedAt: number
  readonly checks: readonly TrialCheck[]
}

type Seen = Pick<TrialCheck, 'result' | 'degraded' | 'expiry'>

function isDue(expiry: Expiry | null | undefined, warningDays: readonly number[], now: number): boolean {
  return expiry !== null && expiry !== undefined && warningDue(expiry, warningDays, now) !== null
}

/** The reasons for which one good check alone shows a degraded service. */
export function reasonsOfCheck(
  { result, degraded = [], expiry }: Seen,
  warningDays: readonly number[],
  now: number,
): readonly DegradedReason[] {
  if (result !== 'ok') return []
  const kind = isDue(expiry, warningDays, now) ? expiry?.kind : undefined
  return degradedReasons.filter((reason) => reason === kind || degraded.includes(reason))
}

/** The reasons for which the service would become degraded if its rounds went on like this. */
export function reasonsOfTrial(tried: TriedAnalysis): readonly DegradedReason[] {
  const { verdict, checks, errorTolerance, warningDays, decidedAt } = tried
  if (verdict !== 'ok') return []
  const nearest = nearestOf(checks.map(({ expiry }) => expiry))
  const kind = isDue(nearest, warningDays, decidedAt) ? nearest?.kind : undefined
  const seen = reasonsSeen(checks, errorTolerance)
  return degradedReasons.filter((reason) => reason === kind || seen.includes(reason))
}
