import type { PlacesUse } from '../messages.ts'

/** A bounded number of places; who comes later waits in line. */
export class Places {
  readonly #line: (() => void)[] = []
  readonly #count: number
  #free: number

  constructor(count: number) {
    this.#count = count
    this.#free = count
  }

  get use(): PlacesUse {
    return { taken: this.#count - this.#free, free: this.#free, waiting: this.#line.length }
  }

  /** Resolves with the way to leave, or with null when no place became free within the time. */
  enter(waitMs: number): Promise<(() => void) | null> {
    if (this.#free > 0) {
      this.#free -= 1
      return Promise.resolve(this.#leaveOnce())
    }
    return new Promise((resolve) => {
      const take = (): void => {
        clearTimeout(timer)
        resolve(this.#leaveOnce())
      }
      const timer = setTimeout(
        () => {
          this.#line.splice(this.#line.indexOf(take), 1)
          resolve(null)
        },
        Math.max(0, waitMs),
      )
      this.#line.push(take)
    })
  }

  #leaveOnce(): () => void {
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      const next = this.#line.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}
