import type { Database } from '../database/connect.ts'
import { applyBoundaries, claimBoundaries, nextBoundaryAt } from '../database/pauses.ts'
import type { Clock } from '../domain/clock.ts'
import type { Outage } from './outage.ts'
import type { Timers } from './timers.ts'

/** Milliseconds. A wake-up that got lost costs no more than the longest pause. */
const longestPause = 1000
const shortestPause = 50
const claimSize = 500
/** Of one turn; more than a hundred thousand services at one boundary are left for the next turn. */
const maximumBatches = 200

export interface SuspenderParts {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly outage: Outage
}

/** Stops and resumes monitoring and notices when the services' calendars say so. Any number of processes may do it at once. */
export class Suspender {
  readonly #parts: SuspenderParts
  #turn: Promise<void> | null = null
  #cancelTurn: (() => void) | null = null
  #isWokenAgain = false
  #isOn = false

  constructor(parts: SuspenderParts) {
    this.#parts = parts
  }

  start(): void {
    this.#isOn = true
    this.wake()
  }

  /** Looks at once: the next boundary may have come nearer. */
  wake(): void {
    if (!this.#isOn) return
    if (this.#turn !== null) {
      this.#isWokenAgain = true
      return
    }
    this.#cancelTurn?.()
    this.#turn = this.#takeTurn().then((pause) => {
      this.#turn = null
      if (!this.#isOn) return
      this.#cancelTurn = this.#parts.timers.after(this.#isWokenAgain ? 0 : pause, () => this.wake())
      this.#isWokenAgain = false
    })
  }

  async stop(): Promise<void> {
    this.#isOn = false
    this.#cancelTurn?.()
    await this.#turn
  }

  /** Applies every boundary up to now. */
  async drain(): Promise<void> {
    await this.#turn
    await this.#takeTurn()
  }

  /** Tells how long to wait for the next turn, in milliseconds. */
  async #takeTurn(): Promise<number> {
    const { database, clock, outage } = this.#parts
    let pause = longestPause
    await outage.guard('Suspensions', async () => {
      let next = await nextBoundaryAt(database)
      for (let batch = 0; batch < maximumBatches && next <= clock.now(); batch++) {
        const isAll = (await this.#applyBatch()) < claimSize
        next = await nextBoundaryAt(database)
        if (isAll) break
      }
      pause = Math.min(longestPause, Math.max(shortestPause, next - clock.now()))
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
