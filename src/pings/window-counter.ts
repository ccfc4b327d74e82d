/** Counts by key within a minute, in this process only. */
export class WindowCounter {
  readonly #counts = new Map<string, number>()
  #minute = 0

  /** How often the key was counted in the minute of the moment (Unix milliseconds). */
  countOf(key: string, now: number): number {
    const minute = Math.floor(now / 60_000)
    if (minute !== this.#minute) {
      this.#counts.clear()
      this.#minute = minute
    }
    return this.#counts.get(key) ?? 0
  }

  add(key: string, now: number): void {
    this.#counts.set(key, this.countOf(key, now) + 1)
  }
}
