/** The events that a verdict or a stop emits (specification: Events; answers §10). */

import type { notificationModeIds, recoveryNotificationModeIds } from '../dictionaries.ts'
import { type Dependence, waitsUntil } from '../judging/dependencies.ts'
import type { OpenChange, State } from '../judging/status-change.ts'
import type { NoticeCondition } from './notice.ts'

/** Seconds that a failure must last before it is notified; null: never. */
export const notificationModes: Readonly<Record<(typeof notificationModeIds)[number], number | null>> = {
  off: null,
  default: 0,
  after_30_seconds_failure: 30,
  after_1_minute_failure: 60,
  after_5_minutes_failure: 300,
  after_10_minutes_failure: 600,
  after_15_minutes_failure: 900,
  after_30_minutes_failure: 1800,
}

/** Seconds that a service must work again before its recovery is notified; null: never. */
export const recoveryNotificationModes: Readonly<Record<(typeof recoveryNotificationModeIds)[number], number | null>> =
  {
    off: null,
    default: 0,
    after_30_seconds: 30,
    after_1_minute: 60,
    after_5_minutes: 300,
    after_10_minutes: 600,
    after_15_minutes: 900,
    after_30_minutes: 1800,
  }

/** The largest number of further notices about one failure after the first. */
const maximumContinuations = 5

/** Milliseconds between two notices about one failure. */
const continuationPause = 60_000

/** The stored facts about the notices of the last failure. */
export interface NoticeMemory {
  /** The failure's time of notification has passed, and that of its recovery has not. */
  readonly failureNotified: boolean
  readonly continuationsSent: number
  /** When a notice about the failure was last sent. Null: never, because the service does not ask for it. */
  readonly lastNoticeAt: number | null
}

/** The facts that a decision needs. Moments in Unix milliseconds. */
export interface VerdictFacts {
  readonly verdict: 'ok' | 'failure'
  readonly now: number
  /** The period of the verdict, with this verdict applied. */
  readonly change: OpenChange
  /** The period's start by today's setting of the clock; delays count from here. Unix milliseconds. */
  readonly delaysFromAt: number
  /** Null if the verdict opened no period. */
  readonly opened: { readonly from: State | null } | null
  readonly modeId: string
  readonly recoveryModeId: string
  readonly memory: NoticeMemory
  /** The service's conditions. */
  readonly conditionIds: readonly string[]
  /** Quiet hours: monitoring runs and nothing is notified. */
  readonly quiet: boolean
  /** Somebody acknowledged the failure, so it is not notified again while it lasts. */
  readonly isAcknowledged: boolean
  /** The last notified failure began an escalation. Its recovery goes to the people whom a step notified. */
  readonly isEscalated: boolean
  /** The influence of the services on which this one depends. */
  readonly dependence: Dependence
}

/** An event to notify. */
export interface NoticeEvent {
  readonly condition: NoticeCondition
  /** The same id each time the same event is decided. */
  readonly eventId: string
  /** Only the people whom an escalation notified of the failure receive it. */
  readonly isForEscalatedAlone?: true
}

/** The decision after a verdict or a stop. Moments in Unix milliseconds. */
export interface NoticeDecision {
  readonly event: NoticeEvent | null
  readonly memory: NoticeMemory
  /** When a confirming analysis is wanted; null: none is. */
  readonly confirmAt: number | null
  /** Quiet hours suppress this failure; the message at their end names it. */
  readonly isHeld: boolean
}

const nothingTold: NoticeMemory = { failureNotified: false, continuationsSent: 0, lastNoticeAt: null }

/** Decides which events a verdict causes. An unknown mode counts as `default`. */
export function decideNotice(facts: VerdictFacts): NoticeDecision {
  const decided = facts.verdict === 'failure' ? decideOnFailure(facts) : decideOnOk(facts)
  return { ...decided, isHeld: isHeldBack(facts, decided) }
}

type Decided = Omit<NoticeDecision, 'isHeld'>

/** True if only the quiet hours keep the failure from being notified. */
function isHeldBack({ verdict, quiet, modeId }: VerdictFacts, { memory, confirmAt }: Decided): boolean {
  const isUntold = verdict === 'failure' && !memory.failureNotified && confirmAt === null
  return quiet && isUntold && delayOf(notificationModes, modeId) !== null
}

function decideOnFailure(facts: VerdictFacts): Decided {
  const { now, change, delaysFromAt, quiet, dependence } = facts
  const memory = facts.opened === null ? facts.memory : nothingTold
  const delaySeconds = delayOf(notificationModes, facts.modeId)
  if (delaySeconds === null) return { event: null, memory, confirmAt: null }
  if (memory.failureNotified) return decideContinuation(facts)
  const tellAt = delaysFromAt + delaySeconds * 1000
  if (now < tellAt) return { event: null, memory, confirmAt: tellAt }
  const waitingUntil = waitsUntil(dependence, tellAt, now)
  // An earlier failure that was notified keeps its recovery, even if that is still due.
  if (waitingUntil !== null) return { event: null, memory: facts.memory, confirmAt: waitingUntil }
  if (quiet) return { event: null, memory, confirmAt: null }
  const event: NoticeEvent = { condition: 'failure', eventId: `failure:${change.changeId}` }
  const lastNoticeAt = facts.conditionIds.includes('failure') ? now : null
  return { event, memory: { failureNotified: true, continuationsSent: 0, lastNoticeAt }, confirmAt: null }
}

function decideContinuation(facts: VerdictFacts): Decided {
  const { now, change, memory, conditionIds } = facts
  const isSilenced = facts.quiet || facts.isAcknowledged || facts.dependence.heldBy !== null
  const isTooSoon = memory.lastNoticeAt !== null && now - memory.lastNoticeAt < continuationPause
  const isWanted = conditionIds.includes('failure_continuation')
  if (isSilenced || !isWanted || isTooSoon || memory.continuationsSent >= maximumContinuations) {
    return { event: null, memory, confirmAt: null }
  }
  const continuationsSent = memory.continuationsSent + 1
  const eventId = `failure_continuation:${change.changeId}:${continuationsSent}`
  return {
    event: { condition: 'failure_continuation', eventId },
    memory: { ...memory, continuationsSent, lastNoticeAt: now },
    confirmAt: null,
  }
}

/**
 * A notified failure stays in memory over pauses and quiet hours; its recovery follows the first good analysis after
 * them. If nothing was sent about a failure, its recovery is not notified either (answers §10). People whom an
 * escalation notified still receive it.
 */
function decideOnOk(facts: VerdictFacts): Decided {
  const { now, change, delaysFromAt, memory, recoveryModeId, modeId, quiet, isEscalated } = facts
  const isUntold = memory.lastNoticeAt === null
  if (!memory.failureNotified || (isUntold && !isEscalated)) {
    return { event: null, memory: nothingTold, confirmAt: null }
  }
  const delaySeconds = delayOf(recoveryNotificationModes, recoveryModeId)
  if (delaySeconds === null || delayOf(notificationModes, modeId) === null) {
    return { event: null, memory: nothingTold, confirmAt: null }
  }
  const tellAt = delaysFromAt + delaySeconds * 1000
  if (now < tellAt) return { event: null, memory, confirmAt: tellAt }
  if (quiet) return { event: null, memory, confirmAt: null }
  const alone = isUntold ? ({ isForEscalatedAlone: true } as const) : {}
  const event: NoticeEvent = { condition: 'recovery', eventId: `recovery:${change.changeId}`, ...alone }
  return { event, memory: nothingTold, confirmAt: null }
}

/** The confirming analysis that a service still waits for when its plan is made anew between verdicts. */
export function pendingConfirmation(facts: {
  readonly change: OpenChange | null
  /** The same as for a verdict. */
  readonly delaysFromAt: number
  readonly failureNotified: boolean
  readonly modeId: string
  readonly recoveryModeId: string
}): number | null {
  const { change, delaysFromAt, failureNotified } = facts
  if (change === null || change.state === 'paused') return null
  const isFailing = change.state === 'failure'
  if (isFailing === failureNotified) return null
  const delaySeconds = isFailing
    ? delayOf(notificationModes, facts.modeId)
    : delayOf(recoveryNotificationModes, facts.recoveryModeId)
  return delaySeconds === null ? null : delaysFromAt + delaySeconds * 1000
}

/** The event `pause` follows a user's stop of a service that had a state; a suspension never causes it. */
export function pauseEvent(facts: {
  readonly from: State | null
  readonly changeId: number
  readonly reason: string
  readonly modeId: string
  readonly quiet: boolean
}): NoticeEvent | null {
  const hadState = facts.from === 'ok' || facts.from === 'failure'
  if (facts.reason !== 'user' || !hadState || facts.quiet) return null
  if (delayOf(notificationModes, facts.modeId) === null) return null
  return { condition: 'pause', eventId: `pause:${facts.changeId}` }
}

function delayOf(modes: Readonly<Record<string, number | null>>, id: string): number | null {
  const delaySeconds = Object.hasOwn(modes, id) ? modes[id] : 0
  return delaySeconds === undefined ? 0 : delaySeconds
}
