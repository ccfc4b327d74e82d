import type { Logger } from 'pino'
import { isDatabaseAway, isDiskFull } from '../database/failures.ts'
import type { Timers } from '../turns/timers.ts'

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** Work that is tried again for as long as something waits for it. */
export const recording = 'Recording'

const firstPause = 500
const longestPause = 5000

/** The database's absence as all parts of monitoring share it: logged once, tested again with growing pauses. */
export class Outage {
  readonly #timers: Timers
  readonly #log: Log
  #since: number | null = null
  #askAgainAt = 0
  #pause = firstPause
  #count = 0
  /** Recording has found the server's disk full: what needs no room says nothing of the end of that. */
  #needsRoom = false

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
    if (!this.#needsRoom || what === recording) this.#end()
    return true
  }

  failed(what: string, error: unknown): void {
    if (!isDatabaseAway(error)) {
      this.#log.error({ err: error }, `${what} failed`)
      return
    }
    const now = this.#timers.monotonic()
    if (this.#since === null) {
      this.#tell(what, error)
      this.#since = now
      this.#count++
    }
    this.#askAgainAt = now + this.#pause
    this.#pause = Math.min(this.#pause * 2, longestPause)
  }

  #tell(what: string, error: unknown): void {
    if (isDiskFull(error)) {
      this.#needsRoom = what === recording
      this.#log.error({ err: error }, `The disk of the database is full; monitoring waits for room (${what})`)
    } else this.#log.warn({ err: error }, `The database is unreachable; monitoring waits for it (${what})`)
  }

  #end(): void {
    if (this.#since === null) return
    const seconds = Math.round((this.#timers.monotonic() - this.#since) / 1000)
    this.#since = null
    this.#needsRoom = false
    this.#pause = firstPause
    this.#log.info({ seconds }, 'The database is back; monitoring goes on')
  }
}
