import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { always, type Condition } from '../../src/domain/queries/condition.ts'
import type { Answer } from '../../src/rest/call.ts'
import type { Resource } from '../../src/rest/declare.ts'
import { list, search } from '../../src/rest/operations/list.ts'
import { ApiError } from '../../src/rest/problems.ts'
import { readPage } from '../../src/rest/select.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { instant, type Other, type Thing, type Things, thing, thingsOf, tree, word } from '../support/things.ts'

let world: TestDatabase
let things: Things
let permission: Condition = always(true)

const others: readonly Other[] = [
  { id: 1, name: 'Ża', is_visible: true },
  { id: 2, name: null, is_visible: true },
  { id: 3, name: 'a', is_visible: false },
]

/** The same rows in every run, so that a failure can be repeated. */
const sample: readonly Thing[] = fc
  .sample(thing(others.map(({ id }) => id)), { numRuns: 40, seed: 7 })
  .map((row, index) => ({ id: index + 1, ...row }))

beforeAll(async () => {
  world = await testDatabase()
  things = await thingsOf(world.database, sample, others, always(true))
  const { stored, kept } = things
  const permissions = () => ({ read: always(true), update: permission })
  things = { ...things, stored: { ...stored, permissions }, kept: { ...kept, permissions } }
})
afterAll(() => world.drop())

const whole = { sort: [], limit: 1000, offset: 0, columns: ['id'], flags: ['update'] }

async function pageOf(resource: Resource, where: Condition) {
  const { page, total } = await readPage(resource, things.call, { ...whole, where })
  const [id, permissions] = [page.column('id'), page.column('permissions')]
  const rows = Array.from({ length: page.length }, (_none, place) => ({
    id: id(place),
    permissions: permissions(place),
  }))
  return { total, rows }
}

test('the database and the memory read every condition alike', async () => {
  const law = fc.asyncProperty(tree, async (where) => {
    const inMemory = await pageOf(things.kept, where)
    const inDatabase = await pageOf(things.stored, where)
    expect(inDatabase.rows.map(({ id }) => id)).toEqual(inMemory.rows.map(({ id }) => id))
    expect(inDatabase.total).toBe(inMemory.total)
  })
  await fc.assert(law, { numRuns: 800 })
})

test('a permission flag is the same computed column and the same filter in both', async () => {
  const law = fc.asyncProperty(tree, fc.boolean(), async (condition, value) => {
    permission = condition
    const inMemory = await pageOf(things.kept, always(true))
    const flags = inMemory.rows.map((row) => ({
      id: row.id,
      permissions: { update: (row.permissions as { update: boolean }).update },
    }))
    const inDatabase = await pageOf(things.stored, always(true))
    expect(inDatabase.rows).toEqual(flags)
    const wanted: Condition = { kind: 'is', field: 'permissions.update', value }
    const filtered = await pageOf(things.stored, wanted)
    expect(filtered.rows).toEqual(flags.filter((row) => row.permissions.update === value))
  })
  await fc.assert(law, { numRuns: 150 })
  permission = { kind: 'is', field: 'flag', value: true }
})

const shownInstant = instant.map((at) => new Date(Math.floor(at / 1000) * 1000).toISOString().replace('.000', ''))
const filterable: Readonly<Record<string, fc.Arbitrary<string>>> = {
  id: fc.integer({ min: 0, max: 41 }).map(String),
  name: word,
  'name~': word,
  size: fc.constantFrom('-1', '0', '2', '999999999999'),
  ratio: fc.constantFrom('0.5', '-0.5', '0'),
  flag: fc.constantFrom('true', 'false'),
  at: shownInstant,
  tags: word,
  numbers: fc.constantFrom('0', '1', '2'),
  'other.id': fc.constantFrom('1', '2', '3'),
  'other.name': word,
  'other.name~': word,
  'permissions.update': fc.constantFrom('true', 'false'),
}

const filter = fc.constantFrom(...Object.keys(filterable)).chain((name) =>
  fc.tuple(
    fc.constant(name),
    // A permission is yes or no.
    fc.oneof(
      { weight: 5, arbitrary: filterable[name] ?? word },
      name.startsWith('permissions.') ? fc.constant('true') : fc.constant('null'),
    ),
  ),
)

const sortable = ['id', 'name', 'size', 'ratio', 'flag', 'at', 'other_id', 'other.name', 'permissions.update']
const sort = fc.array(
  fc.tuple(fc.constantFrom('', '-'), fc.constantFrom(...sortable)).map(([sign, name]) => sign + name),
  { maxLength: 3 },
)

const parameters = fc.record(
  {
    filters: fc.array(filter, { maxLength: 4 }),
    sort,
    limit: fc.integer({ min: 0, max: 45 }),
    offset: fc.integer({ min: 0, max: 45 }),
    query: word,
  },
  { requiredKeys: ['filters', 'sort'] },
)

type Parameters = typeof parameters extends fc.Arbitrary<infer P> ? P : never

function queryOf({ filters, sort: keys, ...rest }: Parameters): URLSearchParams {
  const query = new URLSearchParams(filters)
  if (keys.length > 0) query.set('sort', keys.join(','))
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value))
  query.set('fields', 'id,name,size,at')
  return query
}

/** As the caller reads it. */
function read({ json, ...answer }: Answer): Answer {
  return { ...answer, body: JSON.parse(String(json)) }
}

async function listed(resource: Resource, query: URLSearchParams): Promise<Answer | readonly unknown[]> {
  try {
    return read(await list(resource, { ...things.call, query }))
  } catch (error) {
    if (error instanceof ApiError) return error.problems
    throw error
  }
}

test('a page of the database is the page of the memory, with the same count', async () => {
  const law = fc.asyncProperty(parameters, async (given) => {
    const query = queryOf(given)
    expect(await listed(things.stored, query)).toEqual(await listed(things.kept, query))
  })
  await fc.assert(law, { numRuns: 600 })
})

test('a search answers as the list with the same parameters', async () => {
  const law = fc.asyncProperty(parameters, async (given) => {
    const filters: Record<string, string[]> = {}
    for (const [name, value] of given.filters) filters[name] = [...(filters[name] ?? []), value]
    const body = { ...given, filters, fields: ['id', 'name', 'size', 'at'] }
    const found = await search(things.stored, { ...things.call, body })
    expect(read(found)).toEqual(await listed(things.stored, queryOf(given)))
  })
  await fc.assert(law, { numRuns: 150 })
})

test('pages laid together are the whole list, each with the whole count', async () => {
  const law = fc.asyncProperty(parameters, fc.integer({ min: 1, max: 17 }), async ({ filters, sort: keys }, size) => {
    const all = (await listed(things.stored, queryOf({ filters, sort: keys, limit: 1000 }))) as Answer
    const rows = all.body as readonly unknown[]
    expect(all.headers).toEqual({ 'X-Total-Count': String(rows.length) })
    const laid: unknown[] = []
    for (let offset = 0; offset <= rows.length; offset += size) {
      const page = (await listed(things.stored, queryOf({ filters, sort: keys, limit: size, offset }))) as Answer
      expect(page.headers).toEqual(all.headers)
      laid.push(...(page.body as readonly unknown[]))
    }
    expect(laid).toEqual(rows)
  })
  await fc.assert(law, { numRuns: 60 })
})

test('the identifier decides between rows that are level otherwise', async () => {
  for (const resource of [things.stored, things.kept]) {
    const answer = (await listed(resource, new URLSearchParams('sort=flag&limit=1000&fields=id,flag'))) as Answer
    const rows = answer.body as readonly { id: number; flag: boolean | null }[]
    for (const flag of [true, false, null]) {
      const ids = rows.filter((row) => row.flag === flag).map(({ id }) => id)
      expect(ids).toEqual(ids.toSorted((one, other) => one - other))
    }
  }
})

test('nulls stand last, and first when the order is turned round', async () => {
  for (const resource of [things.stored, things.kept]) {
    const rising = (await listed(resource, new URLSearchParams('sort=name&limit=1000&fields=name'))) as Answer
    const falling = (await listed(resource, new URLSearchParams('sort=-name&limit=1000&fields=name'))) as Answer
    expect((rising.body as { name: unknown }[]).at(-1)?.name).toBeNull()
    expect((falling.body as { name: unknown }[]).at(0)?.name).toBeNull()
  }
})
