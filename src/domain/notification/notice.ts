import type { ArtifactTypeId, notificationConditionIds } from '../dictionaries.ts'
import type { Expiry } from '../expiry/expiry.ts'
import type { CheckResultValue } from '../judging/analysis.ts'
import type { DegradedReason } from '../judging/degraded.ts'

/** The content of a notification, frozen in the transaction that decided it (specification: Events). */

/** The degraded period that a notice is about. Moments are Unix milliseconds. */
export interface DegradedNotice {
  /** Why the service is degraded; empty at the end. */
  readonly reasons: readonly DegradedReason[]
  readonly sinceAt: number
  /** Null while it lasts, and if a failure or a pause ended it. */
  readonly endedAt: number | null
  /** The certificate or domain that ends, with the number of days of the warning. */
  readonly expiry?: Expiry & { readonly days: number }
}

export type NoticeCondition = (typeof notificationConditionIds)[number]

/** One sensor's check in the deciding analysis. */
export interface NoticeCheck {
  readonly sensor_id: number
  readonly sensor_name: string
  readonly city: string
  readonly country: string
  readonly result: CheckResultValue
  /** Milliseconds; null if nothing was measured. */
  readonly response_time: number | null
  /** Id in the catalogue of error types; null for ok. */
  readonly error_type_id: number | null
  /** One technical sentence in English; null for ok. */
  readonly error_message: string | null
  /** Assertions of severity `degraded` that a good check did not meet, a line for each; absent if there are none. */
  readonly failed_assertions?: string
  /** The types of its stored artifacts; absent if there are none. */
  readonly artifact_ids?: readonly ArtifactTypeId[]
}

/** The `facts` of a row in notification_intents that reports an event. Moments are Unix milliseconds. */
export interface NoticeFacts {
  readonly condition: NoticeCondition
  readonly service: {
    readonly id: number
    readonly name: string
    readonly address: string
    readonly type_id: string
    /** The setting of its own; absent without one. */
    readonly port?: number
    /** Absent in rows of older versions. */
    readonly tags?: readonly string[]
  }
  readonly group: { readonly id: number; readonly name: string }
  /** When the event was decided. */
  readonly decidedAt: number
  /** The start of the state that the notice is about. */
  readonly sinceAt: number
  /** The failure, for a failure and its end; otherwise the state that began. Absent in rows of older versions. */
  readonly change?: { readonly id: string; readonly startedAt: number; readonly endedAt: number | null }
  /** The state before this one; null for a new service. */
  readonly previous: { readonly status: 'ok' | 'failure' | 'paused'; readonly startedAt: number } | null
  /**
   * Whole seconds. For recovery and degraded_end: how long the state lasted. For failure_continuation: how long it has
   * lasted so far.
   */
  readonly durationSeconds: number | null
  /** 15 digits; null if no analysis caused the event (pause). */
  readonly analysis_id: string | null
  /** Every check of the deciding analysis; empty for a pause. */
  readonly checks: readonly NoticeCheck[]
  readonly pauseReason: string | null
  /** For silent_failure: every failure that quiet hours suppressed, in order. */
  readonly failures?: readonly HeldFailure[]
  /** For degraded and degraded_end. */
  readonly degraded?: DegradedNotice
  /** The escalation step that sends this message. */
  readonly escalation?: EscalationFacts
}

/** The place of a message in its escalation. */
export interface EscalationFacts {
  readonly id: number
  readonly name: string
  /** From 1. */
  readonly step: number
  /** The number of steps. */
  readonly steps: number
  /** 0 for the first notification of the step. */
  readonly repeat: number
}

/** A failure that quiet hours suppressed. Unix milliseconds. */
export interface HeldFailure {
  readonly startedAt: number
  /** Null while it lasts. */
  readonly endedAt: number | null
}

/** The `facts` of a row without an event: somebody tests whether messages arrive. */
export interface TestFacts {
  readonly condition: 'test'
  /** Null if a group or an address is tested. */
  readonly service: { readonly id: number; readonly name: string } | null
  readonly group: { readonly id: number; readonly name: string }
  readonly decidedAt: number
}

/**
 * The `facts` of a row that sends a confirmation code to an address. The code is made when it is sent. It carries no
 * name that a user chose, because the address may be a stranger's.
 */
export interface ConfirmationFacts {
  readonly condition: 'confirmation'
  readonly codeId: number
  readonly decidedAt: number
}

/** The `facts` of a row that says who knows of a failure, for destinations that were notified of the failure. */
export interface AcknowledgementFacts {
  readonly condition: 'acknowledgement'
  readonly service: { readonly id: number; readonly name: string }
  readonly change: { readonly id: string; readonly startedAt: number }
  /** The account, or the contact or address whose link was used; null: the account is gone. */
  readonly by: string | null
  readonly comment: string | null
  readonly decidedAt: number
}

/** The `facts` of any row in notification_intents. */
export type IntentFacts = NoticeFacts | TestFacts | ConfirmationFacts | AcknowledgementFacts

const otherConditions: readonly string[] = ['test', 'confirmation', 'acknowledgement']

/** True if the message is about an event of a service. */
export function isNotice(facts: IntentFacts): facts is NoticeFacts {
  return !otherConditions.includes(facts.condition)
}
