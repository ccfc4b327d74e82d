import { callerOf, findLogin } from '../../src/auth/callers.ts'
import type { Database } from '../../src/database/connect.ts'
import { textCollation } from '../../src/database/text.ts'
import type { Call } from '../../src/rest/call.ts'
import type { Resource } from '../../src/rest/declare.ts'
import type { FurnishedWorld } from './furnished.ts'
import { ownerFor, type Person } from './people.ts'

/** Calls below the HTTP server, on a database that the test watches. */
export interface Listing {
  callOf(resource: Resource, query: string): Call
}

/** The values of a path's parameters. */
function parametersOf(template: string, filled: string): Record<string, string> {
  const values = filled.split('/')
  const named = template.split('/').flatMap((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1]
    return name === undefined ? [] : [[name, values[index] ?? ''] as const]
  })
  return Object.fromEntries(named)
}

async function callerFor(database: Database, person: Person) {
  const login = await findLogin(database, person)
  if (login === undefined) throw new Error(`There is no ${person}.`)
  return callerOf(login, null)
}

export async function listingOn(world: FurnishedWorld, database: Database): Promise<Listing> {
  const callers = { alice: await callerFor(database, 'alice'), dora: await callerFor(database, 'dora') }
  const collation = await textCollation(database)
  return {
    callOf: (resource, query) => ({
      caller: ownerFor(resource) === 'dora' ? callers.dora : callers.alice,
      language: 'en',
      askedLanguage: null,
      nowAt: world.clock.now(),
      database,
      registry: world.registry,
      collation,
      parameters: parametersOf(resource.path, world.fill(resource.path)),
      query: new URLSearchParams(query),
      body: undefined,
      ipAddress: '127.0.0.1',
      userAgent: '',
      charge: async () => undefined,
      logFault: () => undefined,
      bearerToken: null,
      accept: '',
      ifMatch: null,
      ...{ lastEventId: null, source: null, trail: null },
      prefersPage: false,
      baseUrl: '',
    }),
  }
}
