import { randomBytes } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { Arrivals } from './arrivals.ts'
import type { Carrier } from './carrier.ts'
import { type BusMessage, encodeMessage, longestHeadBytes, mostAcknowledged, piecesOf } from './message.ts'
import type { MessageBusWatch } from './watched-carrier.ts'

export interface LineOptions {
  readonly me: string
  readonly peer: string
  /** The best carrier comes first. */
  readonly carriers: readonly Carrier[]
  readonly watch?: Pick<MessageBusWatch, 'acknowledged' | 'sentAgain'> | undefined
  /** Called with each frame of the peer, once. */
  readonly take: (frame: Buffer) => void
}

interface SentFrame {
  readonly frame: Buffer
  readonly firstSentAt: number
  sentAt: number
  carrier: Carrier | null
}

const acknowledgementsMs = 50
/** A frame without an acknowledgement for this long is sent again, by another carrier if there is one. */
const patienceMs = 1000
/** A slow carrier needs more time for a large frame. */
const bytesPerMs = 1000
/** After this time nobody waits for a frame any more. */
const keptMs = 30_000
const mostKeptBytes = 256 * 1_048_576
/** A carrier that brought nothing from the peer for this long does not reach it. */
const freshMs = 3500
/**
 * The connection to another process. A frame goes by the best carrier, and again by the next one until it is
 * acknowledged. The peer takes it once. A frame that takes too long is given up, because its caller has a deadline of
 * its own.
 */
export class Line {
  readonly #options: LineOptions
  readonly #stream = randomBytes(6).toString('base64url')
  readonly #heardAt = new Map<Carrier, number>()
  readonly #unacknowledged = new Map<number, SentFrame>()
  #keptBytes = 0
  #lastNumber = 0
  readonly #arrivals: Arrivals
  #toAcknowledge: number[] = []
  #acknowledging: NodeJS.Timeout | null = null

  constructor(options: LineOptions) {
    this.#options = options
    this.#arrivals = new Arrivals({ take: options.take, acknowledge: (number) => this.#acknowledge(number) })
  }

  /** When the peer was last heard, by any carrier. */
  get heardAt(): number {
    return Math.max(Number.NEGATIVE_INFINITY, ...this.#heardAt.values())
  }

  /** The usual travel time of the best carrier. */
  get usualMs(): number {
    return this.#best(null)?.usualMs ?? 0
  }

  /** The number of unacknowledged frames. */
  get underWay(): number {
    return this.#unacknowledged.size
  }

  heardBy(carrier: Carrier): void {
    this.#heardAt.set(carrier, performance.now())
  }

  /** Ignores a time in which nothing could be heard. */
  forgive(heldMs: number): void {
    const now = performance.now()
    for (const [carrier, at] of this.#heardAt) this.#heardAt.set(carrier, Math.min(now, at + heldMs))
  }

  send(frame: Buffer): void {
    this.#lastNumber += 1
    const now = performance.now()
    const sent: SentFrame = { frame, firstSentAt: now, sentAt: now, carrier: null }
    this.#unacknowledged.set(this.#lastNumber, sent)
    this.#keptBytes += frame.length
    this.#dispatch(this.#lastNumber, sent)
    for (const number of this.#unacknowledged.keys()) {
      if (this.#keptBytes <= mostKeptBytes) break
      this.#forget(number)
    }
  }

  receive(message: BusMessage): void {
    if (this.#arrivals.isOfAnotherStream(message)) this.#toAcknowledge = []
    if (message.acknowledgedStream === this.#stream) for (const number of message.acknowledged) this.#settle(number)
    if (message.number === 0) return
    this.#arrivals.take(message)
  }

  /** Sends again frames that seem lost, and gives up those that are too old. */
  sweep(): void {
    const now = performance.now()
    for (const [number, sent] of this.#unacknowledged) {
      if (now - sent.firstSentAt > keptMs) this.#forget(number)
      else if (sent.carrier === null || now - sent.sentAt > patienceMs + sent.frame.length / bytesPerMs) {
        if (sent.carrier !== null) this.#options.watch?.sentAgain()
        this.#dispatch(number, sent)
      }
    }
  }

  close(): void {
    if (this.#acknowledging !== null) clearTimeout(this.#acknowledging)
    this.#unacknowledged.clear()
    this.#arrivals.clear()
  }

  #dispatch(number: number, sent: SentFrame): void {
    const carrier = this.#best(sent.carrier)
    sent.sentAt = performance.now()
    sent.carrier = carrier
    if (carrier === null) return
    const pieces = piecesOf(sent.frame, carrier.longestBytes - longestHeadBytes)
    for (const [part, piece] of pieces.entries()) this.#say(carrier, { number, part, parts: pieces.length, piece })
  }

  /**
   * The first working carrier that recently brought something from the peer; a different one than `failed`, if there is
   * one.
   */
  #best(failed: Carrier | null): Carrier | null {
    const now = performance.now()
    const up = this.#options.carriers.filter((carrier) => carrier.isUp)
    const fresh = up.filter((carrier) => now - (this.#heardAt.get(carrier) ?? Number.NEGATIVE_INFINITY) < freshMs)
    const candidates = fresh.length > 0 ? fresh : up
    return candidates.find((carrier) => carrier !== failed) ?? candidates[0] ?? null
  }

  #say(carrier: Carrier, content: Pick<BusMessage, 'number' | 'part' | 'parts' | 'piece'>): void {
    const { me, peer } = this.#options
    const acknowledged = this.#toAcknowledge.splice(0, mostAcknowledged)
    const streams = { stream: this.#stream, acknowledgedStream: this.#arrivals.stream }
    carrier.send(peer, encodeMessage({ from: me, ...streams, acknowledged, ...content }))
  }

  #acknowledge(number: number): void {
    this.#toAcknowledge.push(number)
    this.#acknowledging ??= setTimeout(() => {
      this.#acknowledging = null
      while (this.#toAcknowledge.length > 0) {
        const carrier = this.#best(null)
        if (carrier === null) return
        this.#say(carrier, { number: 0, part: 0, parts: 1, piece: Buffer.alloc(0) })
      }
    }, acknowledgementsMs)
  }

  #settle(number: number): void {
    const sent = this.#unacknowledged.get(number)
    if (sent?.carrier) this.#options.watch?.acknowledged(sent.carrier.name, performance.now() - sent.sentAt)
    this.#forget(number)
  }

  #forget(number: number): void {
    this.#keptBytes -= this.#unacknowledged.get(number)?.frame.length ?? 0
    this.#unacknowledged.delete(number)
  }
}
