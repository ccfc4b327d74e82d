/**
 * Records whether checks recently lacked a resource of this machine: a socket (descriptor, port, kernel memory) or a
 * browser.
 */
export class Shortage {
  readonly #tell: (isShort: boolean) => void
  readonly #overAfterMs: number
  #metAt: number | null = null

  /** `tell` is called when a shortage begins, and once no check has met it for `overAfterMs`. */
  constructor(overAfterMs: number, tell: (isShort: boolean) => void) {
    this.#overAfterMs = overAfterMs
    this.#tell = tell
  }

  get isOn(): boolean {
    return this.#metAt !== null
  }

  /** A check met the shortage. Moments are on a monotonic clock, in milliseconds. */
  meet(now: number): void {
    const isNew = this.#metAt === null
    this.#metAt = now
    if (isNew) this.#tell(true)
  }

  /** Call it regularly. */
  look(now: number): void {
    if (this.#metAt === null || now - this.#metAt < this.#overAfterMs) return
    this.#metAt = null
    this.#tell(false)
  }
}
