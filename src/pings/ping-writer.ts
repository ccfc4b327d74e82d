import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { noteHearing, type ReceivedPing, storePings } from '../service-state/pings.ts'
import type { Timers } from '../turns/timers.ts'

/** Milliseconds between two notes that pings are heard. */
const notePause = 1000
/** A process that begins was preceded by an outage, unless another one went on. */
const patienceAtStart = 1500
/** A process that stands still for less has its callers waiting, not refused. */
const usualPatience = 10_000
const mostPerTransaction = 1000
/** Pings that wait; further ones are refused. */
const mostWaiting = 20_000
/** Bytes of bodies that wait. */
const mostBytesWaiting = 64 * 2 ** 20

export type Outcome = 'stored' | 'unknown' | 'refused'

interface Waiting {
  readonly ping: ReceivedPing
  readonly answer: (outcome: Outcome) => void
}

export interface PingWriterParts {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly onFault: (error: unknown) => void
}

/**
 * Stores pings as they come, all that wait in one transaction. A ping that is answered as stored is committed. It also
 * notes until when pings were heard, so that nobody takes its own silence for that of the callers.
 */
export class PingWriter {
  readonly #parts: PingWriterParts
  #waiting: Waiting[] = []
  #bytes = 0
  /** The arrival of the oldest ping in the running transaction. */
  #writingFrom: number | null = null
  #writing: Promise<void> | null = null
  #missed: { startedAt: number; endedAt: number } | null = null
  #cancelNote = () => {}
  #noting: Promise<void> = Promise.resolve()
  #isOpen = true

  constructor(parts: PingWriterParts) {
    this.#parts = parts
  }

  /** To call before anything listens: what was missed until now is an outage. */
  async begin(): Promise<void> {
    await this.#note(patienceAtStart)
    this.#noteLater()
  }

  add(ping: ReceivedPing): Promise<Outcome> {
    const bytes = ping.body?.length ?? 0
    if (!this.#isOpen || this.#waiting.length >= mostWaiting || this.#bytes + bytes > mostBytesWaiting) {
      this.#miss(ping.at)
      return Promise.resolve('refused')
    }
    this.#bytes += bytes
    return new Promise((answer) => {
      this.#waiting.push({ ping, answer })
      this.#writing ??= this.#writeAll().finally(() => {
        this.#writing = null
      })
    })
  }

  /** Stores what waits and says until when it listened. */
  async stop(): Promise<void> {
    this.#isOpen = false
    this.#cancelNote()
    await this.#writing
    await this.#noting
    await this.#note(usualPatience)
  }

  async #writeAll(): Promise<void> {
    // The pings of this turn of the event loop share the first transaction.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, mostPerTransaction)
      for (const { ping } of batch) this.#bytes -= ping.body?.length ?? 0
      this.#writingFrom = batch[0]?.ping.at ?? null
      await this.#write(batch)
      this.#writingFrom = null
    }
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      const stored = await storePings(
        this.#parts.database,
        batch.map(({ ping }) => ping),
      )
      for (const [place, { answer }] of batch.entries()) answer(stored.has(place) ? 'stored' : 'unknown')
    } catch (error) {
      this.#parts.onFault(error)
      for (const { ping, answer } of batch) {
        this.#miss(ping.at)
        answer('refused')
      }
    }
  }

  /** A refused ping may not come again, so its round must not be taken for a silent one. */
  #miss(at: number): void {
    const { startedAt = at, endedAt = at } = this.#missed ?? {}
    this.#missed = { startedAt: Math.min(startedAt, at), endedAt: Math.max(endedAt, at) }
  }

  #noteLater(): void {
    this.#cancelNote = this.#parts.timers.after(notePause, () => {
      this.#noting = this.#note(usualPatience).finally(() => this.#isOpen && this.#noteLater())
    })
  }

  async #note(patience: number): Promise<void> {
    const untilAt = Math.min(
      this.#parts.clock.now(),
      this.#writingFrom ?? Number.POSITIVE_INFINITY,
      this.#waiting[0]?.ping.at ?? Number.POSITIVE_INFINITY,
    )
    const missed = this.#missed
    try {
      await noteHearing(this.#parts.database, { untilAt, patience, missed })
      if (this.#missed === missed) this.#missed = null
    } catch (error) {
      // Nobody judges silence until the next note.
      this.#parts.onFault(error)
    }
  }
}
