import { dayLength } from '../domain/calendars/durations.ts'
import type { Clock } from '../domain/clock.ts'
import type { Expiry } from '../domain/expiry/expiry.ts'
import { longestTrust, type RegistryMemory } from '../domain/expiry/registration.ts'
import { domainOfAddress, type WatchedDomain } from '../domain/expiry/watched-domain.ts'
import type { ServiceType } from '../domain/services/service-types.ts'
import { asciiName } from './ascii-name.ts'
import type { Registries } from './registries.ts'

/**
 * The ends of the domains of services' hosts. A round never waits for a registry: it is told what is known, and a
 * domain whose turn has come is read afterwards.
 */

export interface HostDomainsOptions {
  readonly registries: Pick<Registries, 'read'>
  readonly clock: Clock
}

interface Known {
  readonly end: WatchedDomain['end']
  readonly readAgainAt: number
}

/** Few at a time: a registry answers one question after another, and nobody waits for these. */
const mostAtOnce = 2
/** The pause for an answer that another process is waiting for, and for a database that did not answer. */
const shortestPause = 300_000
const mostKnown = 200_000

export class HostDomains {
  readonly #options: HostDomainsOptions
  readonly #known = new Map<string, Known>()
  readonly #waiting = new Set<string>()
  readonly #reading = new Set<Promise<void>>()

  constructor(options: HostDomainsOptions) {
    this.#options = options
  }

  /** Null: the host has no domain that can be registered. */
  of(type: Pick<ServiceType, 'addressForm'>, address: string): WatchedDomain | null {
    const name = asciiName(domainOfAddress(type, address) ?? '')
    if (name === null) return null
    const known = this.#known.get(name)
    if (known === undefined || known.readAgainAt <= this.#options.clock.now()) {
      this.#waiting.add(name)
      this.#readNext()
    }
    return { name, end: known?.end }
  }

  /** Resolves when nothing is read and nothing waits for it. */
  async rest(): Promise<void> {
    while (this.#reading.size > 0) await Promise.all(this.#reading)
  }

  #readNext(): void {
    for (const name of this.#waiting) {
      if (this.#reading.size >= mostAtOnce) return
      this.#waiting.delete(name)
      const reading: Promise<void> = this.#read(name).finally(() => {
        this.#reading.delete(reading)
        this.#readNext()
      })
      this.#reading.add(reading)
    }
  }

  /** Never rejects. */
  async #read(name: string): Promise<void> {
    const { registries, clock } = this.#options
    // A second question for the same domain while it is read would be in vain.
    this.#keep(name, { end: this.#known.get(name)?.end, readAgainAt: Number.POSITIVE_INFINITY })
    let memory: RegistryMemory | null = null
    try {
      memory = await registries.read(name)
    } catch {
      // The database does not answer, which others tell.
    }
    const now = clock.now()
    const end = memory === null ? this.#known.get(name)?.end : endOf(name, memory, now)
    const nextAt = Math.min(Math.max(memory?.askAfter ?? 0, now + shortestPause), now + dayLength)
    this.#keep(name, { end, readAgainAt: nextAt })
  }

  /** The domains that were read longest ago are forgotten first. */
  #keep(name: string, known: Known): void {
    this.#known.delete(name)
    const [oldest] = this.#known.keys()
    if (this.#known.size >= mostKnown && oldest !== undefined) this.#known.delete(oldest)
    this.#known.set(name, known)
  }
}

/** Doubt about a domain, such as a registry that does not find it, says nothing of its end. */
function endOf(name: string, memory: RegistryMemory, now: number): Expiry | null | undefined {
  const { registration, misses, answeredAt } = memory
  if (registration === null || misses > 0 || answeredAt === null || now - answeredAt > longestTrust) return undefined
  const { endsAt } = registration
  return endsAt === null ? null : { kind: 'domain', id: name, name, endsAt }
}
