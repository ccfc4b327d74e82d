import { performance } from 'node:perf_hooks'
import { closings } from './wire.ts'

const shortestPauseMs = 500
const longestPauseMs = 15_000
/** A restarted core is back within this many tries; until then their pauses do not grow. */
const quickTries = 8
/** If a person has to act, there is no hurry. */
const refusedPauseMs = 60_000
/** A stopping core sends all its stations elsewhere; their tries are spread over this time. */
const elsewherePauseMs = 200
/** A connection that lasted this long was a good one. */
const goodMs = 10_000

const tooManyRequests = 429
const unhurriedClosings: ReadonlySet<number> = new Set([closings.refused, closings.replaced, closings.tooOld])

/** Decides how long a station waits before it tries its core again. */
export class Reconnecting {
  readonly #random: () => number
  #readyAt: number | null = null
  #failures = 0
  #isRefused = false
  #isSentElsewhere = false

  /** `random` gives from 0 to 1. */
  constructor(random: () => number) {
    this.#random = random
  }

  ready(): void {
    this.#readyAt = performance.now()
  }

  /**
   * The answer was not a WebSocket. Retrying soon changes nothing if a person has to act, or if too many stations ask.
   */
  refused(status: number, isForPerson: boolean): void {
    this.#isRefused = isForPerson || status === tooManyRequests
  }

  closed(code: number): void {
    if (unhurriedClosings.has(code)) this.#isRefused = true
    this.#isSentElsewhere = code === closings.elsewhere
  }

  /** Ends the record of a connection and returns the pause after it, in milliseconds. */
  pauseAfter(): number {
    const heldMs = this.#readyAt === null ? null : performance.now() - this.#readyAt
    const wasGood = heldMs !== null && (heldMs > goodMs || this.#isSentElsewhere)
    this.#failures = wasGood ? 0 : this.#failures + 1
    const pauseMs = this.#pauseMs()
    this.#readyAt = null
    this.#isRefused = false
    return pauseMs
  }

  /** Grows with consecutive failures, and is spread, so that not all stations return to a core at once. */
  #pauseMs(): number {
    if (this.#isSentElsewhere && this.#failures === 0) return elsewherePauseMs * this.#random()
    const most = this.#isRefused
      ? refusedPauseMs
      : Math.min(longestPauseMs, shortestPauseMs * 2 ** Math.max(0, Math.min(this.#failures, 20) - quickTries))
    return most / 2 + (most / 2) * this.#random()
  }
}
