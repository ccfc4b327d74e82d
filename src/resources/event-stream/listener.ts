import { Readable } from 'node:stream'
import type { Holder } from '../../auth/standing.ts'
import { type EventFilter, eventLines } from '../../domain/stream-event.ts'
import type { Language } from '../../wording/language.ts'

export interface ListenerParts {
  readonly holder: Holder
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
export class Listener {
  readonly parts: ListenerParts
  readonly stream = new Readable({ read: () => undefined })
  /** The place that the last written `id` names. */
  #place = ''
  #writtenAt = 0
  #behindSince: number | null = null

  constructor(parts: ListenerParts) {
    this.parts = parts
  }

  /** Begins the stream at a place. */
  begin(place: string, now: number): void {
    this.#write(`retry: ${retryMs}\n`, place, now)
  }

  /**
   * Sends events whose lines are already written. The last one moves the reader to the new place; before it, the reader
   * resumes at the old one.
   */
  send(events: readonly Buffer[], place: string, now: number): void {
    if (this.#isBehind(now)) return
    for (const [at, lines] of events.entries()) {
      this.stream.push(lines)
      this.#write('', at === events.length - 1 ? place : this.#place, now)
    }
  }

  /** Too much was missed: the reader has to read everything again. */
  reset(place: string, now: number): void {
    if (!this.#isBehind(now)) this.#write(eventLines('reset', '{}'), place, now)
  }

  /**
   * A comment keeps proxies from closing the connection, and a quiet stream at a resumable place. It also lets a slow
   * reader catch up.
   */
  keepAlive(place: string, now: number): void {
    if (this.#behindSince !== null) this.#catchUp(place, now)
    else if (now - this.#writtenAt >= commentEveryMs) this.#write(':\n', place, now)
  }

  end(): void {
    if (!this.stream.destroyed) this.stream.push(null)
  }

  #catchUp(place: string, now: number): void {
    if (this.stream.readableLength === 0) {
      this.#behindSince = null
      this.reset(place, now)
    } else if (now - (this.#behindSince ?? now) > patienceMs) this.stream.destroy()
  }

  #isBehind(now: number): boolean {
    if (this.#behindSince === null && this.stream.readableLength > mostWaitingBytes) this.#behindSince = now
    return this.#behindSince !== null
  }

  #write(lines: string, place: string, now: number): void {
    this.stream.push(`${lines}id: ${place}\n\n`)
    this.#place = place
    this.#writtenAt = now
  }
}
