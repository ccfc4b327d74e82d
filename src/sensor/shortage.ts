/** After the last check that found none a shortage is over, unless another check is refused. */
const overAfterMs = 15_000

/** Whether checks lately found no socket on this machine: no descriptor, no port, no memory of the system for one. */
export class Shortage {
  readonly #tell: (isShort: boolean) => void
  #metAt: number | null = null

  /** `tell` is called when a shortage begins and when it is over. */
  constructor(tell: (isShort: boolean) => void) {
    this.#tell = tell
  }

  get isOn(): boolean {
    return this.#metAt !== null
  }

  /** A check found none. Moments are of a clock that nobody sets, in milliseconds. */
  meet(now: number): void {
    const isNew = this.#metAt === null
    this.#metAt = now
    if (isNew) this.#tell(true)
  }

  /** To be called again and again. */
  look(now: number): void {
    if (this.#metAt === null || now - this.#metAt < overAfterMs) return
    this.#metAt = null
    this.#tell(false)
  }
}
