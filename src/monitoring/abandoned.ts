import type { Database } from '../database/connect.ts'
import { freeAbandoned, readSessions } from '../database/holders.ts'
import type { Timers } from '../turns/timers.ts'
import type { Log } from './outage.ts'

/** Milliseconds between two looks. */
const pause = 1000

export interface AbandonedRoundsParts {
  readonly database: Database
  readonly timers: Timers
  readonly log: Log
  /** The name of the session by which others see whether this process lives; null while it has none. */
  readonly session: () => string | null
}

/** Frees what dead processes held, without waiting for their leases: when this one starts, and whenever a session has ended. */
export class AbandonedRounds {
  readonly #parts: AbandonedRoundsParts
  #known: ReadonlySet<string> | null = null
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(parts: AbandonedRoundsParts) {
    this.#parts = parts
  }

  async free(): Promise<void> {
    const { database, timers, log, session } = this.#parts
    const now = timers.monotonic()
    // Without one it cannot tell either whether the others have lost theirs, as after an outage.
    if (session() === null || now - this.#lookedAt < pause) return
    const sessions = await readSessions(database)
    const isSame = this.#known !== null && [...this.#known].every((known) => sessions.has(known))
    const freed = isSame ? 0 : await freeAbandoned(database)
    if (freed > 0) log.info({ rounds: freed }, 'Rounds of a process that is gone were taken over')
    this.#known = sessions
    this.#lookedAt = now
  }
}
