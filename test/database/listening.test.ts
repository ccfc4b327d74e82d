import { once } from 'node:events'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { applicationName, connect, type Pool } from '../../src/database/connect.ts'
import { isInUse } from '../../src/database/dump/catalogue.ts'
import { isDatabaseAway } from '../../src/database/failures.ts'
import { readSessions } from '../../src/database/holders.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

let db: TestDatabase
let pool: Pool
beforeAll(async () => {
  db = await testDatabase()
})
beforeEach(() => {
  const own = connect({ url: db.url, sharesListening: true })
  pool = own
  onTestFinished(() => own.close())
})
afterAll(() => db.drop())

/** Hears one channel; resolves `next` with the next payload. */
async function listenTo(channel: string) {
  const heard: string[] = []
  const events = new EventTarget()
  const sessions: string[] = []
  let ends = 0
  const stop = await pool.listen(
    channel,
    (payload) => {
      heard.push(payload)
      events.dispatchEvent(new Event('heard'))
    },
    {
      begun: (name) => sessions.push(name),
      ended: () => {
        ends += 1
        events.dispatchEvent(new Event('ended'))
      },
    },
  )
  return { heard, sessions, stop, ends: () => ends, next: (what: 'heard' | 'ended') => once(events, what) }
}

function tell(channel: string, payload: string): Promise<number> {
  return db.database.execute(sql`select pg_notify(${channel}, ${payload})`)
}

test('all listeners of a process share one session, and each hears its own channel alone', async () => {
  const [news, plans] = await Promise.all([listenTo('news'), listenTo('plans')])
  expect(plans.sessions).toEqual(news.sessions)
  expect(await readSessions(db.database)).toEqual(new Set(news.sessions))
  const both = Promise.all([news.next('heard'), plans.next('heard')])
  await tell('news', 'rain')
  await tell('plans', 'walk')
  await both
  expect([news.heard, plans.heard]).toEqual([['rain'], ['walk']])
})

test('whoever listens anew gets a fresh session, while the others keep theirs', async () => {
  const [news, plans] = [await listenTo('news'), await listenTo('plans')]
  await news.stop()
  const again = await listenTo('news')
  expect(again.sessions).not.toEqual(plans.sessions)
  const told = Promise.all([again.next('heard'), plans.next('heard')])
  await tell('news', 'sun')
  await tell('plans', 'stay')
  await told
  expect([news.heard, again.heard, plans.heard]).toEqual([[], ['sun'], ['stay']])
  expect(await readSessions(db.database)).toEqual(new Set([...again.sessions, ...plans.sessions]))
})

test('the end of the session is told to each listener, and the next one gets another', async () => {
  const [news, plans] = [await listenTo('news'), await listenTo('plans')]
  const ended = Promise.all([news.next('ended'), plans.next('ended')])
  await db.database.execute(sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where pid || '@' || extract(epoch from backend_start) = ${news.sessions[0]}`)
  await ended
  expect([news.ends(), plans.ends()]).toEqual([1, 1])
  const again = await listenTo('news')
  expect(again.sessions).not.toEqual(news.sessions)
  expect(await readSessions(db.database)).toEqual(new Set(again.sessions))
})

test('a program that only listens uses the database', async () => {
  expect(await isInUse(db.database, applicationName)).toBe(false)
  const program = connect({ url: db.url, sharesListening: true })
  await program.listen('news', () => undefined)
  expect(await isInUse(db.database, applicationName)).toBe(true)
  await program.close()
  expect(await isInUse(db.database, applicationName)).toBe(false)
})

test('where no server can be reached, listening is refused, and the goodbye of what never was breaks nothing', async () => {
  const nowhere = connect({ url: 'postgres://a@127.0.0.1:1,127.0.0.1:2/none?target_session_attrs=read-write' })
  const deadlines = vi.spyOn(globalThis, 'setTimeout')
  onTestFinished(() => deadlines.mockRestore())
  expect(await nowhere.listen('news', () => undefined).catch(isDatabaseAway)).toBe(true)
  // Each deadline that is left is let pass at once; one that broke a connection off would end the program.
  for (const [work] of deadlines.mock.calls) work()
  await nowhere.close()
})
