import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { textCollation } from '../../src/database/text.ts'
import type { Caller } from '../../src/domain/caller.ts'
import { anonymousCaller } from '../../src/domain/caller.ts'
import type { Call } from '../../src/rest/call.ts'
import type { Resource } from '../../src/rest/declare.ts'
import { list } from '../../src/rest/operations/list.ts'
import { read } from '../../src/rest/operations/read.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

let world: FurnishedWorld
let call: Call
let statements = 0

/** The same database, counting. */
function counting(database: Database): Database {
  return {
    ...database,
    query(statement, name) {
      statements += 1
      return database.query(statement, name)
    },
  }
}

beforeAll(async () => {
  world = await furnishedWorld()
  const { people, clock, registry, database } = world
  const alice = people.ids.alice
  const caller: Caller = {
    ...anonymousCaller,
    scope: 'customer',
    account_id: alice,
    primary_account_id: alice,
    account_ids: [alice],
    package_id: people.packageIds.unlimited,
    is_read_only: false,
  }
  call = {
    caller,
    language: 'en',
    nowAt: clock.now(),
    database: counting(database),
    registry,
    collation: await textCollation(database),
    parameters: {},
    query: new URLSearchParams(),
    body: undefined,
    ipAddress: '127.0.0.1',
    userAgent: '',
    bearerToken: null,
    prefersPage: false,
    baseUrl: '',
  }
})
afterAll(() => world.drop())

async function statementsOf(work: (resource: Resource, call: Call) => Promise<unknown>, name: string, query: string) {
  statements = 0
  await work(world.registry.get(name), { ...call, query: new URLSearchParams(query) })
  return statements
}

const stored = ['accounts', 'groups', 'services', 'service_statuses', 'notification_addresses', 'packages', 'sensors']

test.each(stored)('a list of %s is one statement when the page tells the count, two when it does not', async (name) => {
  expect(await statementsOf(list, name, 'limit=1000')).toBe(1)
  expect(await statementsOf(list, name, 'limit=1')).toBe(2)
  expect(await statementsOf(list, name, 'limit=0')).toBe(2)
})

test.each(stored)(
  'each embedded object of %s is at most one statement more, however many rows there are',
  async (name) => {
    const { embed, relations } = world.registry.get(name)
    for (const symbol of embed) {
      const more = relations[symbol] === undefined ? 0 : 1
      expect([symbol, await statementsOf(list, name, `limit=1000&embed=${symbol}`)]).toEqual([
        symbol,
        expect.toBeOneOf([1, 1 + more]),
      ])
    }
    const all = await statementsOf(list, name, `limit=1&embed=${embed.join(',')}`)
    expect(all).toBeLessThanOrEqual(2 + embed.filter((symbol) => relations[symbol] !== undefined).length)
  },
)

test('filters and sort keys of embeddable objects cost no statement', async () => {
  const query =
    'limit=1000&group.name~=e&status.summary=failure&type.name~=http&owner.username=alice&permissions.update=true&sort=-group.name,status.summary,type.name&query=sklep'
  expect(await statementsOf(list, 'services', query)).toBe(1)
})

test('one object is one statement, whatever is embedded without a relation', async () => {
  const one = { ...call, parameters: { _id: String(world.serviceIds.shared) } }
  statements = 0
  await read(world.registry.get('services'), one)
  expect(statements).toBe(1)
  statements = 0
  await read(world.registry.get('services'), { ...one, query: new URLSearchParams('embed=permissions,status,group') })
  expect(statements).toBe(3)
})

test('lists in memory ask the database nothing', async () => {
  for (const name of ['service_types', 'error_types', 'dictionaries/time_zones']) {
    expect([name, await statementsOf(list, name, 'limit=1000&sort=-name&query=a')]).toEqual([name, 0])
  }
})
