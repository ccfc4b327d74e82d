interface Occasion {
  toldAt: number
  untold: number
}

/** Lets what happens again and again be told now and then. */
export class Occasions {
  readonly #everyMs: number
  readonly #occasions = new Map<string, Occasion>()

  constructor(everyMs: number) {
    this.#everyMs = everyMs
  }

  /** How often it happened since it was last told, this time counted; 0 when it is too early to tell. Few keys only. */
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
