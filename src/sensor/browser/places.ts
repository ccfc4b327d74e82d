import type { PlacesUse } from '../messages.ts'

export interface PlacesOptions {
  /** As many as do not disturb each other. */
  readonly usual: number
  /** The absolute maximum. */
  readonly most: number
}

interface Waiting {
  readonly untilMs: number
  readonly enter: () => void
}

/**
 * A limited number of places with a waiting line. Visits that can wait less go first. A visit that cannot wait any
 * longer enters beyond the usual number, because a slow check is better than none.
 */
export class BrowserPlaces {
  /** The earliest end of waiting stands first. */
  readonly #line: Waiting[] = []
  readonly #options: PlacesOptions
  #taken = 0

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  get use(): PlacesUse {
    const free = Math.max(0, this.#options.usual - this.#taken)
    return { taken: this.#taken, free, waiting: this.#line.length }
  }

  /** Resolves with the function to leave, or with null if the maximum is inside when the time is up. */
  enter(waitMs: number): Promise<(() => void) | null> {
    if (this.#taken < this.#options.usual) return Promise.resolve(this.#take())
    return new Promise((resolve) => {
      const enter = (): void => {
        clearTimeout(timer)
        resolve(this.#take())
      }
      const longestMs = Math.max(0, waitMs)
      const waiting: Waiting = { untilMs: performance.now() + longestMs, enter }
      const timer = setTimeout(() => {
        this.#line.splice(this.#line.indexOf(waiting), 1)
        resolve(this.#taken < this.#options.most ? this.#take() : null)
      }, longestMs)
      const behind = this.#line.findIndex(({ untilMs }) => untilMs > waiting.untilMs)
      this.#line.splice(behind === -1 ? this.#line.length : behind, 0, waiting)
    })
  }

  #take(): () => void {
    this.#taken += 1
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      this.#taken -= 1
      if (this.#taken < this.#options.usual) this.#line.shift()?.enter()
    }
  }
}
