import type { Clock } from '../domain/clock.ts'
import { networkOf } from '../domain/network.ts'
import { deviceOf, type KnownDevices } from './known-devices.ts'
import type { SharedFailures } from './shared-failures.ts'

/** The length of a window of failures: a minute in milliseconds. */
export const windowMs = 60_000
/** Limits the memory that an attacker with many addresses can fill. */
const maximumKeys = 20_000
/** The limit per name over all unknown networks, as a multiple of one network's. */
const networksPerName = 10

interface Window {
  failures: number
  readonly endsAt: number
}

export type AttemptOutcome = { readonly isRight: boolean } | { readonly waitSeconds: number }

export interface LoginLimitOptions {
  readonly attemptsPerMinute: number
  readonly clock: Clock
  /** The name of the counter: equal in all processes, different for each limit. */
  readonly counted: string
  readonly shared: SharedFailures
  /** Known devices, which a locked name does not stop; none by default. */
  readonly devices?: Pick<KnownDevices, 'isKnown'>
  /** Called if only this process could count a failure. */
  readonly onUnrecorded?: ((error: unknown) => void) | undefined
}

interface Counter {
  readonly key: string
  readonly most: number
}

/**
 * Limits failed logins per minute: by address, and by name over all addresses that have never logged in under it (ten
 * times as many). Known devices have a count of their own, so nobody can lock a name for its users. Each process counts
 * its own failures, and all processes count together in the database. Refusing an attempt needs no database, and the
 * limit holds even if the database takes no writes.
 */
export class LoginLimit {
  readonly #attemptsPerMinute: number
  readonly #clock: Clock
  readonly #counted: string
  readonly #shared: SharedFailures
  readonly #devices: Pick<KnownDevices, 'isKnown'> | undefined
  readonly #onUnrecorded: (error: unknown) => void
  readonly #windows = new Map<string, Window>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor({ attemptsPerMinute, clock, counted, shared, devices, onUnrecorded }: LoginLimitOptions) {
    this.#attemptsPerMinute = attemptsPerMinute
    this.#clock = clock
    this.#counted = counted
    this.#shared = shared
    this.#devices = devices
    this.#onUnrecorded = onUnrecorded ?? (() => undefined)
  }

  /**
   * Attempts of one address and of one username run one after another. So parallel guesses gain nothing, and parallel
   * right passwords are not taken for guesses. A right password does not count, because many people may share an
   * address. With several processes, one attempt of each may be running when the limit is reached.
   */
  attempt(ipAddress: string, username: string, verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const most = this.#attemptsPerMinute
    const address = { key: `address ${networkOf(ipAddress)}`, most }
    // The address always comes first, so the holder of a username waits for nothing.
    return this.#inTurn(address.key, async () => {
      const waitMs = this.#ownWaitMs([address])
      if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / 1000) }
      const isKnown = (await this.#devices?.isKnown(username, ipAddress, this.#clock.now())) ?? false
      const name = isKnown
        ? { key: deviceOf(username, ipAddress), most }
        : { key: `username ${username.toLowerCase().slice(0, 64)}`, most: most * networksPerName }
      return this.#inTurn(name.key, () => this.#attempt([address, name], verify))
    })
  }

  async #attempt(counters: readonly Counter[], verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const waitMs = this.#ownWaitMs(counters) || (await this.#sharedWaitMs(counters))
    if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / 1000) }
    const isRight = await verify()
    if (!isRight) await this.#count(counters)
    return { isRight }
  }

  #ownWaitMs(counters: readonly Counter[]): number {
    const now = this.#clock.now()
    const waits = counters.map(({ key, most }) => {
      const window = this.#windows.get(key)
      return window !== undefined && window.failures >= most ? window.endsAt - now : 0
    })
    return Math.max(0, ...waits)
  }

  async #sharedWaitMs(counters: readonly Counter[]): Promise<number> {
    const now = this.#clock.now()
    const ends = await Promise.all(
      counters.map(({ key, most }) => this.#shared.fullUntil([this.#sharedKey(key)], most, now)),
    )
    return Math.max(0, ...ends.map((end) => (end ?? now) - now))
  }

  async #count(counters: readonly Counter[]): Promise<void> {
    for (const { key } of counters) this.#windowOf(key).failures += 1
    const keys = counters.map(({ key }) => this.#sharedKey(key))
    // If the database takes no writes, a wrong password must not become a server error; this process has counted it.
    await this.#shared.count(keys, this.#clock.now()).catch(this.#onUnrecorded)
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
