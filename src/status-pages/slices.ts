/** Milliseconds in which nothing else runs. */
const longestSlice = 6

/** Time of the event loop for long work, in slices: at most one in each turn of the loop, whatever works at once. */
class Slices {
  #beganAt = 0
  #waiting: (() => void)[] = []

  /** Goes on at once, or in a later turn of the loop if the slice is used up. */
  async breathe(): Promise<void> {
    if (this.#waiting.length === 0 && performance.now() - this.#beganAt < longestSlice) return
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve)
      if (this.#waiting.length === 1) setImmediate(() => this.#next())
    })
  }

  #next(): void {
    this.#beganAt = performance.now()
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) setImmediate(() => this.#next())
  }
}

/** All work of the public pages shares one slice. */
export const slices = new Slices()

/** The results for all items, made in slices. */
export async function inSlices<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
  const made: R[] = []
  for (const item of items) {
    await slices.breathe()
    made.push(make(item))
  }
  return made
}
