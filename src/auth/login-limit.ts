import type { Clock } from '../domain/clock.ts'
import { networkOf } from '../domain/network.ts'

const windowMs = 60_000
/** An attacker with many addresses must not fill the memory. */
const maximumKeys = 20_000

interface Window {
  failures: number
  readonly endsAt: number
}

export type AttemptOutcome = { readonly isRight: boolean } | { readonly waitSeconds: number }

/** Failed attempts to log in, a minute, per address and per username. Known to this process only. */
export class LoginLimit {
  readonly #attemptsPerMinute: number
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(options: { readonly attemptsPerMinute: number; readonly clock: Clock }) {
    this.#attemptsPerMinute = options.attemptsPerMinute
    this.#clock = options.clock
  }

  /**
   * Attempts of one address and of one username run one after another: parallel guesses gain nothing, and right passwords sent in
   * parallel are not taken for guesses. A right password does not count, many people may share one address.
   */
  attempt(ipAddress: string, username: string, verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const address = `address ${networkOf(ipAddress)}`
    const name = `username ${username.toLowerCase().slice(0, 64)}`
    // Always the address first: whoever holds a username waits for nothing.
    return this.#inTurn(address, () => this.#inTurn(name, () => this.#attempt([address, name], verify)))
  }

  async #attempt(keys: readonly string[], verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const now = this.#clock.now()
    const full = keys.map((key) => this.#windows.get(key)).filter((window) => this.#isFull(window, now))
    const waitMs = Math.max(0, ...full.map((window) => (window?.endsAt ?? now) - now))
    if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / 1000) }
    const isRight = await verify()
    if (!isRight) for (const key of keys) this.#windowOf(key).failures += 1
    return { isRight }
  }

  #isFull(window: Window | undefined, now: number): boolean {
    return window !== undefined && window.endsAt > now && window.failures >= this.#attemptsPerMinute
  }

  #windowOf(key: string): Window {
    const now = this.#clock.now()
    const known = this.#windows.get(key)
    if (known !== undefined && known.endsAt > now) return known
    this.#windows.delete(key)
    if (this.#windows.size >= maximumKeys) this.#forgetOldest()
    const window = { failures: 0, endsAt: now + windowMs }
    this.#windows.set(key, window)
    return window
  }

  /** A map keeps the order of insertion and all windows are equally long: the first one ends first. */
  #forgetOldest(): void {
    const oldest = this.#windows.keys().next()
    if (!oldest.done) this.#windows.delete(oldest.value)
  }

  #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key)
    const turn = before === undefined ? work() : before.then(work)
    const ended = turn.then(
      () => undefined,
      () => undefined,
    )
    this.#turns.set(key, ended)
    void ended.then(() => {
      if (this.#turns.get(key) === ended) this.#turns.delete(key)
    })
    return turn
  }
}
