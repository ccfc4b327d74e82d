import sql from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { type Migration, migrations as released } from '../../src/database/migrations/list.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

const clock = { now: () => Date.UTC(2026, 10, 21) }
const made: TestDatabase[] = []
let db: TestDatabase
beforeEach(async () => {
  db = await emptyDatabase()
  made.push(db)
})
afterAll(async () => {
  for (const one of made) await one.drop()
})

const people: Migration = {
  number: 1,
  name: 'people',
  text: 'create table people (name text); insert into people values (fold($$ŻABA$$));',
}
const age: Migration = { number: 2, name: 'age', text: 'alter table people add column age integer;' }
const broken: Migration = {
  number: 2,
  name: 'broken',
  text: 'create table half (x integer); select nothing from nowhere;',
}

async function applied() {
  return db.database.query(sql`select number, name, applied_at from migrations order by number`)
}

describe('migrate', () => {
  test('applies what is missing, in order, and can fold text from the first', async () => {
    expect(await migrate(db.database, clock, [people])).toEqual(['people'])
    expect(await migrate(db.database, clock, [people, age])).toEqual(['age'])
    expect(await applied()).toEqual([
      { number: 1, name: 'people', applied_at: clock.now() },
      { number: 2, name: 'age', applied_at: clock.now() },
    ])
    expect(await db.database.query(sql`select name, age from people`)).toEqual([{ name: 'żaba', age: null }])
  })

  test('does nothing when everything is there', async () => {
    await migrate(db.database, clock)
    expect(await migrate(db.database, clock)).toEqual([])
  })

  test('by many processes at once applies each migration once', async () => {
    const processes = Array.from({ length: 6 }, () => connect({ url: db.url, maximumConnections: 1 }))
    const done = await Promise.all(processes.map((one) => migrate(one, clock, [people, age])))
    expect(done.flat().sort()).toEqual(['age', 'people'])
    expect(await db.database.query(sql`select count(*) as count from people`)).toEqual([{ count: 1 }])
    await Promise.all(processes.map((one) => one.close()))
  })

  test('leaves nothing of a migration that fails, and keeps those before it', async () => {
    await expect(migrate(db.database, clock, [people, broken])).rejects.toThrow('nowhere')
    expect(await applied()).toHaveLength(1)
    expect(await db.database.query(sql`select to_regclass('half') as half`)).toEqual([{ half: null }])
  })

  test('refuses a database that a newer program has changed, and leaves it alone', async () => {
    await migrate(db.database, clock, [people, age])
    await expect(migrate(db.database, clock, [people])).rejects.toThrow(
      'The database was changed by a newer Latarnik (its schema is 2, this program knows 1): start that version or a later one. To go back, restore the backup made before the upgrade, with the newer version and --force.',
    )
    expect(await applied()).toHaveLength(2)
  })
})

test('released migrations are numbered from 1 without a gap', () => {
  expect(released.map((migration) => migration.number)).toEqual(released.map((_, index) => index + 1))
})
