import type { Timers } from './timers.ts'

export interface TurnsParts {
  readonly timers: Timers
  /** Takes one turn; returns the wait until the next, in milliseconds. Never rejects. */
  readonly take: () => Promise<number>
}

/** Runs work in turns, never two at once. Each turn follows the last after a pause, or as soon as somebody wakes it. */
export class Turns {
  readonly #parts: TurnsParts
  #underWay: Promise<void> | null = null
  #cancelNext = () => {}
  #isWokenAgain = false
  #isOn = false

  constructor(parts: TurnsParts) {
    this.#parts = parts
  }

  start(): void {
    this.#isOn = true
    this.wake()
  }

  /** Takes a turn at once. A running turn may have looked already, so another one follows it. */
  wake(): void {
    if (!this.#isOn) return
    if (this.#underWay !== null) {
      this.#isWokenAgain = true
      return
    }
    this.#cancelNext()
    this.#underWay = this.#parts.take().then((pause) => {
      this.#underWay = null
      if (!this.#isOn) return
      this.#cancelNext = this.#parts.timers.after(this.#isWokenAgain ? 0 : pause, () => this.wake())
      this.#isWokenAgain = false
    })
  }

  /** Takes no more turns; resolves once the last has ended. */
  async stop(): Promise<void> {
    this.#isOn = false
    this.#cancelNext()
    await this.#underWay
  }

  /** Resolves when no turn is running. */
  async rest(): Promise<void> {
    await this.#underWay
  }
}
