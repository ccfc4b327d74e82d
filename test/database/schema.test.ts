import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageTables } from '../../src/database/holders.ts'
import { placement } from '../../src/database/shards.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

/** Reads the catalogue, so that a table that could not be spread over machines is noticed on the day it is added. */
let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

const growing: Readonly<Record<string, string>> = placement.distributed
const small: readonly string[] = [...placement.reference, ...placement.local]

interface UniqueRule {
  readonly table: string
  readonly name: string
  readonly columns: string[]
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly columns: string[]
  readonly target: string
  readonly target_columns: string[]
}

async function tables(): Promise<string[]> {
  const rows = await db.database.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  return rows.map((row) => row.name)
}

async function uniqueRules(): Promise<UniqueRule[]> {
  return db.database.query<UniqueRule>(sql`
    select c.relname::text as table, i.indexrelid::regclass::text as name,
      array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k (number, place)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number order by k.place) as columns
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique`)
}

async function foreignKeys(): Promise<ForeignKey[]> {
  const names = (relation: string, keys: string) => `array(select a.attname::text
    from unnest(${keys}) with ordinality k (number, place)
    join pg_attribute a on a.attrelid = ${relation} and a.attnum = k.number order by k.place)`
  return db.database.query<ForeignKey>(
    raw(`select f.conrelid::regclass::text as table, f.conname::text as name, f.confrelid::regclass::text as target,
      ${names('f.conrelid', 'f.conkey')} as columns, ${names('f.confrelid', 'f.confkey')} as target_columns
    from pg_constraint f where f.contype = 'f' and f.connamespace = 'public'::regnamespace`),
  )
}

describe('every table can be spread over machines', () => {
  test('each has its placement, and no placement is of a table that is gone', async () => {
    expect((await tables()).sort()).toEqual([...Object.keys(growing), ...small].sort())
  })

  test('a growing table has a primary key', async () => {
    const rows = await db.database.query<{ name: string }>(sql`
      select conrelid::regclass::text as name from pg_constraint where contype = 'p'`)
    const keyed = rows.map((row) => row.name)
    expect(Object.keys(growing).filter((table) => !keyed.includes(table))).toEqual([])
  })

  test('the service stands first in every primary key and unique rule of a growing table', async () => {
    const rules = (await uniqueRules()).filter((rule) => rule.table in growing)
    expect(rules.length).toBeGreaterThanOrEqual(Object.keys(growing).length)
    expect(rules.filter((rule) => rule.columns[0] !== growing[rule.table])).toEqual([])
  })

  test('services is divided by its own id, every other growing table by service_id', () => {
    const { services, ...others } = growing
    expect(services).toBe('id')
    expect(new Set(Object.values(others))).toEqual(new Set(['service_id']))
  })

  test('a growing table refers to a growing one by the service only', async () => {
    const keys = (await foreignKeys()).filter((key) => key.table in growing && key.target in growing)
    const wrong = keys.filter((key) => {
      const place = key.columns.indexOf(growing[key.table] ?? '')
      return place < 0 || key.target_columns[place] !== growing[key.target]
    })
    expect(wrong).toEqual([])
  })

  test('a growing table refers to no table that stays on one machine', async () => {
    const keys = (await foreignKeys()).filter((key) => key.table in growing)
    const targets = keys.map((key) => key.target).filter((target) => !(target in growing))
    expect(targets.filter((target) => !placement.reference.some((name) => name === target))).toEqual([])
  })

  test('nothing small refers to a growing table', async () => {
    expect((await foreignKeys()).filter((key) => !(key.table in growing) && key.target in growing)).toEqual([])
  })

  test('nothing refers to history', async () => {
    const history = ['analyses_hot', 'status_changes', 'hourly_performance', 'daily_performance']
    expect((await foreignKeys()).filter((key) => history.includes(key.target))).toEqual([])
  })

  test('a growing table has no triggers', async () => {
    const rows = await db.database.query<{ table: string }>(sql`
      select tgrelid::regclass::text as table from pg_trigger where not tgisinternal`)
    expect(rows.filter((row) => row.table in growing)).toEqual([])
  })
})

test('whatever is handed over to be sent is known as a message: none is sent again from a restored backup', async () => {
  const found = await db.database.query<{ table_name: string }>(sql`
    select table_name from information_schema.columns
    where table_schema = 'public' and column_name = 'handed_over_at'`)
  expect(found.map(({ table_name }) => table_name).sort()).toEqual([...messageTables].sort())
})

test('each sequence is logged: a promoted standby could not read it otherwise', async () => {
  const rows = await db.database.query<{ name: string; persistence: string }>(sql`
    select relname::text as name, relpersistence::text as persistence from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'S'`)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ persistence }) => persistence !== 'p')).toEqual([])
})
