import type { Message } from './message.ts'

export interface ArrivalsOptions {
  /** Takes a whole frame, each once. */
  readonly take: (frame: Buffer) => void
  /** The sender need not send the frame again. */
  readonly acknowledge: (number: number) => void
}

interface Unfinished {
  readonly pieces: (Buffer | undefined)[]
  missing: number
  bytes: number
}

/** Numbers that are remembered above one that is missing for ever. */
const mostAhead = 10_000
const mostUnfinishedBytes = 64 * 1_048_576
/** Of a piece that has not come. */
const placeBytes = 8

/** What comes from another process: pieces become frames again, and each frame is taken once, however often it came. */
export class Arrivals {
  readonly #options: ArrivalsOptions
  #stream = ''
  /** Every frame up to this one was taken or is given up. */
  #floor = 0
  readonly #ahead = new Set<number>()
  readonly #unfinished = new Map<number, Unfinished>()
  #unfinishedBytes = 0

  constructor(options: ArrivalsOptions) {
    this.#options = options
  }

  /** The one that the sender numbers its frames in; empty before the first message. */
  get stream(): string {
    return this.#stream
  }

  /** True when the sender has begun anew: numbers mean other frames from now on. */
  isOfAnotherStream({ stream }: Message): boolean {
    if (stream === this.#stream) return false
    this.#stream = stream
    this.#floor = 0
    this.#ahead.clear()
    this.clear()
    return true
  }

  take(message: Message): void {
    if (this.#isTaken(message.number)) this.#options.acknowledge(message.number)
    else this.#collect(message)
  }

  /** Forgets pieces of frames that are not whole. */
  clear(): void {
    this.#unfinished.clear()
    this.#unfinishedBytes = 0
  }

  #isTaken(number: number): boolean {
    return number <= this.#floor || this.#ahead.has(number)
  }

  #collect({ number, part, parts, piece }: Message): void {
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

  /** Pieces of another cut, by a carrier with other bounds, are of no use beside these. */
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
    // Frames that were given up never come: what lies below the oldest that is remembered is over.
    if (this.#ahead.size > mostAhead) this.#floor = Math.min(...this.#ahead) - 1
    while (this.#ahead.delete(this.#floor + 1)) this.#floor += 1
    this.#options.acknowledge(number)
    this.#options.take(frame)
  }
}
