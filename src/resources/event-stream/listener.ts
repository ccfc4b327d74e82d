import { Readable } from 'node:stream'
import type { ConnectedCaller } from '../../auth/standing.ts'
import { type EventFilter, eventLines } from '../../domain/stream-event.ts'
import type { Language } from '../../wording/language.ts'

export interface ListenerParts {
  readonly holder: ConnectedCaller
  readonly filter: EventFilter
  readonly language: Language
  /** Where the caller left a stream before; null: it begins. */
  readonly resumesAt: string | null
}

/** Bytes that wait for one slow reader; above that it has to read everything again. */
const mostWaitingBytes = 262_144
/** Milliseconds after which a reader that takes nothing is hung up on. */
const patienceMs = 60_000
const commentEveryMs = 15_000
/** How soon browsers connect again, in milliseconds. */
const retryMs = 3000

/** One open stream. */
export class StreamListener {
  readonly parts: ListenerParts
  readonly stream = new Readable({ read: () => undefined })
  /** The cursor that the last written `id` names. */
  #cursor = ''
  #writtenAt = 0
  #behindSince: number | null = null

  constructor(parts: ListenerParts) {
    this.parts = parts
  }

  /** Begins the stream at a cursor. */
  begin(cursor: string, now: number): void {
    this.#write(`retry: ${retryMs}\n`, cursor, now)
  }

  /**
   * Sends events whose lines are already written. The last one moves the reader to the new cursor; before it, the
   * reader resumes at the old one.
   */
  send(events: readonly Buffer[], cursor: string, now: number): void {
    if (this.#isBehind(now)) return
    for (const [at, lines] of events.entries()) {
      this.stream.push(lines)
      this.#write('', at === events.length - 1 ? cursor : this.#cursor, now)
    }
  }

  /** Too much was missed: the reader has to read everything again. */
  reset(cursor: string, now: number): void {
    if (!this.#isBehind(now)) this.#write(eventLines('reset', '{}'), cursor, now)
  }

  /**
   * A comment keeps proxies from closing the connection, and a quiet stream at a resumable cursor. It also lets a slow
   * reader catch up.
   */
  keepAlive(cursor: string, now: number): void {
    if (this.#behindSince !== null) this.#catchUp(cursor, now)
    else if (now - this.#writtenAt >= commentEveryMs) this.#write(':\n', cursor, now)
  }

  end(): void {
    if (!this.stream.destroyed) this.stream.push(null)
  }

  #catchUp(cursor: string, now: number): void {
    if (this.stream.readableLength === 0) {
      this.#behindSince = null
      this.reset(cursor, now)
    } else if (now - (this.#behindSince ?? now) > patienceMs) this.stream.destroy()
  }

  #isBehind(now: number): boolean {
    if (this.#behindSince === null && this.stream.readableLength > mostWaitingBytes) this.#behindSince = now
    return this.#behindSince !== null
  }

  #write(lines: string, cursor: string, now: number): void {
    this.stream.push(`${lines}id: ${cursor}\n\n`)
    this.#cursor = cursor
    this.#writtenAt = now
  }
}
