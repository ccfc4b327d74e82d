import type { Database } from '../database/connect.ts'
import {
  claimRegistration,
  forgetRegistrations,
  keepRegistration,
  keepRegistryServer,
  readRegistryServer,
} from '../database/registrations.ts'
import type { Clock } from '../domain/clock.ts'
import { dayLength } from '../domain/durations.ts'
import type { CheckJob, CheckResult } from '../sensor/protocol.ts'
import type { RegistryWays } from './ask.ts'
import { checkDomain } from './domain-check.ts'
import { Registries } from './registries.ts'
import type { RegistryStore } from './store.ts'

/** The checks that the core does by itself. */
export interface RegistryChecks {
  check(job: CheckJob): Promise<CheckResult>
  /** Forgets domains that nobody watches any more. */
  tidy(): Promise<void>
}

/** An unwatched domain is remembered for as long. */
const memoryLength = 90 * dayLength

function databaseStore(database: Database): RegistryStore {
  return {
    claim: (domain, now) => claimRegistration(database, domain, now),
    finish: (domain, memory) => keepRegistration(database, domain, memory),
    server: (url) => readRegistryServer(database, url),
    keepServer: (url, known) => keepRegistryServer(database, url, known),
  }
}

export interface RegistryParts {
  readonly database: Database
  readonly clock: Clock
  readonly ways: RegistryWays
  readonly bootstrapUrl: string
}

export function openRegistries({ database, clock, ways, bootstrapUrl }: RegistryParts): RegistryChecks {
  const registries = new Registries({ store: databaseStore(database), ways, clock, bootstrapUrl })
  return {
    check: (job) => checkDomain(job, registries, () => clock.now()),
    tidy: () => forgetRegistrations(database, clock.now() - memoryLength),
  }
}
