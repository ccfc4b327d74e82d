import { isIPv6 } from 'node:net'
import type { Clock } from '../domain/clock.ts'
import { withoutIpv4Mapping } from './address-filter.ts'

const windowMs = 60_000
/** An attacker with many addresses must not fill the memory. */
const maximumKeys = 20_000

interface Window {
  attempts: number
  readonly endsAt: number
}

/** One household or one server of IPv6 usually holds a whole /64. */
function networkOf(ipAddress: string): string {
  const plain = withoutIpv4Mapping(ipAddress)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, 4).join(':')
}

/** Attempts to log in, a minute, per address and per username. Known to this process only. */
export class LoginLimit {
  readonly #attemptsPerMinute: number
  readonly #clock: Clock
  readonly #windows = new Map<string, Window>()

  constructor(options: { readonly attemptsPerMinute: number; readonly clock: Clock }) {
    this.#attemptsPerMinute = options.attemptsPerMinute
    this.#clock = options.clock
  }

  /** Counts an attempt before its outcome is known, so that parallel guesses gain nothing. Returns seconds to wait when it is one too many. */
  begin(ipAddress: string, username: string): number | null {
    const now = this.#clock.now()
    const windows = keysOf(ipAddress, username).map((key) => this.#windowOf(key, now))
    const full = windows.filter((window) => window.attempts >= this.#attemptsPerMinute)
    if (full.length > 0) return Math.max(1, Math.ceil((Math.max(...full.map((window) => window.endsAt)) - now) / 1000))
    for (const window of windows) window.attempts += 1
    return null
  }

  /** Gives the attempt back: a right password is no guess, and many people may share one address. */
  succeed(ipAddress: string, username: string): void {
    for (const key of keysOf(ipAddress, username)) {
      const window = this.#windows.get(key)
      if (window !== undefined && window.attempts > 0) window.attempts -= 1
    }
  }

  #windowOf(key: string, now: number): Window {
    const known = this.#windows.get(key)
    if (known !== undefined && known.endsAt > now) return known
    this.#windows.delete(key)
    if (this.#windows.size >= maximumKeys) this.#forgetOldest()
    const window = { attempts: 0, endsAt: now + windowMs }
    this.#windows.set(key, window)
    return window
  }

  /** A map keeps the order of insertion and all windows are equally long: the first one ends first. */
  #forgetOldest(): void {
    const oldest = this.#windows.keys().next()
    if (!oldest.done) this.#windows.delete(oldest.value)
  }
}

function keysOf(ipAddress: string, username: string): string[] {
  return [`address ${networkOf(ipAddress)}`, `username ${username.toLowerCase().slice(0, 64)}`]
}
