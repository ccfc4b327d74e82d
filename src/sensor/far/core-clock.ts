/** Two clocks: milliseconds since an arbitrary moment, and wall-clock time. */
export interface OwnClocks {
  readonly monotonic: () => number
  readonly wall: () => number
}

interface Sample {
  readonly roundTripMs: number
  /** The core's clock minus our monotonic one. */
  readonly offset: number
}

const keptSamples = 16
/** If two measurements differ by more than this beyond their own uncertainty, the core's clock was set. */
const toleranceMs = 20

/**
 * An estimate of the core's clock. It is measured against our monotonic clock, by the quickest of the last answers
 * (NTP's way). Our wall clock is only translated by it, so it may be wrong and may be set.
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

  /** The number of answers so far, at most as many as are kept. */
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

  /** By how many milliseconds our wall clock is ahead of the core's; 0 while unknown. */
  get wallOffset(): number {
    return this.#best === null ? 0 : this.#own.wall() - (this.#own.monotonic() + this.#best.offset)
  }

  /** Converts a moment of the core's clock to our wall clock. */
  toWall(coreAt: number): number {
    return coreAt + this.wallOffset
  }

  /** Converts a moment of our wall clock to the core's clock. */
  toCore(wallAt: number): number {
    return wallAt - this.wallOffset
  }
}
