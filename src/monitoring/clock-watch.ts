import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { followClock } from '../service-state/clock-steps.ts'
import type { Timers } from '../turns/timers.ts'
import type { Log } from './outage.ts'

/** Milliseconds between the two clocks that are no step: less than the lateness that a round is forgiven. */
const tolerance = 500

/** Milliseconds: what reading both clocks may take, a small part of the tolerance. */
const longestReading = 50
const maximumAttempts = 5

export interface ClockWatchParts {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: Log
}

/** Notices when somebody sets the clock of this machine, or the machine slept, and lets the plans follow. */
export class ClockWatch {
  readonly #parts: ClockWatchParts
  #offset = Number.NaN

  constructor(parts: ClockWatchParts) {
    this.#parts = parts
  }

  /** The plans do not follow the clock as it is now. */
  get isAstray(): boolean {
    const reading = this.#read()
    return reading === null || !(Math.abs(reading.offset - this.#offset) <= tolerance)
  }

  /** To be awaited before anything is claimed. */
  async follow(): Promise<void> {
    if (!this.isAstray) return
    const { database, timers, log } = this.#parts
    const reading = this.#read()
    if (reading === null) return
    const { now, offset } = reading
    const step = await followClock(database, { machine: timers.machine, now, offset, tolerance })
    this.#offset = offset
    if (step !== 0) log.warn({ milliseconds: step }, 'The clock of this machine was changed; plans follow it')
  }

  /** Null when the process was held between the two clocks every time: the next turn asks again. */
  #read(): { readonly now: number; readonly offset: number } | null {
    const { clock, timers } = this.#parts
    for (let attempt = 0; attempt < maximumAttempts; attempt++) {
      const before = timers.monotonic()
      const now = clock.now()
      if (timers.monotonic() - before < longestReading) return { now, offset: now - before }
    }
    return null
  }
}
