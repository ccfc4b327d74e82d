import type { Logger } from 'pino'
import { isDatabaseAway } from '../database/connect.ts'
import type { Timers } from '../turns/timers.ts'

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>

const firstPause = 500
const longestPause = 5000

/** What all parts of monitoring know of the database's absence: said once, asked again with growing pauses. */
export class Outage {
  readonly #timers: Timers
  readonly #log: Log
  #since: number | null = null
  #askAgainAt = 0
  #pause = firstPause
  #count = 0

  constructor(timers: Timers, log: Log) {
    this.#timers = timers
    this.#log = log
  }

  /** The database was away when last asked. */
  get lasts(): boolean {
    return this.#since !== null
  }

  /** Outages so far: a connection that was made before the last one may be dead. */
  get count(): number {
    return this.#count
  }

  /** Too early to ask again. */
  get isPausing(): boolean {
    return this.lasts && this.#timers.monotonic() < this.#askAgainAt
  }

  /** Runs work on the database. False when it failed; why is logged. */
  async guard(what: string, work: () => Promise<void>): Promise<boolean> {
    if (this.isPausing) return false
    try {
      await work()
    } catch (error) {
      this.failed(what, error)
      return false
    }
    this.#end()
    return true
  }

  failed(what: string, error: unknown): void {
    if (!isDatabaseAway(error)) {
      this.#log.error({ err: error }, `${what} failed`)
      return
    }
    const now = this.#timers.monotonic()
    if (this.#since === null) {
      this.#log.warn({ err: error }, `The database is away; monitoring waits for it (${what})`)
      this.#since = now
      this.#count++
    }
    this.#askAgainAt = now + this.#pause
    this.#pause = Math.min(this.#pause * 2, longestPause)
  }

  #end(): void {
    if (this.#since === null) return
    const seconds = Math.round((this.#timers.monotonic() - this.#since) / 1000)
    this.#since = null
    this.#pause = firstPause
    this.#log.info({ seconds }, 'The database is back; monitoring goes on')
  }
}
