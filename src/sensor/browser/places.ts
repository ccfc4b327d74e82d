import type { PlacesUse } from '../messages.ts'

export interface PlacesOptions {
  /** As many as do not disturb each other. */
  readonly usual: number
  /** As many as there can be at all. */
  readonly most: number
}

interface Waiting {
  readonly untilMs: number
  readonly enter: () => void
}

/**
 * A bounded number of places; who comes later waits in line, in front of those who can wait longer. Who has waited as long as can be enters beyond the usual number: a slow
 * look says more than none.
 */
export class Places {
  /** Whose time ends first stands first. */
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

  /** Resolves with the way to leave, or with null when there are the most inside at the end of the time. */
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
