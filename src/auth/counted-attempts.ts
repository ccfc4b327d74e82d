import type { Clock } from '../domain/clock.ts'
import type { SharedFailures } from './shared-failures.ts'

/** The length of a window of failures: a minute in milliseconds. */
export const windowMs = 60_000
/** Limits the memory that an attacker with many addresses can fill. */
const maximumKeys = 20_000

interface Window {
  failures: number
  readonly endsAt: number
}

export interface Counter {
  readonly key: string
  readonly most: number
}

export interface CountedAttemptsOptions {
  readonly clock: Clock
  /** The name of the counter: equal in all processes, different for each limit. */
  readonly counted: string
  readonly shared: SharedFailures
  /** Called if only this process could count a failure. */
  readonly onUnrecorded?: ((error: unknown) => void) | undefined
}

/**
 * Counts failed attempts per minute. Each process counts its own, and all processes count together in the database.
 * Refusing an attempt needs no database, and a limit holds even if the database takes no writes.
 */
export class CountedAttempts {
  readonly #clock: Clock
  readonly #counted: string
  readonly #shared: SharedFailures
  readonly #onUnrecorded: (error: unknown) => void
  readonly #windows = new Map<string, Window>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor({ clock, counted, shared, onUnrecorded }: CountedAttemptsOptions) {
    this.#clock = clock
    this.#counted = counted
    this.#shared = shared
    this.#onUnrecorded = onUnrecorded ?? (() => undefined)
  }

  /** Milliseconds until none of the counters is full, as far as this process knows; 0: none is. */
  ownWaitMs(counters: readonly Counter[]): number {
    const now = this.#clock.now()
    const waits = counters.map(({ key, most }) => {
      const window = this.#windows.get(key)
      return window !== undefined && window.failures >= most ? window.endsAt - now : 0
    })
    return Math.max(0, ...waits)
  }

  async waitMs(counters: readonly Counter[]): Promise<number> {
    return this.ownWaitMs(counters) || (await this.#sharedWaitMs(counters))
  }

  async #sharedWaitMs(counters: readonly Counter[]): Promise<number> {
    const now = this.#clock.now()
    const ends = await Promise.all(
      counters.map(({ key, most }) => this.#shared.fullUntil([this.#sharedKey(key)], most, now)),
    )
    return Math.max(0, ...ends.map((end) => (end ?? now) - now))
  }

  /** Adds a failure to each counter. */
  async count(counters: readonly Counter[]): Promise<void> {
    for (const { key } of counters) this.#windowOf(key).failures += 1
    const keys = counters.map(({ key }) => this.#sharedKey(key))
    // If the database takes no writes, a wrong password must not become a server error; this process has counted it.
    await this.#shared.count(keys, this.#clock.now()).catch(this.#onUnrecorded)
  }

  /** Works of one key run one after another. */
  inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
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

  #sharedKey(key: string): string {
    return `${this.#counted} ${key}`
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

  /** A map keeps the order of insertion and all windows are equally long, so the first one ends first. */
  #forgetOldest(): void {
    const oldest = this.#windows.keys().next()
    if (!oldest.done) this.#windows.delete(oldest.value)
  }
}
