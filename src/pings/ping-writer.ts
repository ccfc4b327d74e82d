import type { Database } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import { type Missed, type MissedPeriod, noneMissed, noteHearing } from '../service-state/hearing.ts'
import { type ReceivedPing, storePings } from '../service-state/pings.ts'
import type { Timers } from '../turns/timers.ts'
import { type ArrivedPing, type RoomSize, WaitingRoom } from './waiting-room.ts'

/** Milliseconds between two notes that pings are heard. */
const notePause = 1000
/** While there is no heartbeat. */
const notePauseOfNone = 5000
/** A process that begins was preceded by an outage, unless another one went on. */
const patienceAtStart = 1500
/** A process that stands still for less has its callers waiting, not refused. */
const usualPatience = 10_000
const mostPerTransaction = 1000
/** The bodies of the pings in one transaction. */
const mostBytesPerTransaction = 8 * 2 ** 20
/** Heartbeats whose missed pings are remembered until the next note; with more, everybody may have missed some. */
const mostMissed = 50_000

/** `too_many`: the caller is noisy. `refused`: nobody can be heard now. */
export type PingOutcome = 'stored' | 'unknown' | 'refused' | 'too_many'

interface Waiting extends ArrivedPing {
  readonly answer: (outcome: PingOutcome) => void
}

export interface PingWriterParts {
  readonly database: Database
  readonly clock: Clock
  readonly timers: Timers
  readonly onFault: (error: unknown) => void
  readonly room?: RoomSize
}

/**
 * Stores pings as they come, all that wait in one transaction. A ping that is answered as stored is committed. It also
 * notes until when pings were heard, so that nobody takes its own silence for that of the callers.
 */
export class PingWriter {
  readonly #parts: PingWriterParts
  readonly #room: WaitingRoom
  #waiting: Waiting[] = []
  /** The arrival of the oldest ping in the running transaction. */
  #writingFrom: number | null = null
  #writing: Promise<void> | null = null
  #missed = noneMissed()
  #cancelNote = () => {}
  #noting: Promise<void> = Promise.resolve()
  #isOpen = true
  /** The last note if there was no heartbeat then, otherwise null. Unix milliseconds. */
  #idleSince: number | null = null

  constructor(parts: PingWriterParts) {
    this.#parts = parts
    this.#room = new WaitingRoom(parts.room)
  }

  /** To call before anything listens: what was missed until now is an outage. */
  async begin(): Promise<void> {
    await this.#note(patienceAtStart, true)
    this.#noteLater()
  }

  add(ping: ReceivedPing, network: string): Promise<PingOutcome> {
    return new Promise((answer) => {
      const waiting = { ping, network, answer }
      const entry = this.#isOpen ? this.#room.enter(waiting) : 'full'
      if (entry !== 'entered') {
        this.#miss(ping)
        answer(entry === 'full' ? 'refused' : 'too_many')
        return
      }
      this.#waiting.push(waiting)
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
      const batch = this.#waiting.splice(0, batchLength(this.#waiting))
      for (const one of batch) this.#room.leave(one)
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
      for (const [place, { ping, answer }] of batch.entries()) {
        if (stored.has(place)) this.#room.know(ping.uuid)
        answer(stored.has(place) ? 'stored' : 'unknown')
      }
    } catch (error) {
      this.#parts.onFault(error)
      for (const { ping, answer } of batch) {
        this.#miss(ping)
        answer('refused')
      }
    }
  }

  /** A refused ping may not come again, so its round must not be taken for a silent one. */
  #miss({ uuid, at }: Pick<ReceivedPing, 'uuid' | 'at'>): void {
    const { ofHeartbeats } = this.#missed
    const own = ofHeartbeats.get(uuid)
    if (own !== undefined || ofHeartbeats.size < mostMissed) ofHeartbeats.set(uuid, widened(own, at))
    else this.#missed.ofAll = widened(this.#missed.ofAll ?? undefined, at)
  }

  #noteLater(): void {
    const pause = this.#idleSince === null ? notePause : notePauseOfNone
    this.#cancelNote = this.#parts.timers.after(pause, () => {
      this.#noting = this.#note(usualPatience).finally(() => this.#isOpen && this.#noteLater())
    })
  }

  async #note(patience: number, isBeginning = false): Promise<void> {
    const untilAt = Math.min(
      this.#parts.clock.now(),
      this.#writingFrom ?? Number.POSITIVE_INFINITY,
      this.#waiting[0]?.ping.at ?? Number.POSITIVE_INFINITY,
    )
    const missed = this.#missed
    this.#missed = noneMissed()
    try {
      const heard = { untilAt, patience, missed, idleSince: this.#idleSince, isBeginning }
      this.#idleSince = (await noteHearing(this.#parts.database, heard)) ? null : untilAt
    } catch (error) {
      // Nobody judges silence until the next note.
      this.#parts.onFault(error)
      this.#rememberMissed(missed)
    }
  }

  #rememberMissed({ ofAll, ofHeartbeats }: Missed): void {
    for (const [uuid, { startedAt, endedAt }] of ofHeartbeats) {
      this.#miss({ uuid, at: startedAt })
      this.#miss({ uuid, at: endedAt })
    }
    if (ofAll === null) return
    this.#missed.ofAll = widened(widened(this.#missed.ofAll ?? undefined, ofAll.startedAt), ofAll.endedAt)
  }
}

/** The first pings that one transaction stores. */
function batchLength(waiting: readonly Waiting[]): number {
  let bytes = 0
  const end = waiting.slice(0, mostPerTransaction).findIndex(({ ping }) => {
    bytes += ping.body?.length ?? 0
    return bytes > mostBytesPerTransaction
  })
  return end < 0 ? mostPerTransaction : Math.max(1, end)
}

function widened(period: MissedPeriod | undefined, at: number): MissedPeriod {
  const { startedAt = at, endedAt = at } = period ?? {}
  return { startedAt: Math.min(startedAt, at), endedAt: Math.max(endedAt, at) }
}
