import type { PlacesUse } from '../messages.ts'

export interface PlacesOptions {
  /** As many as do not disturb each other. */
  readonly usual: number
  /** As many as there can be at all. */
  readonly most: number
}

/**
 * Those inside that keep a place for so long work no processor: they wait for something slow. One more beside them disturbs nobody,
 * and the line does not stand still for what a few targets do.
 */
const standstillMs = 1000

/** A bounded number of places; who comes later waits in line. While nobody leaves, one from the line enters each second beyond the usual number. */
export class Places {
  readonly #line: (() => void)[] = []
  readonly #options: PlacesOptions
  #taken = 0
  #standstill: NodeJS.Timeout | null = null

  constructor(options: PlacesOptions) {
    this.#options = options
  }

  get use(): PlacesUse {
    const free = Math.max(0, this.#options.usual - this.#taken)
    return { taken: this.#taken, free, waiting: this.#line.length }
  }

  /** Resolves with the way to leave, or with null when no place became free within the time. */
  enter(waitMs: number): Promise<(() => void) | null> {
    if (this.#taken < this.#options.usual && this.#line.length === 0) return Promise.resolve(this.#take())
    return new Promise((resolve) => {
      const enter = (): void => {
        clearTimeout(timer)
        resolve(this.#take())
      }
      const timer = setTimeout(
        () => {
          this.#line.splice(this.#line.indexOf(enter), 1)
          resolve(null)
        },
        Math.max(0, waitMs),
      )
      this.#line.push(enter)
      if (this.#standstill === null) this.#watch()
    })
  }

  #take(): () => void {
    this.#taken += 1
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      this.#taken -= 1
      this.#admit(this.#options.usual)
      this.#watch()
    }
  }

  #admit(places: number): void {
    if (this.#taken < places) this.#line.shift()?.()
  }

  /** Begins anew whenever somebody leaves. */
  #watch(): void {
    if (this.#standstill !== null) clearTimeout(this.#standstill)
    this.#standstill = null
    if (this.#line.length === 0) return
    this.#standstill = setTimeout(() => {
      this.#standstill = null
      this.#admit(this.#options.most)
      this.#watch()
    }, standstillMs)
  }
}
