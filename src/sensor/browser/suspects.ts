interface Suspicion {
  /** How often a browser ended with a page of this owner inside. */
  readonly ends: number
  /** The visits that have to go well before the owner shares a browser again. */
  readonly visitsLeft: number
  readonly sinceMs: number
}

const firstVisits = 4
const mostVisits = 1000
const forgottenAfterMs = 24 * 3600 * 1000

/**
 * The owners whose pages were inside when a browser ended. Any of them may be the cause, so each gets a browser of its
 * own until some visits went well there: four after the first end, and four times as many after each further one. The
 * owner that ends a browser again ends no other owner's pages.
 */
export class Suspects {
  readonly #known = new Map<string, Suspicion>()

  isApart(ownerKey: string): boolean {
    return (this.#known.get(ownerKey)?.visitsLeft ?? 0) > 0
  }

  browserEnded(ownerKeys: Iterable<string>, nowMs: number): void {
    for (const [ownerKey, { sinceMs }] of this.#known)
      if (nowMs - sinceMs > forgottenAfterMs) this.#known.delete(ownerKey)
    for (const ownerKey of ownerKeys) {
      const ends = (this.#known.get(ownerKey)?.ends ?? 0) + 1
      this.#known.set(ownerKey, { ends, visitsLeft: Math.min(firstVisits ** ends, mostVisits), sinceMs: nowMs })
    }
  }

  /** For an owner whose page was disturbed, and not in danger: one visit. */
  setApartOnce(ownerKey: string, nowMs: number): void {
    if (this.isApart(ownerKey)) return
    this.#known.set(ownerKey, { ends: 0, sinceMs: nowMs, ...this.#known.get(ownerKey), visitsLeft: 1 })
  }

  wentWell(ownerKey: string): void {
    const known = this.#known.get(ownerKey)
    if (known !== undefined) this.#known.set(ownerKey, { ...known, visitsLeft: Math.max(0, known.visitsLeft - 1) })
  }
}
