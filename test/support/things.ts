import fc from 'fast-check'
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { textCollation } from '../../src/database/text.ts'
import { anonymousCaller } from '../../src/domain/access/caller.ts'
import { always, type Condition, is, type Row } from '../../src/domain/queries/condition.ts'
import type { Call } from '../../src/rest/call.ts'
import { one, type Registry, type Resource, registryOf, resource, rowsOf, view } from '../../src/rest/declare.ts'
import { boolean, decimal, identifier, integer, list, moment, text } from '../../src/rest/fields.ts'

/** Rows with a field of every kind whose few values collide: what the database and the memory must read alike. */
export interface Thing {
  readonly id: number
  readonly name: string | null
  readonly size: number | null
  readonly ratio: number | null
  readonly flag: boolean | null
  readonly at: number | null
  readonly tags: readonly string[] | null
  readonly numbers: readonly number[] | null
  readonly other_id: number | null
}

export interface Other {
  readonly id: number
  readonly name: string | null
  readonly is_visible: boolean
}

/** Letters that fold outside ASCII and sort apart from their code points; the wildcards of LIKE mean nothing. */
export const word = fc.string({
  unit: fc.constantFrom('a', 'Z', 'z', 'ż', 'Ż', 'ó', 'Ł', '%', '_', '\\', 'ß', 'İ'),
  maxLength: 2,
})
const small = fc.integer({ min: -1, max: 2 })
const half = fc.constantFrom(-0.5, 0, 0.1, 0.5, 2)
/** Milliseconds within three seconds. */
export const instant = fc
  .constantFrom(0, 1, 999, 1000, 1500, 2000, 2999)
  .map((part) => Date.UTC(2026, 10, 21, 9) + part)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 3 })

export const thing = (others: readonly number[]): fc.Arbitrary<Omit<Thing, 'id'>> =>
  fc.record({
    name: maybe(word),
    size: maybe(small),
    ratio: maybe(half),
    flag: maybe(fc.boolean()),
    at: maybe(instant),
    tags: maybe(fc.array(word, { maxLength: 2 })),
    numbers: maybe(fc.array(small, { maxLength: 2 })),
    other_id: maybe(fc.constantFrom(...others)),
  })

const others = 'others'
const embedded = (name: string) => ['', `${name}.`]

function leaf(): fc.Arbitrary<Condition> {
  const named = (names: readonly string[]) => fc.constantFrom(...names)
  const texts = named(embedded(others.slice(0, -1)).map((prefix) => `${prefix}name`))
  const numbers = named(['id', 'size', 'other_id', 'other.id'])
  return fc.oneof(
    fc.boolean().map(always),
    fc.tuple(texts, maybe(word)).map(([field, value]) => is(field, value)),
    fc.tuple(numbers, maybe(fc.integer({ min: -1, max: 9 }))).map(([field, value]) => is(field, value)),
    fc.tuple(named(['ratio']), maybe(half)).map(([field, value]) => is(field, value)),
    fc.tuple(named(['flag']), maybe(fc.boolean())).map(([field, value]) => is(field, value)),
    fc.tuple(named(['at']), maybe(instant)).map(([field, value]) => is(field, value)),
    fc.tuple(named(['tags']), maybe(word)).map(([field, value]) => is(field, value)),
    fc.tuple(named(['numbers']), maybe(small)).map(([field, value]) => is(field, value)),
    fc
      .tuple(texts, fc.array(word, { maxLength: 3 }))
      .map(([field, values]): Condition => ({ kind: 'oneOf', field, values })),
    fc
      .tuple(
        numbers,
        fc.array(
          fc.integer({ min: 0, max: 2 ** 40 }).map((value) => value % 12),
          { maxLength: 3 },
        ),
      )
      .map(([field, values]): Condition => ({ kind: 'oneOf', field, values })),
    fc.tuple(fc.oneof(texts, numbers), word).map(([field, text]): Condition => ({ kind: 'contains', field, text })),
    fc
      .tuple(named(['size', 'ratio', 'id']), fc.oneof(small, half.filter(Number.isInteger)), named(['from', 'before']))
      .map(([field, value, kind]): Condition => ({ kind: kind as 'from' | 'before', field, value })),
    fc
      .tuple(instant, named(['from', 'before']))
      .map(([value, kind]): Condition => ({ kind: kind as 'from' | 'before', field: 'at', value })),
  )
}

/** Any tree of the condition language over the fields of a thing and of its other. */
export const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf(),
    fc.array(tie('tree'), { maxLength: 3 }).map((of): Condition => ({ kind: 'all', of })),
    fc.array(tie('tree'), { maxLength: 3 }).map((of): Condition => ({ kind: 'any', of })),
    tie('tree').map((of): Condition => ({ kind: 'not', of })),
  ),
}))

const all = { filter: true, sort: true, nullable: true } as const

const fields = {
  id: identifier(),
  name: text({ ...all, contains: true }),
  size: integer(all),
  ratio: decimal(all),
  flag: boolean(all),
  at: moment(all),
  tags: list(text({}), { filter: true, nullable: true }),
  numbers: list(integer({}), { filter: true, nullable: true }),
  other_id: integer(all),
}

const otherFields = {
  id: identifier(),
  name: text({ ...all, contains: true }),
  is_visible: boolean({ internal: true }),
}

/** Things in the database, and the same things in memory. */
export interface Things {
  readonly rows: readonly Thing[]
  readonly stored: Resource
  readonly kept: Resource
  readonly call: Call
}

async function store(database: Database, rows: readonly Thing[], known: readonly Other[]): Promise<void> {
  await database.execute(sql`create table if not exists things (id integer primary key, name text, size integer,
    ratio float8, flag boolean, at timestamptz, tags text[], numbers integer[], other_id integer)`)
  await database.execute(sql`create table if not exists others (id integer primary key, name text, is_visible boolean)`)
  await database.execute(sql`truncate things, others`)
  for (const { id, name, is_visible } of known) {
    await database.execute(sql`insert into others values (${id}, ${name}, ${is_visible})`)
  }
  for (const row of rows) {
    await database.execute(sql`insert into things values (${row.id}, ${row.name}, ${row.size}, ${row.ratio}, ${row.flag},
      ${row.at === null ? null : new Date(row.at)}, ${row.tags}, ${row.numbers}, ${row.other_id})`)
  }
}

/** `flag` is a permission that the condition decides. */
export async function thingsOf(
  database: Database,
  rows: readonly Thing[],
  known: readonly Other[],
  flag: Condition,
): Promise<Things> {
  await store(database, rows, known)
  const inMemory = rows.map((row): Row => {
    const other = known.find(({ id, is_visible }) => id === row.other_id && is_visible)
    return { ...row, other: other ?? null }
  })
  const shared = {
    about: 'Things.',
    singular: 'thing',
    fields,
    relations: { other: one(others, 'other_id') },
    embed: ['other', 'permissions'],
    search: ['id', 'name'],
    visible: () => always(true),
    permissions: () => ({ read: always(true), update: flag }),
    operations: ['list', 'search', 'read', 'permissions'],
  } as const
  const stored = resource('stored', { ...shared, source: view(() => sql`select * from things`) })
  const kept = resource('kept', { ...shared, source: rowsOf(() => inMemory) })
  const hidden = resource(others, {
    about: 'Others.',
    singular: 'other',
    fields: otherFields,
    source: view(() => sql`select * from others`),
    visible: () => is('is_visible', true),
    operations: [],
  })
  return { rows, stored, kept, call: await callOf(database, registryOf([stored, kept, hidden])) }
}

/** A call by a customer who has nothing. */
export async function callOf(database: Database, registry: Registry): Promise<Call> {
  return {
    caller: { ...anonymousCaller, scope: 'customer' },
    language: 'en',
    askedLanguage: null,
    nowAt: Date.UTC(2026, 10, 21, 9),
    database,
    registry,
    collation: await textCollation(database),
    parameters: {},
    query: new URLSearchParams(),
    body: undefined,
    bearerToken: null,
    accept: '',
    ifMatch: null,
    ...{ lastEventId: null, source: null, trail: null },
    prefersPage: false,
    ipAddress: '127.0.0.1',
    userAgent: '',
    charge: async () => undefined,
    logFault: () => undefined,
    baseUrl: 'http://api.test/v3',
  }
}
