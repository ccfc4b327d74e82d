import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSessions } from '../../src/database/holders.ts'
import { ChannelListener } from '../../src/presence/channel-listener.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let own: TestDatabase

const cutLines = sql`select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

beforeAll(async () => {
  own = await testDatabase()
})
afterAll(() => own.drop())

test('a wake-up is heard, also after an outage that cut the line, and no more once the listener is closed', async () => {
  const { database } = own
  let heard = 0
  const listener = new ChannelListener(database, 'schedule', () => {
    heard++
  })
  const wake = () => database.execute(sql`select pg_notify('schedule', '')`)
  await listener.listen(0)
  await listener.listen(0)
  await wake()
  await expect.poll(() => heard).toBe(1)
  await database.execute(cutLines)
  await listener.listen(1)
  await wake()
  await expect.poll(() => heard).toBe(2)
  await listener.close()
  await wake()
  await database.query(sql`select 1`)
  expect(heard).toBe(2)
})

test('its session has a name that others find, as long as it lasts; after its end the next look listens anew', async () => {
  const { database } = own
  let heard = 0
  const listener = new ChannelListener(database, 'schedule', () => {
    heard++
  })
  expect(listener.session).toBeNull()
  await listener.listen(0)
  const first = listener.session
  expect(await readSessions(database)).toContain(first)
  await database.execute(cutLines)
  await expect.poll(() => listener.session).toBeNull()
  expect(await readSessions(database)).not.toContain(first)
  await listener.listen(0)
  expect(listener.session).not.toBe(first)
  expect(await readSessions(database)).toContain(listener.session)
  await database.execute(sql`select pg_notify('schedule', '')`)
  await expect.poll(() => heard).toBe(1)
  await listener.close()
  expect(listener.session).toBeNull()
})
