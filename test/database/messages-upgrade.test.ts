import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSchema, migrate } from '../../src/database/migrate.ts'
import { claiming, endingOf } from '../../src/outbox/messages.ts'
import { emptyDatabase, type TestDatabase } from '../support/database.ts'

/** A database as it was before integrations with teams' tools: its last migration. */
const earlier = 33
const now = Date.UTC(2026, 10, 21)
const at = new Date(now)
const clock = { now: () => now }
let old: TestDatabase

beforeAll(async () => {
  old = await emptyDatabase()
  await old.database.transaction((transaction) => makeSchema(transaction, clock, earlier))
  await givenMails()
  await migrate(old.database, clock)
})
afterAll(() => old.drop())

/**
 * In each table one mail that waits, one that is held, one that was handed over without a record, and one that was
 * sent.
 */
async function givenMails(): Promise<void> {
  const { database } = old
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`set local session_replication_role = replica`)
    await transaction.execute(sql`
      insert into reports (id, template_id, owner_id, from_time, to_time, name, description, email_addresses, section_ids, summary,
        archived_services, weekly_suspensions, requested_scope, created_at)
      values (5, 1, 1, ${at}, ${at}, 'Report', '', '{}', '{}', 'none', false, '[]', '{}', ${at})`)
    await transaction.execute(sql`insert into periodic_reports (id, group_id, report_frequency, from_time, to_time, created_at)
      values (7, 1, 'daily', ${at}, ${at}, ${at})`)
    const states = sql`(values
      ('waits', 'pending', 0, null, null::timestamptz, ${at}::timestamptz),
      ('held', 'pending', 1, 'somebody', null, ${at}::timestamptz + interval '1 minute'),
      ('handed', 'pending', 1, 'somebody', ${at}, ${at}::timestamptz + interval '1 minute'),
      ('sent', 'sent', 1, null, ${at}, null)) as state (name, status, attempts, held_by, handed_over_at, next_attempt_at)`
    const shared = sql`name, status, attempts, held_by, handed_over_at, next_attempt_at, ${at}::timestamptz`
    await transaction.execute(sql`
      insert into letters (kind, token, address, status, attempts, held_by, handed_over_at, next_attempt_at, created_at)
      select 'password_reset', 'token of ' || name, ${shared} from ${states}`)
    await transaction.execute(sql`
      insert into report_mails (report_id, address, status, attempts, held_by, handed_over_at, next_attempt_at, created_at)
      select 5, ${shared} from ${states}`)
    await transaction.execute(sql`
      insert into periodic_report_mails (report_id, address, status, attempts, held_by, handed_over_at, next_attempt_at, created_at)
      select 7, ${shared} from ${states}`)
  })
}

const queues = ['letter', 'report', 'periodic_report'] as const

test('an upgrade takes every mail along, once, in the state that it was in', async () => {
  const rows = await old.database.query<Record<string, unknown>>(sql`
    select queue, address, status, attempts, held_by, handed_over_at is not null as is_handed_over, next_attempt_at,
      token, report_id, periodic_report_id from messages order by id`)
  const states = [
    { address: 'waits', status: 'pending', attempts: 0, held_by: null, is_handed_over: false, next_attempt_at: now },
    { address: 'held', status: 'pending', attempts: 1, held_by: 'somebody', is_handed_over: false },
    { address: 'handed', status: 'pending', attempts: 1, held_by: 'somebody', is_handed_over: true },
    { address: 'sent', status: 'sent', attempts: 1, held_by: null, is_handed_over: true, next_attempt_at: null },
  ]
  const expected = queues.flatMap((queue) =>
    states.map((state) => ({
      ...state,
      queue,
      token: queue === 'letter' ? `token of ${state.address}` : null,
      report_id: queue === 'report' ? 5 : null,
      periodic_report_id: queue === 'periodic_report' ? 7 : null,
      ...(state.next_attempt_at === undefined ? { next_attempt_at: now + 60_000 } : {}),
    })),
  )
  const byName = (left: object, right: object) => JSON.stringify(left).localeCompare(JSON.stringify(right))
  const sorted = (list: readonly object[]) =>
    list.map((row) => Object.fromEntries(Object.entries(row).toSorted())).toSorted(byName)
  expect(sorted(rows)).toEqual(sorted(expected))
})

test.each(queues)(
  'what waits in the queue %s is claimed once; a claim that ended before can record no more',
  async (queue) => {
    const claim = async () =>
      old.database.query<Parameters<typeof endingOf>[1]>(
        sql`with ${claiming(queue, { now: now + 61_000, heldBy: null, limit: 10 })} select * from claimed order by address`,
      )
    const claimed = await claim()
    expect(claimed.map(({ address, attempts }) => [address, attempts])).toEqual([
      ['handed', 1],
      ['held', 2],
      ['waits', 1],
    ])
    expect(await claim()).toEqual([])
    const ended = { status: 'sent', subject: 'x', errorMessage: null, nextAttemptAt: null } as const
    for (const message of claimed) {
      const { markHandedOver, record } = endingOf(old.database, message)
      expect(await markHandedOver(now)).toBe(message.handed_over_at === null)
      expect(await record(ended, now)).toBe(true)
      expect(await record(ended, now)).toBe(false)
    }
  },
)
