import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { placement } from '../../src/database/shards.ts'
import { declaredResources } from '../../src/program/interface-description.ts'
import { availabilityChart } from '../../src/resources/history/availability-chart.ts'
import { performanceChart } from '../../src/resources/history/performance-chart.ts'
import { serviceLevel } from '../../src/resources/history/service-level.ts'
import type { Operation } from '../../src/rest/call.ts'
import type { Resource } from '../../src/rest/declare.ts'
import type { Field } from '../../src/rest/fields.ts'
import { countRows, list } from '../../src/rest/operations/list.ts'
import { fieldsOf } from '../support/contract.ts'
import { crowd } from '../support/crowd.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { type Listing, listingOn } from '../support/listing.ts'
import { type PlanNode, planByIndexes } from '../support/plan.ts'

/**
 * Every list with every filter, order and search of its declaration. PostgreSQL explains how it would read, among many
 * strangers' rows. Visible rows must be found by an index. Within them filters and orders need none: an account has
 * thousands of rows, and all matching ones are read anyway to be counted.
 */

/** Tables that an operator's work fills: a handful of rows. */
const small = ['distributions', 'packages', 'sensors', 'sensor_tokens', 'administrators', 'oauth_clients', 'migrations']
const growing = [...Object.keys(placement.distributed), ...placement.local].filter((table) => !small.includes(table))

/** Lists that read a growing table whole, and why they may. */
const readsWhole: Readonly<Record<string, { readonly tables: readonly string[]; readonly why: string }>> = {
  'admin/accounts': {
    tables: ['accounts', 'user_data'],
    why: 'an administrator sees every account of the installation, which rarely has a second distribution',
  },
  'admin/usage_stats/by_account': {
    tables: ['usage_counters', 'usage_notifications', 'accounts'],
    why: 'a row a month for each group and type: few enough',
  },
  'admin/usage_stats/by_group': {
    tables: ['usage_counters', 'usage_notifications', 'accounts'],
    why: 'the same rows',
  },
}

/** Indexes of what waits to be done: they have a handful of rows. */
const waiting = [
  ...['notification_intents_due', 'notification_intents_order', 'reports_unfinished'],
  ...['escalation_statuses_due', 'escalation_statuses_lasting'],
]

const registry = declaredResources()

/** The tables that the plan reads from one end to the other. */
function wholeTables(plan: readonly PlanNode[]): string[] {
  return plan.flatMap((node) => {
    const table = node['Relation Name']?.replace(/^analyses_hot_.*/, 'analyses_hot')
    const isBounded =
      node['Index Cond'] !== undefined ||
      node['Recheck Cond'] !== undefined ||
      waiting.includes(node['Index Name'] ?? '')
    return table === undefined || isBounded || !growing.includes(table) ? [] : [table]
  })
}

let world: FurnishedWorld
let listing: Listing
let whole: string[] = []

/** The same database, remembering what is read whole. */
function watching(database: Database): Database {
  return {
    ...database,
    async query(statement, name) {
      whole.push(...wholeTables(await planByIndexes(database, statement)))
      return database.query(statement, name)
    },
  }
}

beforeAll(async () => {
  world = await furnishedWorld()
  await crowd(world)
  listing = await listingOn(world, watching(world.database))
})
afterAll(() => world.drop())

async function readWholeBy(resource: Resource, query: string): Promise<readonly string[]> {
  whole = []
  await list(resource, listing.callOf(resource, query))
  return [...new Set(whole)].sort()
}

const sample: Readonly<Record<string, string>> = { boolean: 'true', moment: '-3600', text: 'a', decimal: '1' }

function valueFor(field: Field | undefined): string {
  const inner = field?.of ?? field
  return String(inner?.oneOf?.[0] ?? sample[inner?.kind ?? ''] ?? 1)
}

function queriesOf(resource: Resource): readonly string[] {
  const equal = fieldsOf(resource, (field) => field.filter).map((name) => `${name}=${valueFor(resource.fields[name])}`)
  const containing = fieldsOf(resource, (field) => field.contains).map((name) => `${name}~=a`)
  const sorted = fieldsOf(resource, (field) => field.sort).map((name) => `sort=-${name}`)
  const search = resource.search.length === 0 ? [] : ['query=a']
  return [
    '',
    ...equal,
    ...containing,
    ...sorted,
    ...search,
    ...resource.embed.flatMap((name) => relatedQueries(resource, name)),
  ].map((query) => `limit=1&${query}`)
}

/** By the first field of the related object that can be filtered and sorted by. */
function relatedQueries(resource: Resource, name: string): readonly string[] {
  const relation = resource.relations[name]
  if (relation === undefined) return []
  const related = registry.get(relation.to)
  const [field] = fieldsOf(related, ({ filter, sort }) => filter && sort)
  return field === undefined
    ? []
    : [`${name}.${field}=${valueFor(related.fields[field])}`, `sort=-${name}.${field}`, `embed=${name}`]
}

const stored = registry.all.filter(({ operations, source }) => operations.includes('list') && source.kind !== 'list')

describe.each(stored.map((resource) => [resource.name, resource] as const))('a list of %s', (name, declared) => {
  test.each(queriesOf(declared))('%s reads no growing table whole', async (query) => {
    const resource = world.registry.get(name)
    const allowed = readsWhole[name]?.tables ?? []
    const readNow = async () => (await readWholeBy(resource, query)).filter((table) => !allowed.includes(table))
    // The server's own look at a table may have fallen into the making of the crowd; a missing index stays missing.
    if ((await readNow()).length > 0) await world.database.execute(sql`vacuum analyze`)
    expect(await readNow()).toEqual([])
  })
})

/** The queries of a list that name no page and no order. */
function filtersAskedOf(resource: Resource): readonly string[] {
  return queriesOf(resource)
    .map((query) => query.replace(/^limit=1&/, ''))
    .filter((query) => !/^(sort|embed)=/.test(query))
}

const counted = registry.all.flatMap(({ name, countings }) =>
  Object.entries(countings).map(([counting, declared]) => [`${name}/${counting}`, name, declared] as const),
)

describe.each(counted)('%s', (_path, name, counting) => {
  test.each(filtersAskedOf(registry.get(name)))('%s reads no growing table whole', async (query) => {
    const resource = world.registry.get(name)
    whole = []
    await countRows(resource, counting, listing.callOf(resource, query))
    expect(whole).toEqual([])
  })
})

const reads: readonly (readonly [Operation, string])[] = [
  [serviceLevel, 'from=-31536000'],
  [availabilityChart, 'from=-31536000'],
  [performanceChart, ''],
  [performanceChart, 'from=-2592000'],
  [performanceChart, 'from=-34560000'],
]

test.each(reads.map(([operation, query]) => [operation.id, query, operation] as const))(
  '%s?%s reads no growing table whole',
  async (_id, query, operation) => {
    const id = world.serviceIds.shared
    await world.database.execute(sql`
      update services set created_at = ${new Date(world.clock.now() - 400 * 86_400_000)} where id = ${id}`)
    whole = []
    const call = listing.callOf(world.registry.get('services'), query)
    await operation.handle({ ...call, parameters: { _id: String(id) } })
    expect(whole).toEqual([])
  },
)

test('a table without an index for what is asked is noticed', async () => {
  const readWhole = async (statement: Sql) => wholeTables(await planByIndexes(world.database, statement))
  expect(await readWhole(sql`select * from services where name = 'a'`)).toEqual(['services'])
  expect(await readWhole(sql`select * from services where owner_id = 1 and name = 'a' order by name`)).toEqual([])
})

test('exceptions are of lists that there are', () => {
  expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(readsWhole)))
})
