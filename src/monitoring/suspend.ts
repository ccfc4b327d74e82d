import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { applyBoundaries, claimBoundaries, nextBoundaryAt } from '../service-state/pauses.ts'
import type { Timers } from '../turns/timers.ts'
import { Turns } from '../turns/turns.ts'
import type { Outage } from './outage.ts'

/** Milliseconds. A wake-up that got lost costs no more than the longest pause. */
const longestPause = 5000
const pauseUnheard = 1000
const shortestPause = 50
const claimSize = 500
/**
 * The limit per turn; if more than a hundred thousand services change at one moment, the rest waits for the next turn.
 */
const maximumBatches = 200

export interface SuspenderParts {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly outage: Outage
  /** The session that hears of changed calendars; null: there is none. */
  readonly session: () => string | null
}

/**
 * Stops and resumes monitoring and notices when the services' calendars change. Any number of processes may run it at
 * once.
 */
export class Suspender {
  readonly #parts: SuspenderParts
  readonly #turns: Turns

  constructor(parts: SuspenderParts) {
    this.#parts = parts
    this.#turns = new Turns({ timers: parts.timers, take: () => this.#takeTurn() })
  }

  start(): void {
    this.#turns.start()
  }

  /** Looks at once: the next boundary may have come nearer. */
  wake(): void {
    this.#turns.wake()
  }

  async stop(): Promise<void> {
    await this.#turns.stop()
  }

  /** Applies every boundary up to now. */
  async drain(): Promise<void> {
    await this.#turns.rest()
    await this.#takeTurn()
  }

  /** Tells how long to wait for the next turn, in milliseconds. */
  async #takeTurn(): Promise<number> {
    const { database, clock, outage, session } = this.#parts
    let pause = pauseUnheard
    await outage.guard('Suspensions', async () => {
      let next = await nextBoundaryAt(database)
      for (let batch = 0; batch < maximumBatches && next <= clock.now(); batch++) {
        const isAll = (await this.#applyBatch()) < claimSize
        next = await nextBoundaryAt(database)
        if (isAll) break
      }
      const longest = session() === null ? pauseUnheard : longestPause
      pause = Math.min(longest, Math.max(shortestPause, next - clock.now()))
    })
    return pause
  }

  #applyBatch(): Promise<number> {
    const { database, clock } = this.#parts
    return database.transaction(async (transaction) => {
      const due = await claimBoundaries(transaction, clock.now(), claimSize)
      await applyBoundaries(transaction, due)
      return due.length
    })
  }
}
