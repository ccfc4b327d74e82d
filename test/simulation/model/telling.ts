import type { ServiceFields } from '../script.ts'

/**
 * The model's notices. Specification: "Events"; answers §10; the project's choices on quiet hours and on when a failure
 * counts as notified.
 */

/** The simulated services ask for no degraded events; one that comes anyway is a disagreement. */
export type Condition =
  | ('failure' | 'failure_continuation' | 'pause' | 'recovery' | 'silent_failure')
  | ('degraded' | 'degraded_end')

/** Moments in Unix milliseconds. */
export interface Notice {
  readonly condition: Condition
  readonly at: number
  /** Start of the state that it speaks of. */
  readonly since: number
  /** For silent_failure: the beginnings of the failures that it names. */
  readonly failures?: readonly number[]
}

const second = 1000
const minute = 60 * second

/** "notify only after the failure has lasted that long"; null is off. */
function failureDelay(mode: string): number | null {
  const delays: Readonly<Record<string, number>> = {
    default: 0,
    after_30_seconds_failure: 30 * second,
    after_1_minute_failure: minute,
    after_5_minutes_failure: 5 * minute,
    after_10_minutes_failure: 10 * minute,
    after_15_minutes_failure: 15 * minute,
    after_30_minutes_failure: 30 * minute,
  }
  return delays[mode] ?? null
}

/** "works similarly for delayed recovery notifications"; names in answers §10. */
function recoveryDelay(mode: string): number | null {
  const delays: Readonly<Record<string, number>> = {
    default: 0,
    after_30_seconds: 30 * second,
    after_1_minute: minute,
    after_5_minutes: 5 * minute,
    after_10_minutes: 10 * minute,
    after_15_minutes: 15 * minute,
    after_30_minutes: 30 * minute,
  }
  return delays[mode] ?? null
}

/** The notices about the last failure that has not recovered. */
interface Told {
  continuations: number
  lastAt: number | null
}

/** The service's situation at a moment. */
export interface Situation {
  readonly at: number
  readonly fields: ServiceFields
  /** Start of the state after this verdict. */
  readonly since: number
  readonly isQuiet: boolean
}

export class Telling {
  readonly notices: Notice[] = []
  #told: Told | null = null
  /** Failures kept back by quiet hours, and whether something good followed the last one. */
  #held: number[] = []
  #goodSinceHeld = false

  /** Only chosen events are sent. */
  #tell(fields: ServiceFields, notice: Notice): void {
    if (fields.notification_condition_ids.includes(notice.condition)) this.notices.push(notice)
  }

  /** A bad analysis. `isNew`: it follows a good one or a pause, or is the first. */
  bad({ at, fields, since, isQuiet }: Situation, isNew: boolean): void {
    if (isNew) this.#told = null
    const delay = failureDelay(fields.notification_mode_id)
    if (delay === null) return
    if (this.#told !== null) this.#continue({ at, fields, since, isQuiet }, this.#told)
    else if (at < since + delay) return
    else if (isQuiet) this.#hold(since)
    else {
      const isChosen = fields.notification_condition_ids.includes('failure')
      this.#told = { continuations: 0, lastAt: isChosen ? at : null }
      this.#tell(fields, { condition: 'failure', at, since })
    }
  }

  /** "sent several times after detection, at most once per minute"; "at most 5 per failure". */
  #continue({ at, fields, since, isQuiet }: Situation, told: Told): void {
    if (!fields.notification_condition_ids.includes('failure_continuation')) return
    if (isQuiet || told.continuations === 5 || (told.lastAt !== null && at - told.lastAt < minute)) return
    told.continuations++
    told.lastAt = at
    this.#tell(fields, { condition: 'failure_continuation', at, since })
  }

  #hold(since: number): void {
    if (!this.#held.includes(since)) this.#held.push(since)
    this.#goodSinceHeld = false
  }

  /**
   * A good analysis. "No recovery notice when the failure was never notified." Suppressed by quiet hours, notified
   * after them.
   */
  good({ at, fields, since, isQuiet }: Situation): void {
    this.#goodSinceHeld = true
    if (this.#told === null) return
    const delay = recoveryDelay(fields.recovery_notification_mode_id)
    if (this.#told.lastAt !== null && delay !== null && failureDelay(fields.notification_mode_id) !== null) {
      if (at < since + delay || isQuiet) return
      this.#tell(fields, { condition: 'recovery', at, since })
    }
    this.#told = null
  }

  /** "the user stops monitoring; not for scheduled suspensions" */
  paused({ at, fields, since, isQuiet }: Situation): void {
    if (isQuiet || fields.notification_mode_id === 'off') return
    this.#tell(fields, { condition: 'pause', at, since })
  }

  /**
   * "one notice when quiet hours end, naming every failure that fell in them"; it counts as a notice of one that still
   * lasts.
   */
  quietEnded(at: number, fields: ServiceFields): void {
    const failures = this.#held
    this.#held = []
    const last = failures.at(-1)
    if (last === undefined || fields.notification_mode_id === 'off') return
    this.#tell(fields, { condition: 'silent_failure', at, since: last, failures })
    const isChosen = fields.notification_condition_ids.includes('silent_failure')
    if (isChosen && !this.#goodSinceHeld) this.#told = { continuations: 0, lastAt: at }
  }

  /** When a confirming analysis is wanted for the state since then; null for none. */
  confirmAt(state: 'ok' | 'failure', since: number, fields: ServiceFields): number | null {
    const isToldOfFailure = this.#told !== null
    if ((state === 'failure') === isToldOfFailure) return null
    const failure = failureDelay(fields.notification_mode_id)
    const delay = state === 'failure' ? failure : recoveryDelay(fields.recovery_notification_mode_id)
    return delay === null || failure === null ? null : since + delay
  }
}
