import type { ArtifactTypeId } from '../domain/dictionaries.ts'
import type { Expiry } from '../domain/expiry/expiry.ts'
import type { CheckResultValue } from '../domain/judging/analysis.ts'
import type { DegradedReason } from '../domain/judging/degraded.ts'
import type { MissingArtifact } from '../domain/judging/evidence.ts'
import type { DiagnosticRequest } from '../domain/services/diagnostic.ts'
import type { SettingValue } from '../domain/services/service-types.ts'

/**
 * The messages between the core and a station: jobs out, results back. Moments are Unix milliseconds, durations
 * milliseconds.
 */

/** The id in the jobs of a trial, which belongs to no service. A trial's good checks have their facts too. */
export const trialServiceId = 0

/** Every setting of the service's type with its effective value, secrets included. */
export type Settings = Readonly<Record<string, SettingValue>>

/** One sensor's part of an analysis. Jobs run at most once: after `deadlineAt` nobody uses the answer. */
export interface CheckJob {
  readonly serviceId: number
  readonly sensorId: number
  readonly typeId: string
  readonly address: string
  readonly settings: Settings
  /** All sensors of one analysis start at this moment. */
  readonly startAt: number
  readonly deadlineAt: number
  /**
   * The same key for all checks of an account and its sub-accounts; it reveals nothing about the account. Older cores
   * omit it, and then all checks share one turn.
   */
  readonly ownerKey?: string
  /** Asks for a screenshot of a good page. Older stations do not know it. */
  readonly wantsScreenshot?: true
}

/**
 * Durations of the parts of a check in milliseconds, with fractions; null for a part that was not reached or does not
 * exist.
 */
export interface Phases {
  readonly dns: number | null
  readonly connect: number | null
  readonly tls: number | null
  readonly sent: number | null
  readonly first_byte: number | null
  readonly transfer: number | null
}

/** A file that documents a failed check. */
export interface CheckArtifact {
  readonly typeId: ArtifactTypeId
  /** As the target declares it, or our own. */
  readonly contentType: string
  /** Decoded and cut to its limit. */
  readonly bytes: Uint8Array
}

/** One step of a scenario. */
export interface StepResult {
  /** As in `path_steps`. */
  readonly name: string
  /** not_run: an earlier step failed. */
  readonly result: 'ok' | 'error' | 'not_run'
  /** Whole milliseconds; null if the step was not run. */
  readonly responseTime: number | null
}

/** The evidence of a failed check, for people. */
export interface CheckEvidence {
  /** The last URL that was read (after redirects), or the dialled address. */
  readonly base_url: string
  readonly ip_address: string | null
  readonly status_code: number | null
  readonly response_headers: string | null
  readonly content_type: string | null
  readonly file_name: string | null
  /** Type-specific facts, for example the DNS answer, the certificate's dates, warnings. */
  readonly facts: Readonly<Record<string, SettingValue>>
  /** At most one of each type. */
  readonly artifacts: readonly CheckArtifact[]
  /** The pieces that the station could not take. */
  readonly missing?: readonly MissingArtifact[]
}

export interface CheckResult {
  readonly serviceId: number
  readonly sensorId: number
  readonly result: CheckResultValue
  readonly startedAt: number
  /** Whole milliseconds; null if nothing was measured. */
  readonly responseTime: number | null
  /** Bytes received. */
  readonly dataSize: number | null
  /** Id in the catalogue of error types; null for ok. */
  readonly errorTypeId: number | null
  /** One technical sentence in English; null for ok. */
  readonly errorMessage: string | null
  readonly phases: Phases | null
  /** In the scenario's order, whatever the result; null without a scenario. */
  readonly steps: readonly StepResult[] | null
  /**
   * For error and unknown results. A good result has the screenshot that the job asked for, and the facts about its
   * assertions if it is degraded or a trial.
   */
  readonly evidence: CheckEvidence | null
  /** Why a good check shows a degraded service; absent without a reason. */
  readonly degraded?: readonly DegradedReason[]
  /** Absent if the check saw no end of validity. Older stations never send it. */
  readonly expiry?: Expiry
}

/** Runs at most once, like a check. */
export interface DiagnosticJob {
  readonly sensorId: number
  readonly request: DiagnosticRequest
  readonly deadlineAt: number
}

export interface DiagnosticResult {
  readonly isOk: boolean
  /** Text for people, in English; after a failure the last line says why. */
  readonly lines: readonly string[]
}

/**
 * The stations that this process can reach. `check` and `diagnose` never reject: a lost station answers `unknown` and
 * says that it was lost.
 */
export interface Stations {
  isConnected(sensorId: number): boolean
  /** How many milliseconds before its start a job must be sent to arrive in time. */
  leadMs(sensorId: number): number
  check(job: CheckJob): Promise<CheckResult>
  diagnose(job: DiagnosticJob): Promise<DiagnosticResult>
}
