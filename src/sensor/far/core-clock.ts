/** Milliseconds since an arbitrary moment, and of the wall. */
export interface OwnClocks {
  readonly monotonic: () => number
  readonly wall: () => number
}

interface Sample {
  readonly roundTripMs: number
  /** The core's clock less our monotonic one. */
  readonly offset: number
}

const keptSamples = 16
/** What two measurements may differ by beyond their own uncertainty before the core's clock was set. */
const toleranceMs = 20

/**
 * The core's clock as it is known here: measured against our monotonic clock by asking, of the last answers the quickest (NTP's way). Our
 * wall clock is only translated by it, so it may be wrong and may be set.
 */
export class CoreClock {
  readonly #own: OwnClocks
  readonly #asked = new Map<number, number>()
  #samples: readonly Sample[] = []
  #best: Sample | null = null
  #lastNumber = 0

  constructor(own: OwnClocks) {
    this.#own = own
  }

  /** How many answers were heard, at most as many as are kept. */
  get heard(): number {
    return this.#samples.length
  }

  /** The number of a new question, to be sent now. */
  ask(): number {
    this.#lastNumber += 1
    this.#asked.set(this.#lastNumber, this.#own.monotonic())
    if (this.#asked.size > keptSamples)
      for (const number of [...this.#asked.keys()].slice(0, 1)) this.#asked.delete(number)
    return this.#lastNumber
  }

  /** The core's clock showed `coreAt` when it answered the question. */
  answer(number: number, coreAt: number): void {
    const askedAt = this.#asked.get(number)
    if (askedAt === undefined) return
    this.#asked.delete(number)
    const now = this.#own.monotonic()
    const sample = { roundTripMs: now - askedAt, offset: coreAt - (askedAt + now) / 2 }
    const fits = this.#samples.every(
      ({ roundTripMs, offset }) =>
        Math.abs(offset - sample.offset) <= (roundTripMs + sample.roundTripMs) / 2 + toleranceMs,
    )
    const samples = [...(fits ? this.#samples : []), sample].slice(-keptSamples)
    this.#samples = samples
    this.#best = samples.reduce((least, one) => (one.roundTripMs < least.roundTripMs ? one : least), sample)
  }

  /** Forgets questions whose answers were lost with a connection. */
  forgetQuestions(): void {
    this.#asked.clear()
  }

  /** By how many milliseconds our wall clock is ahead of the core's; 0 while nothing is known. */
  get wallOffset(): number {
    return this.#best === null ? 0 : this.#own.wall() - (this.#own.monotonic() + this.#best.offset)
  }

  /** A moment of the core's clock as our wall clock would show it. */
  toWall(coreAt: number): number {
    return coreAt + this.wallOffset
  }

  /** A moment of our wall clock as the core's would show it. */
  toCore(wallAt: number): number {
    return wallAt - this.wallOffset
  }
}
