import type { CheckResultValue } from '../domain/analysis.ts'
import type { DiagnosticRequest } from '../domain/diagnostic.ts'
import type { ArtifactTypeId } from '../domain/dictionaries.ts'
import type { MissingArtifact } from '../domain/evidence.ts'
import type { SettingValue } from '../domain/service-types.ts'

/** What passes between the core and a station: jobs out, results back. Moments are Unix milliseconds, durations milliseconds. */

/** Every setting of the service's type with its effective value, secrets included. */
export type Settings = Readonly<Record<string, SettingValue>>

/** One sensor's part of an analysis. Jobs are at-most-once: after `deadlineAt` nobody wants the answer. */
export interface CheckJob {
  readonly serviceId: number
  readonly sensorId: number
  readonly typeId: string
  readonly address: string
  readonly settings: Settings
  /** All sensors of one analysis start at this moment. */
  readonly startAt: number
  readonly deadlineAt: number
  /** The same for all checks of an account and its sub-accounts, and tells nothing of it. A core that does not say leaves it out: all share one turn then. */
  readonly ownerKey?: string
  /** A good page brings its screenshot. An older station does not know it. */
  readonly wantsScreenshot?: true
}

/** Durations of the parts of a check in milliseconds, with fractions; null for a part that was not reached or does not exist. */
export interface Phases {
  readonly dns: number | null
  readonly connect: number | null
  readonly tls: number | null
  readonly sent: number | null
  readonly first_byte: number | null
  readonly transfer: number | null
}

/** A file that shows what a failed check met. */
export interface CheckArtifact {
  readonly typeId: ArtifactTypeId
  /** As the target calls it, or of our making. */
  readonly contentType: string
  /** Decoded and capped. */
  readonly bytes: Uint8Array
}

/** One step of a scenario. */
export interface StepResult {
  /** As in `path_steps`. */
  readonly name: string
  /** not_run: an earlier step failed. */
  readonly result: 'ok' | 'error' | 'not_run'
  /** Whole milliseconds; null when it was not run. */
  readonly responseTime: number | null
}

/** What a person wants to see of a failed check. */
export interface CheckEvidence {
  /** The URL really read last (after redirects), or the address really dialled. */
  readonly base_url: string
  readonly ip_address: string | null
  readonly status_code: number | null
  readonly response_headers: string | null
  readonly content_type: string | null
  readonly file_name: string | null
  /** Type-specific facts, for example the DNS answer, the certificate's dates, warnings. */
  readonly facts: Readonly<Record<string, SettingValue>>
  /** At most one of a type. */
  readonly artifacts: readonly CheckArtifact[]
  /** What the station could not take. */
  readonly missing?: readonly MissingArtifact[]
}

export interface CheckResult {
  readonly serviceId: number
  readonly sensorId: number
  readonly result: CheckResultValue
  readonly startedAt: number
  /** Whole milliseconds; null when nothing was measured. */
  readonly responseTime: number | null
  /** Bytes received. */
  readonly dataSize: number | null
  /** Id in the catalogue of error types; null when ok. */
  readonly errorTypeId: number | null
  /** One technical sentence in English; null when ok. */
  readonly errorMessage: string | null
  readonly phases: Phases | null
  /** In the order of the scenario, whatever the result; null where there is none. */
  readonly steps: readonly StepResult[] | null
  /** Of error and unknown results; of a good one nothing but the screenshot that the job wanted. */
  readonly evidence: CheckEvidence | null
}

/** At most once, like a check. */
export interface DiagnosticJob {
  readonly sensorId: number
  readonly request: DiagnosticRequest
  readonly deadlineAt: number
}

export interface DiagnosticResult {
  readonly isOk: boolean
  /** For people to read, in English; of a failure the last one says why. */
  readonly lines: readonly string[]
}

/** The stations that this process can reach. `check` and `diagnose` never reject: a lost station answers `unknown`, and that it was lost. */
export interface Stations {
  isConnected(sensorId: number): boolean
  /** So many milliseconds before its start a job is to be handed over, so that it is there in time. */
  leadMs(sensorId: number): number
  check(job: CheckJob): Promise<CheckResult>
  diagnose(job: DiagnosticJob): Promise<DiagnosticResult>
}
