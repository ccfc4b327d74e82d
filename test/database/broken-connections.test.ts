import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

/** A server that restarts breaks every connection at once. */

let db: TestDatabase
beforeAll(async () => {
  db = await testDatabase()
})
afterAll(() => db.drop())

test('connections that break together are one line with their number, and their end is one line', async () => {
  const lines: string[] = []
  const log = {
    info: (line: string) => lines.push(line),
    warn: (line: string) => lines.push(line),
    error: () => undefined,
  }
  const opened = await openDatabase({ databaseUrl: db.url, dataDirectory: '', log })
  const { database } = opened
  await database.listen('anything', () => undefined)
  await Promise.all(Array.from({ length: 4 }, () => database.query(sql`select pg_sleep(0.2)`)))
  lines.length = 0
  const [broken] = await db.database.query<{ count: number }>(sql`
    select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'latarnik%' and application_name <> 'latarnik test'`)
  expect(broken?.count).toBeGreaterThan(3)
  const reason = 'terminating connection due to administrator command'
  await expect.poll(() => lines[0]).toBe(`${broken?.count} database connections broke: ${reason}`)
  await database.query(sql`select 1`)
  await expect
    .poll(() => lines.at(-1))
    .toMatch(/^The database takes connections again, \d+ s after the first one broke\.$/)
  expect(lines).toHaveLength(2)
  await opened.close()
})
