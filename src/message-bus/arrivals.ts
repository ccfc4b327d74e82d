import type { BusMessage } from './message.ts'

export interface ArrivalsOptions {
  /** Called with each whole frame, once. */
  readonly take: (frame: Buffer) => void
  /** Tells the sender that it need not send the frame again. */
  readonly acknowledge: (number: number) => void
}

interface Unfinished {
  readonly pieces: (Buffer | undefined)[]
  missing: number
  bytes: number
}

/** The most numbers to remember above a frame that never arrives. */
const mostAhead = 10_000
const mostUnfinishedBytes = 64 * 1_048_576
/** The memory charged for a missing piece. */
const placeBytes = 8

/** Receives from another process: joins pieces into frames, and passes each frame on once, however often it arrives. */
export class Arrivals {
  readonly #options: ArrivalsOptions
  #stream = ''
  /** Every frame up to this number was passed on or is given up. */
  #floor = 0
  readonly #ahead = new Set<number>()
  readonly #unfinished = new Map<number, Unfinished>()
  #unfinishedBytes = 0

  constructor(options: ArrivalsOptions) {
    this.#options = options
  }

  /** The sender's current stream of numbers; empty before the first message. */
  get stream(): string {
    return this.#stream
  }

  /** True if the sender has started over, so that numbers now mean other frames. */
  isOfAnotherStream({ stream }: BusMessage): boolean {
    if (stream === this.#stream) return false
    this.#stream = stream
    this.#floor = 0
    this.#ahead.clear()
    this.clear()
    return true
  }

  take(message: BusMessage): void {
    if (this.#isTaken(message.number)) this.#options.acknowledge(message.number)
    else this.#collect(message)
  }

  /** Forgets the pieces of incomplete frames. */
  clear(): void {
    this.#unfinished.clear()
    this.#unfinishedBytes = 0
  }

  #isTaken(number: number): boolean {
    return number <= this.#floor || this.#ahead.has(number)
  }

  #collect({ number, part, parts, piece }: BusMessage): void {
    if (parts === 1) {
      this.#take(number, piece)
      return
    }
    const unfinished = this.#unfinished.get(number)
    const known = unfinished?.pieces.length === parts ? unfinished : this.#begin(number, parts)
    if (known.pieces[part] !== undefined) return
    known.pieces[part] = piece
    known.missing -= 1
    known.bytes += piece.length
    this.#unfinishedBytes += piece.length
    if (known.missing > 0) {
      this.#boundUnfinished()
      return
    }
    const whole = Buffer.concat(known.pieces.flatMap((one) => one ?? []))
    this.#drop(number)
    this.#take(number, whole)
  }

  /** Pieces of another size, from a carrier with another limit, do not fit these. */
  #begin(number: number, parts: number): Unfinished {
    this.#drop(number)
    const unfinished: Unfinished = { pieces: new Array(parts), missing: parts, bytes: parts * placeBytes }
    this.#unfinished.set(number, unfinished)
    this.#unfinishedBytes += unfinished.bytes
    return unfinished
  }

  #drop(number: number): void {
    this.#unfinishedBytes -= this.#unfinished.get(number)?.bytes ?? 0
    this.#unfinished.delete(number)
  }

  #boundUnfinished(): void {
    for (const number of this.#unfinished.keys()) {
      if (this.#unfinishedBytes <= mostUnfinishedBytes) return
      this.#drop(number)
    }
  }

  #take(number: number, frame: Buffer): void {
    this.#ahead.add(number)
    // Frames that were given up never arrive, so everything below the oldest remembered number is finished.
    if (this.#ahead.size > mostAhead) this.#floor = Math.min(...this.#ahead) - 1
    while (this.#ahead.delete(this.#floor + 1)) this.#floor += 1
    this.#options.acknowledge(number)
    this.#options.take(frame)
  }
}
