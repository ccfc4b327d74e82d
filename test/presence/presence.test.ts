import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readSessions } from '../../src/database/holders.ts'
import { areReportsDue } from '../../src/database/reports/due-reports.ts'
import { dueMessages } from '../../src/outbox/due-messages.ts'
import type { Due } from '../../src/presence/due.ts'
import { Presence } from '../../src/presence/presence.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { givenIntent, givenReader } from '../support/intents.ts'

let own: TestDatabase
const now = Date.parse('2026-11-25T12:00:00Z')
const nothing: Due = { isDue: false, nextAt: Number.POSITIVE_INFINITY }
const started: Presence[] = []

beforeAll(async () => {
  own = await testDatabase()
})
afterEach(async () => {
  await Promise.all(started.splice(0).map((presence) => presence.stop()))
})
afterAll(() => own.drop())

interface Watched {
  readonly presence: Presence
  /** The outcome of each further look. */
  due: () => Promise<Due>
  woken: number
  looks: number
}

async function watch(clock: () => number = () => now): Promise<Watched> {
  const watched = { woken: 0, looks: 0, due: () => Promise.resolve(nothing) }
  const presence = new Presence({
    ...{ database: own.database, clock: { now: clock }, channel: 'notifications', kinds: [] },
    log: { info: () => undefined, warn: () => undefined },
    look: () => {
      watched.looks += 1
      return watched.due()
    },
    wake: () => {
      watched.woken += 1
    },
  })
  started.push(presence)
  await presence.start()
  return Object.assign(watched, { presence })
}

describe('the workers of a process', () => {
  test('sleep while nothing is due', async () => {
    const watched = await watch()
    await expect.poll(() => watched.looks).toBeGreaterThan(1)
    expect(watched.woken).toBe(0)
  })

  test('are woken by a NOTIFY, and by the next look if it got lost', async () => {
    const watched = await watch()
    await own.database.execute(sql`select pg_notify('notifications', '')`)
    await expect.poll(() => watched.woken).toBe(1)
    watched.due = async () => ({ ...nothing, isDue: true })
    await expect.poll(() => watched.woken).toBeGreaterThan(1)
  })

  test('are woken when the line to the database was cut, and after a look that failed', async () => {
    const watched = await watch()
    const line = watched.presence.session
    await own.database.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid = ${Number(line?.split('@')[0])}`)
    watched.due = async () => {
      watched.due = async () => ({ ...nothing, isDue: true })
      throw new Error('away')
    }
    await expect.poll(() => watched.woken).toBeGreaterThan(0)
    await expect.poll(() => watched.presence.session).not.toBe(line)
    expect(await readSessions(own.database)).toContain(watched.presence.session)
    const before = watched.woken
    watched.due = async () => nothing
    await own.database.execute(sql`select pg_notify('notifications', '')`)
    await expect.poll(() => watched.woken).toBeGreaterThan(before)
  })

  test('are woken at the moment that the look named, wherever the clock is set meanwhile', async () => {
    let at = now
    const watched = await watch(() => at)
    watched.due = async () => (at >= now + 300 ? { ...nothing, isDue: true } : { isDue: false, nextAt: now + 300 })
    const looks = watched.looks
    // Back by a day: looks go on at their usual pause.
    at = now - 86_400_000
    await expect.poll(() => watched.looks).toBeGreaterThan(looks + 1)
    expect(watched.woken).toBe(0)
    at = now + 300
    await expect.poll(() => watched.woken).toBeGreaterThan(0)
  })
})

describe('due messages', () => {
  test('are intents and messages whose moment has come, not those that somebody holds', async () => {
    const { database } = own
    expect(await dueMessages(database, now)).toEqual(nothing)
    const accountId = await givenReader(database)
    await givenIntent(database, { accountId, createdAt: now + 1000 })
    expect(await dueMessages(database, now)).toEqual(nothing)
    expect(await dueMessages(database, now + 1000)).toEqual({ ...nothing, isDue: true })
    await database.execute(sql`update notification_intents set next_attempt_at = ${new Date(now + 60_000)}`)
    expect(await dueMessages(database, now + 1000)).toEqual(nothing)
    await database.execute(sql`update notification_intents set status = 'sent', next_attempt_at = null`)
    expect(await dueMessages(database, now + 90_000)).toEqual(nothing)
    await database.execute(sql`
      insert into messages (queue, kind, address, account_id, created_at, next_attempt_at)
      values ('letter', 'activation', 'a@example.com', ${accountId}, ${new Date(now)}, ${new Date(now)})`)
    expect(await dueMessages(database, now)).toEqual({ ...nothing, isDue: true })
    await database.execute(sql`delete from messages`)
    expect(await dueMessages(database, now)).toEqual(nothing)
  })

  test('are steps of escalations; the moment of the next one is named', async () => {
    const { database } = own
    const accountId = await givenReader(database)
    const [escalation] = await database.query<{ id: number }>(sql`
      insert into escalations (owner_id, name, steps) values (${accountId}, 'Night', '[]') returning id`)
    await database.execute(sql`
      insert into escalation_statuses (service_id, change_id, escalation_id, owner_id, state, started_at, next_at, facts)
      values (1, 1, ${escalation?.id}, ${accountId}, 'running', ${new Date(now)}, ${new Date(now + 5000)}, '{}'),
        (2, 2, ${escalation?.id}, ${accountId}, 'running', ${new Date(now)}, ${new Date(now + 9000)}, '{}'),
        (3, 3, ${escalation?.id}, ${accountId}, 'running', ${new Date(now)}, 'infinity', '{}'),
        (4, 4, ${escalation?.id}, ${accountId}, 'acknowledged', ${new Date(now)}, ${new Date(now)}, '{}'),
        (5, 5, -1, ${accountId}, 'running', ${new Date(now)}, ${new Date(now)}, '{}')`)
    expect(await dueMessages(database, now)).toEqual({ isDue: false, nextAt: now + 5000 })
    expect(await dueMessages(database, now + 5000)).toEqual({ isDue: true, nextAt: now + 9000 })
  })
})

test('due reports are plans whose moment has come', async () => {
  const { database } = own
  expect(await areReportsDue(database, now)).toBe(false)
  await database.execute(sql`
    insert into periodic_report_plans (report_frequency, made_until, due_at)
    values ('daily', ${new Date(now)}, ${new Date(now + 1000)})`)
  expect(await areReportsDue(database, now)).toBe(false)
  expect(await areReportsDue(database, now + 1000)).toBe(true)
})
