import type { Logger } from 'pino'
import { isDiskFull, isServerAway } from '../database/failures.ts'
import type { Timers } from '../turns/timers.ts'

export type Log = Pick<Logger, 'info' | 'warn' | 'error'>

/** Milliseconds between two attempts. As long as a server is back without being noticed, nothing is judged. */
const firstPause = 500
const longestPause = 1000
/** On a full disk checks and reading go on meanwhile. */
const pauseWhileFull = 5000
/**
 * A full disk has room again once nothing has failed for want of it for so long. Some statements succeed on a full
 * disk, and what waits for room tries again every five seconds.
 */
const roomFor = 15_000

/** The database's absence as all parts of monitoring share it: logged once, tested again with growing pauses. */
export class Outage {
  readonly #timers: Timers
  readonly #log: Log
  readonly #diskIsFull: (isFull: boolean) => void
  #since: number | null = null
  #askAgainAt = 0
  #pause = firstPause
  #count = 0
  /** When work last found the server's disk full; null if the database is away for another reason. */
  #fullAt: number | null = null

  /** @param diskIsFull called when the disk is found full, and when it has room again */
  constructor(timers: Timers, log: Log, diskIsFull: (isFull: boolean) => void = () => undefined) {
    this.#timers = timers
    this.#log = log
    this.#diskIsFull = diskIsFull
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
    if (this.#hasRoom()) this.#end()
    return true
  }

  failed(what: string, error: unknown): void {
    if (!isServerAway(error)) {
      this.#log.error({ err: error }, `${what} failed`)
      return
    }
    const now = this.#timers.monotonic()
    if (isDiskFull(error)) {
      const isNews = this.#fullAt === null
      this.#fullAt = now
      if (isNews) {
        this.#log.error({ err: error }, `The disk of the database is full; monitoring waits for room (${what})`)
        this.#diskIsFull(true)
      }
    } else if (this.#since === null) {
      this.#log.warn({ err: error }, `The database is unreachable; monitoring waits for it (${what})`)
    }
    // Connections outlive a full disk.
    if (this.#since === null && this.#fullAt === null) this.#count++
    this.#since ??= now
    this.#askAgainAt = now + (this.#fullAt === null ? this.#pause : pauseWhileFull)
    this.#pause = longestPause
  }

  #hasRoom(): boolean {
    return this.#fullAt === null || this.#timers.monotonic() - this.#fullAt >= roomFor
  }

  #end(): void {
    if (this.#since === null) return
    const seconds = Math.round((this.#timers.monotonic() - this.#since) / 1000)
    this.#since = null
    const wasFull = this.#fullAt !== null
    this.#fullAt = null
    this.#pause = firstPause
    this.#log.info({ seconds }, 'The database is back; monitoring goes on')
    if (wasFull) this.#diskIsFull(false)
  }
}
