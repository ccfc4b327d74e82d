import type { CheckResultValue } from './analysis.ts'
import type { ArtifactTypeId, notificationConditionIds } from './dictionaries.ts'

/** What a notification tells, frozen in the transaction that decided it (specification: Events). */

export type NoticeCondition = (typeof notificationConditionIds)[number]

/** One sensor's part of the deciding analysis. */
export interface NoticeCheck {
  readonly sensor_id: number
  readonly sensor_name: string
  readonly city: string
  readonly country: string
  readonly result: CheckResultValue
  /** Milliseconds; null when nothing was measured. */
  readonly response_time: number | null
  /** Id in the catalogue of error types; null when ok. */
  readonly error_type_id: number | null
  /** One technical sentence in English; null when ok. */
  readonly error_message: string | null
  /** Kinds of the files that are kept of it; absent where there are none. */
  readonly artifact_ids?: readonly ArtifactTypeId[]
}

/** The `facts` of a row in notification_intents that tells an event. Moments are Unix milliseconds. */
export interface NoticeFacts {
  readonly condition: NoticeCondition
  readonly service: {
    readonly id: number
    readonly name: string
    readonly address: string
    readonly type_id: string
    /** Absent in what an older version wrote. */
    readonly tags?: readonly string[]
  }
  readonly group: { readonly id: number; readonly name: string }
  /** When the event was decided. */
  readonly decidedAt: number
  /** Start of the state that the notice speaks of. */
  readonly sinceAt: number
  /** The failure, for a failure and its end; else the state that began. Absent in what an older version wrote. */
  readonly change?: { readonly id: string; readonly startedAt: number; readonly endedAt: number | null }
  /** The state before this one; null for a new service. */
  readonly previous: { readonly status: 'ok' | 'failure' | 'paused'; readonly startedAt: number } | null
  /** For recovery: how long the failure lasted. For failure_continuation: how long it has lasted so far. Whole seconds. */
  readonly durationSeconds: number | null
  /** 15 digits; null when no analysis caused the event (pause). */
  readonly analysis_id: string | null
  /** Every check of the deciding analysis; empty for a pause. */
  readonly checks: readonly NoticeCheck[]
  readonly pauseReason: string | null
  /** For silent_failure: every failure that quiet hours held back, in their order. */
  readonly failures?: readonly HeldFailure[]
  /** A step of an escalation tells it. */
  readonly escalation?: EscalationFacts
}

/** Which step of an escalation a message is. */
export interface EscalationFacts {
  readonly id: number
  readonly name: string
  /** From 1. */
  readonly step: number
  /** How many steps there are. */
  readonly steps: number
  /** 0: the step is told for the first time. */
  readonly repeat: number
}

/** A failure of which quiet hours told nobody. Unix milliseconds. */
export interface HeldFailure {
  readonly startedAt: number
  /** Null while it lasts. */
  readonly endedAt: number | null
}

/** The `facts` of a row that tells no event: somebody tries whether messages arrive. */
export interface TestFacts {
  readonly condition: 'test'
  /** Null when a group or an address was tried. */
  readonly service: { readonly id: number; readonly name: string } | null
  readonly group: { readonly id: number; readonly name: string }
  readonly decidedAt: number
}

/**
 * The `facts` of a row that takes a code to an address that is to be confirmed. The code is made when it is sent. No name that somebody
 * chose goes along: the address may be a stranger's.
 */
export interface ConfirmationFacts {
  readonly condition: 'confirmation'
  readonly codeId: number
  readonly decidedAt: number
}

/** The `facts` of any row in notification_intents. */
export type IntentFacts = NoticeFacts | TestFacts | ConfirmationFacts

/** Whether it tells of a service. */
export function isNotice(facts: IntentFacts): facts is NoticeFacts {
  return facts.condition !== 'test' && facts.condition !== 'confirmation'
}
