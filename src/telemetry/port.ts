import type { MissingArtifact } from '../domain/evidence.ts'
import type { RoundReason } from '../domain/schedule.ts'
import type { CheckResult } from '../sensor/protocol.ts'

/**
 * What the rooms tell of their work. Who listens is handed in by main; by default nobody does. Nothing here may throw, and none of it
 * is awaited but the work itself.
 */

/** A round that a process holds; the same object from its claim to its recording. */
export interface HeldClaim {
  readonly serviceId: number
  readonly dueAt: number
  readonly reason: RoundReason
}

export interface RecordedAnalysis {
  readonly claim: HeldClaim
  readonly analysis: {
    readonly typeId: string
    readonly analysisId: number
    readonly decidedAt: number
    readonly verdict: string
    readonly checks: readonly Pick<CheckResult, 'sensorId' | 'result' | 'startedAt' | 'responseTime' | 'errorTypeId'>[]
  }
}

/** Analyses that were recorded in one transaction. */
export interface Flush {
  readonly analysed: readonly RecordedAnalysis[]
  /** How many notices each service's round decided; services without one are left out. */
  readonly notices: ReadonlyMap<number, number>
  /** Unix milliseconds. */
  readonly beganAt: number
  readonly durationMs: number
}

/** Numbers that are looked at when somebody asks. */
export interface MonitoringGauges {
  /** Claimed and waiting for their moment. */
  readonly roundsInLine: () => number
  readonly roundsUnderWay: () => number
  /** Finished and waiting for the database. */
  readonly roundsToRecord: () => number
}

export interface MonitoringTelemetry {
  watch(gauges: MonitoringGauges): void
  claimed(claims: readonly HeldClaim[]): void
  began(claim: HeldClaim, lateMs: number): void
  missed(count: number): void
  recorded(flush: Flush): void
  /** A transaction that came to nothing. */
  notRecorded(): void
  /** A piece of a failed check's evidence that is not kept. */
  evidenceMissing(artifact: MissingArtifact): void
}

/** unneeded: what it would have brought meant nothing any more. */
export type DeliveryOutcome = 'sent' | 'unconfirmed' | 'retried' | 'failed' | 'unneeded' | 'lost'

export interface Delivery {
  readonly kind: 'notification' | 'letter' | 'report' | 'periodic_report'
  readonly channel: string
  /** What it tells of. */
  readonly analysis: { readonly serviceId: number; readonly analysisId: string } | null
}

export interface DeliveryEnd {
  readonly outcome: DeliveryOutcome
  /** Since the cause. */
  readonly waitedMs: number
}

export interface DeliveryTelemetry {
  /** One attempt. */
  attempt(delivery: Delivery, work: () => Promise<DeliveryEnd>): Promise<DeliveryEnd>
}

export type ReportOutcome = 'done' | 'failed' | 'given_back'

export interface ReportTelemetry {
  phase(phase: string, work: () => Promise<ReportOutcome>): Promise<ReportOutcome>
}

export interface RequestBeginning {
  readonly method: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export interface RequestTelemetry {
  begin(request: RequestBeginning): RequestTrail
}

/** One request under way. */
export interface RequestTrail {
  /** Runs a part of its work, so that what it does is known to be of this request. */
  within<T>(work: () => Promise<T>): Promise<T>
  end(outcome: RequestOutcome): void
}

export interface RequestOutcome {
  readonly method: string
  /** Template, never the path itself. */
  readonly route: string
  readonly status: number
  readonly durationMs: number
  readonly requestId: string
}

function nothing(): void {}

export const nobodyWatchesRounds: MonitoringTelemetry = {
  ...{ watch: nothing, claimed: nothing, began: nothing, missed: nothing, recorded: nothing, notRecorded: nothing },
  evidenceMissing: nothing,
}

export const nobodyWatchesDeliveries: DeliveryTelemetry = {
  attempt: (_delivery, work) => work(),
}

export const nobodyWatchesReports: ReportTelemetry = {
  phase: (_phase, work) => work(),
}
