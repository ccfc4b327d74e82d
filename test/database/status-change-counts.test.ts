import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { latestSchema, makeSchema, migrate } from '../../src/database/migrate.ts'
import { wrongCounts } from '../crash/ledger.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

/** The last schema that did not count. */
const earlier = 79
const clock = { now: () => Date.UTC(2026, 10, 21) }
let db: TestDatabase

beforeEach(async () => {
  db = await emptyDatabase()
})
afterEach(() => db.drop())

/** Each of the services has as many changes as its number says. */
function addChanges(services: readonly number[], after = 0): Promise<unknown> {
  return db.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    select id, ${after}::int + number, 'ok', now(), now() from unnest(${services}::int[]) id, generate_series(1, id) number`)
}

function counts(): Promise<unknown> {
  return db.database.query(sql`select service_id, changes from status_change_counts order by 1`)
}

test('an upgrade counts the changes that there are', async () => {
  await db.database.transaction((transaction) => makeSchema(transaction, clock, earlier))
  await addChanges([1, 2, 3])
  await migrate(db.database, clock)
  expect(latestSchema).toBeGreaterThan(earlier)
  expect(await counts()).toEqual([1, 2, 3].map((id) => ({ service_id: id, changes: id })))
})

test('every statement that adds or deletes changes counts them, of many services too', async () => {
  await migrate(db.database, clock)
  await addChanges([3, 1, 2])
  await addChanges([2, 5], 100)
  expect(await counts()).toEqual([1, 2, 3, 5].map((id) => ({ service_id: id, changes: id === 2 ? 4 : id })))
  await db.database.execute(sql`delete from status_changes where change_id in (1, 101)`)
  expect(await counts()).toEqual([
    { service_id: 2, changes: 2 },
    { service_id: 3, changes: 2 },
    { service_id: 5, changes: 4 },
  ])
  expect(await wrongCounts(db.database)).toEqual([])
})

test('what a transaction added and took back is not counted', async () => {
  await migrate(db.database, clock)
  const undone = db.database.transaction(async (transaction) => {
    await transaction.execute(sql`insert into status_changes (service_id, change_id, status, start_time)
      values (1, 1, 'ok', now())`)
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await counts()).toEqual([])
})

test('transactions that add changes of one service at once are all counted', async () => {
  await migrate(db.database, clock)
  await Promise.all([1, 2, 3, 4, 5, 6].map((turn) => addChanges([4, 2, 3], turn * 100)))
  expect(await counts()).toEqual([2, 3, 4].map((id) => ({ service_id: id, changes: 6 * id })))
})
