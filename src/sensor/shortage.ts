/** Whether checks lately lacked something of this machine: a socket (descriptor, port, memory of the system for one) or a browser. */
export class Shortage {
  readonly #tell: (isShort: boolean) => void
  readonly #overAfterMs: number
  #metAt: number | null = null

  /** `tell` is called when a shortage begins, and when for so long no check has met it. */
  constructor(overAfterMs: number, tell: (isShort: boolean) => void) {
    this.#overAfterMs = overAfterMs
    this.#tell = tell
  }

  get isOn(): boolean {
    return this.#metAt !== null
  }

  /** A check met it. Moments are of a clock that nobody sets, in milliseconds. */
  meet(now: number): void {
    const isNew = this.#metAt === null
    this.#metAt = now
    if (isNew) this.#tell(true)
  }

  /** To be called again and again. */
  look(now: number): void {
    if (this.#metAt === null || now - this.#metAt < this.#overAfterMs) return
    this.#metAt = null
    this.#tell(false)
  }
}
