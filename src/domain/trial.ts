import type { CheckResultValue } from './analysis.ts'
import type { MissingArtifact } from './evidence.ts'
import type { StoredSettings } from './extended-settings.ts'

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
