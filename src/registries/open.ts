import type { Database } from '../database/connect.ts'
import { forgetRegistrations } from '../database/services/registrations.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import type { Clock } from '../domain/clock.ts'
import type { WatchedDomain } from '../domain/expiry/watched-domain.ts'
import type { ServiceType } from '../domain/services/service-types.ts'
import type { CheckJob, CheckResult } from '../sensor/protocol.ts'
import type { RegistryWays } from './ask.ts'
import { checkDomain } from './domain-check.ts'
import { HostDomains } from './host-domains.ts'
import { Registries } from './registries.ts'
import { databaseStore } from './store.ts'
import type { WhoisWay } from './whois-registries.ts'

/** The checks that the core does by itself. */
export interface RegistryChecks {
  check(job: CheckJob): Promise<CheckResult>
  domainOf?(type: Pick<ServiceType, 'addressForm'>, address: string): WatchedDomain | null
  /** Forgets domains that nobody watches any more. */
  tidy(): Promise<void>
}

/** An unwatched domain is remembered for as long. */
const memoryLength = 90 * dayLength

export interface RegistryParts {
  readonly database: Database
  readonly clock: Clock
  readonly ways: RegistryWays
  readonly bootstrapUrl: string
  readonly whois: WhoisWay | null
  /** The domains of services' hosts are watched, too. */
  readonly watchesHosts: boolean
}

export function openRegistries({ watchesHosts, database, ...parts }: RegistryParts): RegistryChecks {
  const { clock } = parts
  const registries = new Registries({ ...parts, store: databaseStore(database) })
  const hosts = new HostDomains({ registries, clock })
  return {
    check: (job) => checkDomain(job, registries, () => clock.now()),
    domainOf: (type, address) => (watchesHosts ? hosts.of(type, address) : null),
    tidy: () => forgetRegistrations(database, clock.now() - memoryLength),
  }
}
