/** Which events a verdict or a stop emits (specification: Events; answers §10). */
import type { notificationModeIds, recoveryNotificationModeIds } from './dictionaries.ts'
import type { NoticeCondition } from './notice.ts'
import type { OpenChange, State } from './status-change.ts'

/** Seconds that a failure must last before it is told; null: never told. */
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

/** Seconds that a service must work again before it is told; null: never told. */
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

/** Notices of one failure after the first. */
const maximumContinuations = 5

/** Milliseconds between two notices of one failure. */
const continuationPause = 60_000

/** What was told of the last failure. */
export interface NoticeMemory {
  /** The failure's moment of being told has come, and that of its recovery has not yet. */
  readonly failureNotified: boolean
  readonly continuationsSent: number
  /** When a notice of the failure was last sent; null: none was, since the service has no such condition. */
  readonly lastNoticeAt: number | null
}

/** What the decision rests on. Moments in Unix milliseconds. */
export interface VerdictFacts {
  readonly verdict: 'ok' | 'failure'
  readonly now: number
  /** The period that the verdict belongs to, with this verdict applied. */
  readonly change: OpenChange
  /** When the period began by the clock as it is set now: delays count from here. Unix milliseconds. */
  readonly delaysFromAt: number
  /** Null when the verdict opened no period. */
  readonly opened: { readonly from: State | null } | null
  readonly modeId: string
  readonly recoveryModeId: string
  readonly memory: NoticeMemory
  /** Of the service. */
  readonly conditionIds: readonly string[]
  /** Quiet hours: monitoring runs, nothing is told. */
  readonly quiet: boolean
  /** Somebody knows of the failure: it is not told again while it lasts. */
  readonly isAcknowledged: boolean
  /** The failure that was told last began an escalation: its recovery is told to those whom a step told. */
  readonly isEscalated: boolean
}

/** What is to be told. */
export interface NoticeEvent {
  readonly condition: NoticeCondition
  /** The same for the same event, however often it is decided. */
  readonly eventId: string
  /** Only those hear of it whom an escalation told of the failure. */
  readonly isForEscalatedAlone?: true
}

/** What a verdict or a stop leads to. Moments in Unix milliseconds. */
export interface NoticeDecision {
  readonly event: NoticeEvent | null
  readonly memory: NoticeMemory
  /** When a confirming analysis is wanted; null for none. */
  readonly confirmAt: number | null
  /** Quiet hours keep this failure back; it is named when they end. */
  readonly isHeld: boolean
}

const nothingTold: NoticeMemory = { failureNotified: false, continuationsSent: 0, lastNoticeAt: null }

/** Decides what a verdict tells. An unknown mode reads as `default`. */
export function decideNotice(facts: VerdictFacts): NoticeDecision {
  const decided = facts.verdict === 'failure' ? decideOnFailure(facts) : decideOnOk(facts)
  return { ...decided, isHeld: isHeldBack(facts, decided) }
}

type Decided = Omit<NoticeDecision, 'isHeld'>

/** Nothing but the quiet hours is in the way of telling the failure. */
function isHeldBack({ verdict, quiet, modeId }: VerdictFacts, { memory, confirmAt }: Decided): boolean {
  const isUntold = verdict === 'failure' && !memory.failureNotified && confirmAt === null
  return quiet && isUntold && delayOf(notificationModes, modeId) !== null
}

function decideOnFailure(facts: VerdictFacts): Decided {
  const { now, change, delaysFromAt, quiet } = facts
  const memory = facts.opened === null ? facts.memory : nothingTold
  const delaySeconds = delayOf(notificationModes, facts.modeId)
  if (delaySeconds === null) return { event: null, memory, confirmAt: null }
  if (memory.failureNotified) return decideContinuation(facts)
  const tellAt = delaysFromAt + delaySeconds * 1000
  if (now < tellAt) return { event: null, memory, confirmAt: tellAt }
  if (quiet) return { event: null, memory, confirmAt: null }
  const event: NoticeEvent = { condition: 'failure', eventId: `failure:${change.changeId}` }
  const lastNoticeAt = facts.conditionIds.includes('failure') ? now : null
  return { event, memory: { failureNotified: true, continuationsSent: 0, lastNoticeAt }, confirmAt: null }
}

function decideContinuation({ now, change, memory, quiet, conditionIds, isAcknowledged }: VerdictFacts): Decided {
  const isTooSoon = memory.lastNoticeAt !== null && now - memory.lastNoticeAt < continuationPause
  const isWanted = conditionIds.includes('failure_continuation')
  if (quiet || isAcknowledged || !isWanted || isTooSoon || memory.continuationsSent >= maximumContinuations) {
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
 * A failure told and not yet taken back stays in memory over pauses and quiet hours: its recovery follows the first good
 * analysis after them. A failure of which nothing was sent has no recovery to be told (answers §10), but to those whom an escalation told.
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

/** The confirming analysis that a service still waits for, when its plan is made anew between verdicts. */
export function pendingConfirmation(facts: {
  readonly change: OpenChange | null
  /** As for a verdict. */
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

/** The event `pause` is for stops by the user while the service had a state; never for a suspension. */
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
