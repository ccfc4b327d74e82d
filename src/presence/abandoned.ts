import type { Database } from '../database/connect.ts'
import { giveBackAbandoned, type KindOfWork, readSessions } from '../database/holders.ts'
import type { Clock } from '../domain/clock.ts'
import type { Timers } from '../turns/timers.ts'
import type { ChannelListener } from './channel-listener.ts'

/** Milliseconds between two looks. */
const pause = 1000
/** While no other process is known; one that lives shorter keeps its work until its lease ends. */
const pauseAlone = 10_000

export interface AbandonedWorkParts {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly log: { info(facts: object, text: string): void }
  /** Its session shows other processes that this one lives. */
  readonly listener: Pick<ChannelListener, 'session' | 'isGone'>
  readonly kinds: readonly KindOfWork[]
}

/**
 * Releases the work of dead processes without waiting for their leases: at the start, and whenever a session has ended.
 */
export class AbandonedWork {
  readonly #parts: AbandonedWorkParts
  readonly #ownSessions = new Set<string>()
  #known: ReadonlySet<string> | null = null
  #lookedAt = Number.NEGATIVE_INFINITY

  constructor(parts: AbandonedWorkParts) {
    this.#parts = parts
  }

  get #pause(): number {
    return this.#known?.size === 1 ? pauseAlone : pause
  }

  /** Returns how many pieces of work were released. */
  async giveBack(): Promise<number> {
    const { database, timers, listener } = this.#parts
    const now = timers.monotonic()
    const own = listener.session
    // Without its own session this process cannot know whether the others have lost theirs, as after an outage.
    if (own !== null) this.#ownSessions.add(own)
    if (own === null || now - this.#lookedAt < this.#pause) return 0
    const sessions = await readSessions(database)
    this.#lookedAt = now
    if (!sessions.has(own)) {
      listener.isGone(own)
      return 0
    }
    const isSame = this.#known !== null && [...this.#known].every((known) => sessions.has(known))
    const count = isSame ? 0 : await this.#giveBackAll()
    this.#known = sessions
    return count
  }

  async #giveBackAll(): Promise<number> {
    const { database, clock, log, kinds } = this.#parts
    const others = new Map<KindOfWork, number>()
    const own = new Map<KindOfWork, number>()
    for (const kind of kinds) {
      for (const holder of await giveBackAbandoned(database, kind, clock.now())) {
        const counts = this.#ownSessions.has(holder) ? own : others
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
      }
    }
    if (others.size > 0) log.info(Object.fromEntries(others), 'Work of a dead process was taken over')
    if (own.size > 0) log.info(Object.fromEntries(own), 'Work whose session with the database had ended is done anew')
    return [...others.values(), ...own.values()].reduce((sum, count) => sum + count, 0)
  }
}
