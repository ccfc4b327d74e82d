/** When the steps of an escalation are told (docs/escalations.md). */

export interface EscalationStep {
  /** Wait before this step, counted from the step before; of the first one from the notification of the failure. */
  readonly delay_seconds: number
  readonly contact_ids: readonly number[]
  readonly contact_group_ids: readonly number[]
  readonly rotation_ids: readonly number[]
  /** Null: all channels of the contacts. */
  readonly channel_ids: readonly string[] | null
  /** Until the next step, the acknowledgement or the end; null: told once. */
  readonly repeat_seconds: number | null
}

export const escalationStates = ['running', 'acknowledged', 'over'] as const

/** How far an escalation has come. Moments are Unix milliseconds. */
export interface EscalationProgress {
  /** When the failure was to be told. */
  readonly startedAt: number
  /** The number of the last step that was told; 0: none was. */
  readonly step: number
  /** When that step was told first. */
  readonly stepToldAt: number | null
  /** How often it was told again. */
  readonly repeats: number
  /** When anything was told last. */
  readonly lastToldAt: number | null
}

export interface Telling {
  /** From 1. */
  readonly step: number
  /** 0 when the step is told first. */
  readonly repeat: number
  /** Unix milliseconds. */
  readonly at: number
}

/** A step is not told again more often. */
export const maximumRepeats = 100

/**
 * What is told next, and when; null: nothing any more. Delays count from when the step before was told in fact, so that an outage
 * of ours takes nobody's time to react. The next step replaces a repetition of the same moment, and one that was not told in time.
 * @param now Unix milliseconds
 */
export function nextTelling(
  steps: readonly EscalationStep[],
  progress: EscalationProgress,
  now: number,
): Telling | null {
  const { startedAt, step, stepToldAt, repeats, lastToldAt } = progress
  const [current, next] = [steps[step - 1], steps[step]]
  const nextAt = next === undefined ? null : (stepToldAt ?? startedAt) + next.delay_seconds * 1000
  const canRepeat = current?.repeat_seconds != null && lastToldAt !== null && repeats < maximumRepeats
  const repeatAt = canRepeat ? lastToldAt + (current.repeat_seconds ?? 0) * 1000 : null
  const isRepeated = repeatAt !== null && (nextAt === null || (repeatAt < nextAt && now < nextAt))
  if (isRepeated) return { step, repeat: repeats + 1, at: repeatAt }
  return nextAt === null ? null : { step: step + 1, repeat: 0, at: nextAt }
}

/** How far it has come once that was told. @param at when it was told in fact, Unix milliseconds */
export function progressAfter(progress: EscalationProgress, { step, repeat }: Telling, at: number): EscalationProgress {
  return { ...progress, step, repeats: repeat, lastToldAt: at, ...(repeat === 0 ? { stepToldAt: at } : {}) }
}

const eventPrefix = 'escalation'

/** The same for the same telling, however often it is decided. */
export function escalationEventId(changeId: number, { step, repeat }: Pick<Telling, 'step' | 'repeat'>): string {
  return `${eventPrefix}:${changeId}:${step}:${repeat}`
}

/** What all event ids of one failure begin with. */
export function escalationEventsOf(changeId: number): string {
  return `${eventPrefix}:${changeId}:`
}
