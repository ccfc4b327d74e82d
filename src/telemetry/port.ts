import type { MissingArtifact } from '../domain/judging/evidence.ts'
import type { RoundReason } from '../domain/judging/schedule.ts'
import type { CheckResult } from '../sensor/protocol.ts'

/**
 * The events that rooms report about their work. `main` passes in the listeners; by default there are none. No method
 * may throw, and nothing is awaited except the work itself.
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
  /** The number of messages that each service's round decided; services without any are left out. */
  readonly notices: ReadonlyMap<number, number>
  /** Unix milliseconds. */
  readonly beganAt: number
  readonly durationMs: number
}

/** Numbers that are read on each scrape. */
export interface MonitoringGauges {
  /** Claimed rounds that wait for their moment. */
  readonly roundsInLine: () => number
  readonly roundsUnderWay: () => number
  /** Finished rounds that wait for the database. */
  readonly roundsToRecord: () => number
}

export interface MonitoringTelemetry {
  watch(gauges: MonitoringGauges): void
  claimed(claims: readonly HeldClaim[]): void
  began(claim: HeldClaim, lateMs: number): void
  missed(count: number): void
  recorded(flush: Flush): void
  /** A transaction that failed. */
  notRecorded(): void
  /** A piece of a failed check's evidence that is not kept. */
  evidenceMissing(artifact: MissingArtifact): void
}

/** The outcome of an attempt, as metrics count it. unneeded: the message no longer meant anything. */
export type CountedOutcome = 'sent' | 'unconfirmed' | 'retried' | 'failed' | 'unneeded' | 'lost'

export interface Delivery {
  readonly kind: 'notification' | 'letter' | 'report' | 'periodic_report' | 'subscriber_mail' | 'subscriber_hook'
  readonly channel: string
  /** The analysis that it is about. */
  readonly analysis: { readonly serviceId: number; readonly analysisId: string } | null
}

export interface DeliveryEnd {
  readonly outcome: CountedOutcome
  /** Milliseconds since the cause. */
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

/** One request. */
export interface RequestTrail {
  /** Runs a part of its work, so that everything in it belongs to this request. */
  within<T>(work: () => Promise<T>): Promise<T>
  end(outcome: RequestOutcome): void
}

export interface RequestOutcome {
  readonly method: string
  /** The route's template, never the path itself. */
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
