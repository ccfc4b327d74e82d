import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { declaredResources } from '../../src/program/interface-description.ts'
import { performanceChart } from '../../src/resources/history/performance-chart.ts'
import { serviceLevel } from '../../src/resources/history/service-level.ts'
import type { Call } from '../../src/rest/call.ts'
import type { Resource } from '../../src/rest/declare.ts'
import { create } from '../../src/rest/operations/create.ts'
import { countRows, list } from '../../src/rest/operations/list.ts'
import { read } from '../../src/rest/operations/read.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { type Listing, listingOn } from '../support/listing.ts'
import { givePackage } from '../support/packages.ts'

let world: FurnishedWorld
let listing: Listing
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
  listing = await listingOn(world, counting(world.database))
})
afterAll(() => world.drop())

async function statementsOf(work: (resource: Resource, call: Call) => Promise<unknown>, name: string, query: string) {
  const resource = world.registry.get(name)
  const call = listing.callOf(resource, query)
  statements = 0
  await work(resource, call)
  return statements
}

const { all, get } = declaredResources()

/** Each object on the way to a list is read once. */
function above({ parent }: Resource): number {
  return parent === null ? 0 : 1 + above(get(parent))
}

/**
 * Attachments of addresses and of components take one statement. Attachments of groups take two, from two tables that
 * may lie on different machines.
 */
const statementsOfOne: Readonly<Record<string, number>> = {
  ...{ notification_addresses: 1, contact_addresses: 1, status_page_components: 1 },
}

/** The statements beside a page, independent of its length. */
function attachedTo({ name, fields }: Resource): number {
  const always = Object.values(fields).filter((field) => field.attached !== undefined && field.embedOnly !== true)
  return (statementsOfOne[name] ?? 2) * always.length
}

/** The statements for a field that is shown only on request. */
function attachedBy({ fields }: Resource, symbol: string): number {
  return fields[symbol]?.attached === undefined ? 0 : 1
}

const stored = all
  .filter(({ operations, source }) => operations.includes('list') && source.kind !== 'list')
  .map((resource) => [resource.name, resource] as const)

test.each(stored)(
  'a list of %s is one statement when the page tells the count, two when it does not',
  async (name, resource) => {
    const way = above(resource)
    const attached = attachedTo(resource)
    expect(await statementsOf(list, name, 'limit=1000')).toBe(way + 1 + attached)
    expect(await statementsOf(list, name, 'limit=1')).toBe(way + 2 + attached)
    expect(await statementsOf(list, name, 'limit=0')).toBe(way + 2)
  },
)

test.each(stored)(
  'each embedded object of %s is at most one statement more, however many rows there are',
  async (name, resource) => {
    const { embed, relations } = resource
    const way = above(resource)
    for (const symbol of embed) {
      const relation = relations[symbol]
      const own = way + 1 + attachedTo(resource)
      const more = relation === undefined ? attachedBy(resource, symbol) : 1 + attachedTo(get(relation.to))
      expect([symbol, await statementsOf(list, name, `limit=1000&embed=${symbol}`)]).toEqual([
        symbol,
        expect.toBeOneOf([own, own + more]),
      ])
    }
    const all = await statementsOf(list, name, `limit=1&embed=${embed.join(',')}`)
    const related = embed.flatMap((symbol) => relations[symbol] ?? [])
    const own = embed.reduce((total, symbol) => total + attachedBy(resource, symbol), way + 2 + attachedTo(resource))
    const most = related.reduce((total, { to }) => total + 1 + attachedTo(get(to)), own)
    expect(all).toBeLessThanOrEqual(most)
  },
)

test('filters and sort keys of embeddable objects cost no statement', async () => {
  const query =
    'limit=1000&group.name~=e&status.summary=failure&type.name~=http&owner.username=alice&permissions.update=true&sort=-group.name,status.summary,type.name&query=sklep'
  expect(await statementsOf(list, 'services', query)).toBe(1)
})

/** A Citus cluster on PostgreSQL 15 or 16 refuses such a statement beside the related object. */
test.each([
  ['performance_steps', 'sensor_id=1&sensor.id=2'],
  ['checks_in_time', 'error_type_id=1&error_type.id=2&sort=sensor.name'],
  ['services', 'group_id=1&group.id=2'],
])('nothing is asked for a page of %s with %s, since no row can meet it', async (name, query) => {
  const resource = world.registry.get(name)
  expect(await statementsOf(list, name, query)).toBe(above(resource))
  expect(await list(resource, listing.callOf(resource, query))).toMatchObject({ headers: { 'X-Total-Count': '0' } })
})

test('counts of states are one statement, whatever they are filtered by', async () => {
  const { countings } = world.registry.get('services')
  const [counting] = Object.values(countings)
  if (counting === undefined) throw new Error('Services are not counted.')
  const query = 'group.name~=e&status.summary=failure&owner.username=alice&permissions.update=true&query=sklep'
  for (const asked of ['', query]) {
    expect(await statementsOf((resource, call) => countRows(resource, counting, call), 'services', asked)).toBe(1)
  }
})

test('the services of an account are counted once for a new one', async () => {
  const services = world.registry.get('services')
  const asked: string[] = []
  const watched: Database = {
    ...world.database,
    transaction: (work) =>
      world.database.transaction((executor) =>
        work({
          execute: executor.execute,
          query(statement, name) {
            asked.push(statement.text)
            return executor.query(statement, name)
          },
        }),
      ),
  }
  await givePackage(world, 'alice', { maximum_services: 1000 })
  const call = (await listingOn(world, watched)).callOf(services, '')
  const body = { type_id: 'http', name: 'Counted', address: 'counted.example' }
  expect((await create(services, { ...call, body })).status).toBe(201)
  expect(asked.filter((text) => text.includes('as "ofType"')).length).toBe(1)
})

test('one object is one statement, whatever is embedded without a relation', async () => {
  const services = world.registry.get('services')
  const one = { ...listing.callOf(services, ''), parameters: { _id: String(world.serviceIds.shared) } }
  statements = 0
  await read(services, one)
  expect(statements).toBe(1)
  statements = 0
  await read(services, { ...one, query: new URLSearchParams('embed=permissions,status,group') })
  // A group also has its warnings.
  expect(statements).toBe(3 + attachedTo(world.registry.get('groups')))
})

test('a service level is two statements, a performance chart four: two of them since when analyses are kept', async () => {
  const services = world.registry.get('services')
  const one = { ...listing.callOf(services, 'from=-31536000'), parameters: { _id: String(world.serviceIds.shared) } }
  for (const [operation, count] of [
    [serviceLevel, 2],
    [performanceChart, 4],
  ] as const) {
    statements = 0
    await operation.handle(one)
    expect([operation.id, statements]).toEqual([operation.id, count])
  }
})

test('lists in memory ask the database nothing', async () => {
  for (const name of ['service_types', 'error_types', 'dictionaries/time_zones']) {
    expect([name, await statementsOf(list, name, 'limit=1000&sort=-name&query=a')]).toEqual([name, 0])
  }
})
