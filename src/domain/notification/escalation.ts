/** Rules for when the steps of an escalation are notified (docs/escalations.md). */

export interface EscalationStep {
  /**
   * The wait before this step. It counts from the step before; for the first one, from the notification of the failure.
   */
  readonly delay_seconds: number
  readonly contact_ids: readonly number[]
  readonly contact_group_ids: readonly number[]
  readonly rotation_ids: readonly number[]
  /** Null: all channels of the contacts. */
  readonly channel_ids: readonly string[] | null
  /** The repetition goes on until the next step, the acknowledgement or the end. Null: the step is notified once. */
  readonly repeat_seconds: number | null
}

export const escalationStates = ['running', 'acknowledged', 'over'] as const

/** The progress of an escalation. Moments are Unix milliseconds. */
export interface EscalationProgress {
  /** When the failure was to be notified. */
  readonly startedAt: number
  /** The number of the last step that was notified; 0: none yet. */
  readonly step: number
  /** When that step was first notified. */
  readonly stepToldAt: number | null
  /** The number of repetitions of that step so far. */
  readonly repeats: number
  /** When the last notification of any step went out. */
  readonly lastToldAt: number | null
}

export interface StepNotification {
  /** From 1. */
  readonly step: number
  /** 0 for the first notification of the step. */
  readonly repeat: number
  /** Unix milliseconds. */
  readonly at: number
}

/** The largest number of repetitions of one step. */
export const maximumRepeats = 100

/**
 * The next notification and its moment; null when nothing is left. Delays count from the actual notification of the
 * step before, so an outage of ours shortens nobody's time to react. The next step replaces a repetition of the same
 * moment, and one that is overdue.
 * @param now Unix milliseconds
 */
export function nextStepNotification(
  steps: readonly EscalationStep[],
  progress: EscalationProgress,
  now: number,
): StepNotification | null {
  const { startedAt, step, stepToldAt, repeats, lastToldAt } = progress
  const [current, next] = [steps[step - 1], steps[step]]
  const nextAt = next === undefined ? null : (stepToldAt ?? startedAt) + next.delay_seconds * 1000
  const canRepeat = current?.repeat_seconds != null && lastToldAt !== null && repeats < maximumRepeats
  const repeatAt = canRepeat ? lastToldAt + (current.repeat_seconds ?? 0) * 1000 : null
  const isRepeated = repeatAt !== null && (nextAt === null || (repeatAt < nextAt && now < nextAt))
  if (isRepeated) return { step, repeat: repeats + 1, at: repeatAt }
  return nextAt === null ? null : { step: step + 1, repeat: 0, at: nextAt }
}

/** The progress after that notification. @param at when it actually went out, Unix milliseconds */
export function progressAfter(
  progress: EscalationProgress,
  { step, repeat }: StepNotification,
  at: number,
): EscalationProgress {
  return { ...progress, step, repeats: repeat, lastToldAt: at, ...(repeat === 0 ? { stepToldAt: at } : {}) }
}

const eventPrefix = 'escalation'

/** The event id of a notification; the same one each time it is decided. */
export function escalationEventId(
  changeId: number,
  { step, repeat }: Pick<StepNotification, 'step' | 'repeat'>,
): string {
  return `${eventPrefix}:${changeId}:${step}:${repeat}`
}

/** The prefix of all event ids of one failure. */
export function escalationEventsOf(changeId: number): string {
  return `${eventPrefix}:${changeId}:`
}
