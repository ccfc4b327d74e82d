import type { PlacesUse } from '../messages.ts'

export interface PlacesOptions {
  /** As many as do not disturb each other. */
  readonly usual: number
  /** The maximum for owners that have a page inside. */
  readonly most: number
}

interface Waiting {
  readonly ownerKey: string
  readonly untilMs: number
  readonly enter: (isAside: boolean) => void
}

/**
 * A limited number of places with a waiting line. The owner with the fewest pages inside goes first, and of its visits
 * those that can wait less. A visit that cannot wait any longer enters beyond the usual number, because a slow check is
 * better than none.
 *
 * Pages that hang hold their places for minutes. So that the pages of one owner cannot keep out another one, an owner
 * enters aside while another would still have more pages inside: as many again as the usual number may be aside, half
 * of them of owners that have a page inside already.
 */
export class BrowserPlaces {
  /** The earliest end of waiting stands first. */
  readonly #line: Waiting[] = []
  readonly #options: PlacesOptions
  readonly #insideOf = new Map<string, number>()
  #taken = 0
  #aside = 0

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  get use(): PlacesUse {
    const free = Math.max(0, this.#options.usual - this.#taken)
    return { taken: this.#taken, free, waiting: this.#line.length }
  }

  /** Resolves with the function to leave, or with null if the maximum is inside when the time is up. */
  enter(waitMs: number, ownerKey: string): Promise<(() => void) | null> {
    return new Promise((resolve) => {
      const enter = (isAside: boolean): void => {
        clearTimeout(timer)
        resolve(this.#take(ownerKey, isAside))
      }
      const longestMs = Math.max(0, waitMs)
      const waiting: Waiting = { ownerKey, untilMs: performance.now() + longestMs, enter }
      const timer = setTimeout(() => {
        this.#line.splice(this.#line.indexOf(waiting), 1)
        resolve(this.#mayExceed(ownerKey) ? this.#take(ownerKey, false) : null)
      }, longestMs)
      const behind = this.#line.findIndex(({ untilMs }) => untilMs > waiting.untilMs)
      this.#line.splice(behind === -1 ? this.#line.length : behind, 0, waiting)
      this.#admit()
    })
  }

  #inside(ownerKey: string): number {
    return this.#insideOf.get(ownerKey) ?? 0
  }

  /** Whether another owner would still have more pages inside. */
  #isBehind(ownerKey: string): boolean {
    const nextCount = this.#inside(ownerKey) + 1
    return [...this.#insideOf].some(([key, count]) => key !== ownerKey && count > nextCount)
  }

  /** How many places beyond others are meant for such an owner. */
  #extraFor(ownerKey: string): number {
    if (this.#inside(ownerKey) === 0) return this.#options.usual
    return this.#isBehind(ownerKey) ? Math.floor(this.#options.usual / 2) : 0
  }

  #mayExceed(ownerKey: string): boolean {
    return this.#taken < this.#options.most + this.#extraFor(ownerKey)
  }

  #admit(): void {
    for (let next = this.#fairest(); next !== null; next = this.#fairest()) {
      const isFree = this.#taken < this.#options.usual
      if (!isFree && !this.#mayStandAside(next.ownerKey)) return
      this.#line.splice(this.#line.indexOf(next), 1)
      next.enter(!isFree)
    }
  }

  #fairest(): Waiting | null {
    let fairest: Waiting | null = null
    for (const one of this.#line)
      if (fairest === null || this.#inside(one.ownerKey) < this.#inside(fairest.ownerKey)) fairest = one
    return fairest
  }

  #mayStandAside(ownerKey: string): boolean {
    return this.#isBehind(ownerKey) && this.#aside < this.#extraFor(ownerKey) && this.#mayExceed(ownerKey)
  }

  #take(ownerKey: string, isAside: boolean): () => void {
    this.#taken += 1
    this.#aside += isAside ? 1 : 0
    this.#insideOf.set(ownerKey, this.#inside(ownerKey) + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      this.#taken -= 1
      this.#aside -= isAside ? 1 : 0
      const left = this.#inside(ownerKey) - 1
      if (left > 0) this.#insideOf.set(ownerKey, left)
      else this.#insideOf.delete(ownerKey)
      this.#admit()
    }
  }
}
