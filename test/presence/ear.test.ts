import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSessions } from '../../src/database/holders.ts'
import { Ear } from '../../src/presence/ear.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let own: TestDatabase

const cutLines = sql`select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

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
  await expect.poll(() => heard).toBe(1)
  await database.execute(cutLines)
  await ear.listen(1)
  await wake()
  await expect.poll(() => heard).toBe(2)
  await ear.close()
  await wake()
  await database.query(sql`select 1`)
  expect(heard).toBe(2)
})

test('its session has a name that others find, as long as it lasts; after its end the next look listens anew', async () => {
  const { database } = own
  let heard = 0
  const ear = new Ear(database, 'schedule', () => {
    heard++
  })
  expect(ear.session).toBeNull()
  await ear.listen(0)
  const first = ear.session
  expect(await readSessions(database)).toContain(first)
  await database.execute(cutLines)
  await expect.poll(() => ear.session).toBeNull()
  expect(await readSessions(database)).not.toContain(first)
  await ear.listen(0)
  expect(ear.session).not.toBe(first)
  expect(await readSessions(database)).toContain(ear.session)
  await database.execute(sql`select pg_notify('schedule', '')`)
  await expect.poll(() => heard).toBe(1)
  await ear.close()
  expect(ear.session).toBeNull()
})
