import { networkOf } from '../domain/access/network.ts'
import type { Clock } from '../domain/clock.ts'
import { CountedAttempts, type CountedAttemptsOptions, type Counter } from './counted-attempts.ts'
import { deviceOf, type KnownDevices } from './known-devices.ts'

/** The limit per name over all unknown networks, as a multiple of one network's. */
const networksPerName = 10

export type AttemptOutcome = { readonly isRight: boolean } | { readonly waitSeconds: number }

export interface LoginLimitOptions extends CountedAttemptsOptions {
  readonly attemptsPerMinute: number
  /** Known devices, which a locked name does not stop; none by default. */
  readonly devices?: Pick<KnownDevices, 'isKnown'>
}

/**
 * Limits failed logins per minute: by address, and by name over all addresses that have never logged in under it (ten
 * times as many). Known devices have a count of their own, so nobody can lock a name for its users.
 */
export class LoginLimit {
  readonly #attemptsPerMinute: number
  readonly #clock: Clock
  readonly #attempts: CountedAttempts
  readonly #devices: Pick<KnownDevices, 'isKnown'> | undefined

  constructor({ attemptsPerMinute, devices, ...counted }: LoginLimitOptions) {
    this.#attemptsPerMinute = attemptsPerMinute
    this.#clock = counted.clock
    this.#attempts = new CountedAttempts(counted)
    this.#devices = devices
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
    return this.#attempts.inTurn(address.key, async () => {
      const waitMs = this.#attempts.ownWaitMs([address])
      if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / 1000) }
      const isKnown = (await this.#devices?.isKnown(username, ipAddress, this.#clock.now())) ?? false
      const name = isKnown
        ? { key: deviceOf(username, ipAddress), most }
        : { key: `username ${username.toLowerCase().slice(0, 64)}`, most: most * networksPerName }
      return this.#attempts.inTurn(name.key, () => this.#attempt([address, name], verify))
    })
  }

  async #attempt(counters: readonly Counter[], verify: () => Promise<boolean>): Promise<AttemptOutcome> {
    const waitMs = await this.#attempts.waitMs(counters)
    if (waitMs > 0) return { waitSeconds: Math.ceil(waitMs / 1000) }
    const isRight = await verify()
    if (!isRight) await this.#attempts.count(counters)
    return { isRight }
  }
}
