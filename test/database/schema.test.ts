import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageTables } from '../../src/database/holders.ts'
import { placement } from '../../src/database/shards.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

/** Reads the catalogue, so that what could not be distributed over machines is noticed on the day it is added. */
let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

const distributed: Readonly<Record<string, string>> = placement.distributed

interface UniqueRule {
  readonly table: string
  readonly name: string
  readonly columns: string[]
}

interface ForeignKey {
  readonly table: string
  readonly name: string
  readonly target: string
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
  return db.database.query<ForeignKey>(sql`
    select f.conrelid::regclass::text as table, f.conname::text as name, f.confrelid::regclass::text as target
    from pg_constraint f where f.contype = 'f' and f.connamespace = 'public'::regnamespace`)
}

describe('the history can be distributed over machines:', () => {
  test('each table has its placement, and no placement is of a table that is gone', async () => {
    expect((await tables()).sort()).toEqual([...Object.keys(distributed), ...placement.local].sort())
  })

  test('a distributed table has a primary key', async () => {
    const rows = await db.database.query<{ name: string }>(sql`
      select conrelid::regclass::text as name from pg_constraint where contype = 'p'`)
    const keyed = rows.map((row) => row.name)
    expect(Object.keys(distributed).filter((table) => !keyed.includes(table))).toEqual([])
  })

  test('the service stands first in every primary key and unique rule of a distributed table', async () => {
    const rules = (await uniqueRules()).filter((rule) => rule.table in distributed)
    expect(rules.length).toBeGreaterThanOrEqual(Object.keys(distributed).length)
    expect(rules.filter((rule) => rule.columns[0] !== distributed[rule.table])).toEqual([])
  })

  test('the service is a number of one type everywhere: tables beside each other need it', async () => {
    const rows = await db.database.query<{ table: string; type: string }>(sql`
      select attrelid::regclass::text as table, format_type(atttypid, atttypmod) as type
      from pg_attribute where attname = 'service_id' and attrelid = any(${Object.keys(distributed)}::text[]::regclass[])`)
    expect(rows.length).toBe(Object.keys(distributed).length)
    expect(rows.filter(({ type }) => type !== 'integer')).toEqual([])
  })

  test('no foreign key leads to a distributed table, or from one', async () => {
    const keys = await foreignKeys()
    expect(keys.length).toBeGreaterThan(20)
    expect(keys.filter(({ table, target }) => table in distributed || target in distributed)).toEqual([])
  })

  test('a distributed table has no trigger, and no number of its own from a sequence', async () => {
    const triggers = await db.database.query<{ table: string }>(sql`
      select tgrelid::regclass::text as table from pg_trigger where not tgisinternal`)
    const numbered = await db.database.query<{ table: string }>(sql`
      select table_name as table from information_schema.columns
      where table_schema = 'public' and (is_identity = 'YES' or column_default like 'nextval%')`)
    expect(numbered.length).toBeGreaterThan(10)
    expect([...triggers, ...numbered].filter((row) => row.table in distributed)).toEqual([])
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
