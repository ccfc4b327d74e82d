import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Ear } from '../../src/monitoring/ear.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const patiently = { timeout: 10_000 }

let own: TestDatabase

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.drop())

test('a wake-up is heard, also after an outage that cut the line, and no more once the ear is closed', async () => {
  const { database } = own
  let heard = 0
  const ear = new Ear(database, 'schedule', () => {
    heard++
  })
  const wake = () => database.execute(sql`select pg_notify('schedule', '')`)
  await ear.listen(0)
  await ear.listen(0)
  await wake()
  await expect.poll(() => heard, patiently).toBe(1)
  await database.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%'`)
  await ear.listen(1)
  await wake()
  await expect.poll(() => heard, patiently).toBe(2)
  await ear.close()
  await wake()
  await database.query(sql`select 1`)
  expect(heard).toBe(2)
})
