import type { Database } from '../database/connect.ts'
import {
  claimRegistration,
  keepRegistration,
  keepRegistryServer,
  readRegistryServer,
} from '../database/services/registrations.ts'
import { nothingAsked, type RegistryMemory } from '../domain/expiry/registration.ts'

/** A server of a registry, or the list of servers. */
export interface KnownServer {
  /** It is not asked before. */
  readonly askAfter: number
  readonly etag: string | null
  /** The list; null for a server. */
  readonly content: string | null
}

/** The memory of questions and answers. */
export interface RegistryStore {
  /** Whether this caller is to ask now; another one that asks already is not disturbed. */
  claim(domain: string, now: number): Promise<{ readonly memory: RegistryMemory; readonly isDue: boolean }>
  /** Ends the claim. */
  finish(domain: string, memory: RegistryMemory): Promise<void>
  server(url: string): Promise<KnownServer | null>
  keepServer(url: string, known: KnownServer): Promise<void>
}

/** For one command without a database. */
export function passingStore(): RegistryStore {
  const domains = new Map<string, RegistryMemory>()
  const servers = new Map<string, KnownServer>()
  return {
    async claim(domain, now) {
      const memory = domains.get(domain) ?? nothingAsked
      return { memory, isDue: memory.askAfter <= now }
    },
    async finish(domain, memory) {
      domains.set(domain, memory)
    },
    server: async (url) => servers.get(url) ?? null,
    async keepServer(url, known) {
      servers.set(url, known)
    },
  }
}

/** Shared by all processes. */
export function databaseStore(database: Database): RegistryStore {
  return {
    claim: (domain, now) => claimRegistration(database, domain, now),
    finish: (domain, memory) => keepRegistration(database, domain, memory),
    server: (url) => readRegistryServer(database, url),
    keepServer: (url, known) => keepRegistryServer(database, url, known),
  }
}
