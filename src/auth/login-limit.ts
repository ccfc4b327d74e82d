import type { Clock } from '../domain/clock.ts'
import { networkOf } from '../domain/network.ts'
import type { SharedFailures } from './shared-failures.ts'

/** A minute: how long a window of failures lasts, in milliseconds. */
export const windowMs = 60_000
/** An attacker with many addresses must not fill the memory. */
const maximumKeys = 20_000

interface Window {
  failures: number
  readonly endsAt: number
}

export type AttemptOutcome = { readonly isRight: boolean } | { readonly waitSeconds: number }

export interface LoginLimitOptions {
  readonly attemptsPerMinute: number
  readonly clock: Clock
  /** What is counted: the same text in all processes, another one for another limit. */
  readonly counted: string
  readonly shared: SharedFailures
}

/**
 * Failed attempts to log in, a minute, per address and per username. Each process counts its own, and all count together in the
 * database: who is refused already costs it nothing, and the limit holds when the database takes nothing more.
 */
export class LoginLimit {
  readonly #attemptsPerMinute: number
  readonly #clock: Clock
  readonly #counted: string
  readonly #shared: SharedFailures
  readonly #windows = new Map<string, Window>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor({ attemptsPerMinute, clock, counted, shared }: LoginLimitOptions) {
    this.#attemptsPerMinute = attemptsPerMinute
    this.#clock = clock
    this.#counted = counted
    this.#shared = shared
  }

  /**
   * Attempts of one address and of one username run one after another: parallel guesses gain nothing, and right passwords sent in
   * parallel are not taken for guesses. A right password does not count, many people may share one address. Beside other processes one
   * attempt of each may be under way when the limit is reached.
   */
  attempt(ipAddress: string, username: string, verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const address = `address ${networkOf(ipAddress)}`
    const name = `username ${username.toLowerCase().slice(0, 64)}`
    // Always the address first: whoever holds a username waits for nothing.
    return this.#inTurn(address, () => this.#inTurn(name, () => this.#attempt([address, name], verify)))
  }

  async #attempt(keys: readonly string[], verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const waitMs = this.#ownWaitMs(keys) || (await this.#sharedWaitMs(keys))
    if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / 1000) }
    const isRight = await verify()
    if (!isRight) await this.#count(keys)
    return { isRight }
  }

  #ownWaitMs(keys: readonly string[]): number {
    const now = this.#clock.now()
    const full = keys.map((key) => this.#windows.get(key)).filter((window) => this.#isFull(window, now))
    return Math.max(0, ...full.map((window) => (window?.endsAt ?? now) - now))
  }

  async #sharedWaitMs(keys: readonly string[]): Promise<number> {
    const now = this.#clock.now()
    return ((await this.#shared.fullUntil(this.#sharedKeys(keys), this.#attemptsPerMinute, now)) ?? now) - now
  }

  async #count(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.#windowOf(key).failures += 1
    // A database that takes nothing more must not turn a wrong password into a fault; this process has counted it.
    await this.#shared.count(this.#sharedKeys(keys), this.#clock.now()).catch(() => undefined)
  }

  #sharedKeys(keys: readonly string[]): readonly string[] {
    return keys.map((key) => `${this.#counted} ${key}`)
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
