interface Occasion {
  toldAt: number
  untold: number
}

/** Limits how often a repeated occurrence is reported. */
export class Occasions {
  readonly #everyMs: number
  readonly #occasions = new Map<string, Occasion>()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /**
   * The number of occurrences since the last report, this one included; 0 if it is too early to report. Use few keys
   * only.
   */
  meet(key: string, nowMs: number): number {
    const occasion = this.#occasions.get(key) ?? { toldAt: Number.NEGATIVE_INFINITY, untold: 0 }
    this.#occasions.set(key, occasion)
    occasion.untold += 1
    if (nowMs - occasion.toldAt < this.#everyMs) return 0
    const times = occasion.untold
    occasion.toldAt = nowMs
    occasion.untold = 0
    return times
  }
}
