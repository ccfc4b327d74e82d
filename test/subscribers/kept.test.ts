import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { unconfirmedLife } from '../../src/domain/status-pages/subscriber.ts'
import { Retention } from '../../src/monitoring/retention.ts'
import { silentLog } from '../support/monitoring.ts'
import { idOf } from '../support/replies.ts'
import { pathOf, type SubscribingWorld, subscribingWorld } from '../support/subscribing.ts'

/** The data that is kept of subscribers, and for how long (docs/status-pages.md, Privacy). */

const day = 86_400_000

let world: SubscribingWorld
let slug: string
let pageId: number
let number = 0

beforeAll(async () => {
  world = await subscribingWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  number += 1
  slug = `kept-${number}`
  await world.database.execute(sql`delete from status_page_subscribers`)
  pageId = await world.page(slug)
  world.mailbox.mails.length = 0
})

/** A look of the job that deletes expired data, as each process does. */
async function keep(): Promise<void> {
  const { database, clock } = world
  await new Retention({
    ...{ database, clock, log: silentLog, retentionDays: 400 },
    pruneArtifacts: async () => 0,
    packHistory: async () => 0,
  }).keep()
}

async function subscribers(): Promise<readonly string[]> {
  const rows = await world.database.query<{ address: string }>(
    sql`select address from status_page_subscribers where status_page_id = ${pageId} order by address`,
  )
  return rows.map(({ address }) => address)
}

async function countOf(statement: ReturnType<typeof sql>): Promise<number> {
  return (await world.database.query(statement)).length
}

const messages = () => countOf(sql`select 1 from messages where subscriber_id is not null`)
const ask = (address: string) => world.send(`/status/${slug}/subscribe`, { kind: 'email', address, scope: 'all' })

/** True if the text is in any row of any table. */
async function isKept(text: string): Promise<boolean> {
  const tables = await world.database.query<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = current_schema()`,
  )
  for (const { name } of tables) {
    const rows = await world.database.query(sql`select row_to_json(t)::text as row from ${raw(`"${name}"`)} t`)
    if (JSON.stringify(rows).includes(text)) return true
  }
  return false
}

test('an address that nobody confirms is forgotten after three days with its message, and a confirmed one stays', async () => {
  await world.subscribe(slug, 'stays@example.com')
  await ask('waits@example.com')
  await ask('late@example.com')
  await world.deliver()
  world.clock.advance(unconfirmedLife)
  await keep()
  expect(await subscribers()).toEqual(['late@example.com', 'stays@example.com', 'waits@example.com'])
  // To ask again prolongs it.
  await ask('late@example.com')
  world.clock.advance(1)
  await keep()
  expect(await subscribers()).toEqual(['late@example.com', 'stays@example.com'])
  expect(await isKept('waits@example.com')).toBe(false)
  world.clock.advance(400 * day)
  await keep()
  expect(await subscribers()).toEqual(['stays@example.com'])
})

test('a message that was sent is known for 30 days, and one that waits stays', async () => {
  await world.subscribe(slug, 'reader@example.com')
  await world.incident(pageId)
  await world.deliver()
  expect(await messages()).toBe(2)
  world.clock.advance(30 * day)
  await keep()
  expect(await messages()).toBe(2)
  await world.incident(pageId, { name: 'Another' })
  world.clock.advance(1000)
  await keep()
  // Nobody has spread the other one yet.
  expect(await messages()).toBe(0)
  await world.deliver()
  expect(await messages()).toBe(1)
  await world.database.execute(
    sql`update messages set status = 'pending', finished_at = null where subscriber_id is not null`,
  )
  world.clock.advance(90 * day)
  await keep()
  expect(await messages()).toBe(1)
})

test('notices about suspensions go after 30 days, and those about incidents stay with them', async () => {
  const at = new Date(world.clock.now())
  await world.incident(pageId)
  await world.deliver()
  await world.database.execute(sql`
    insert into status_page_notices (status_page_id, stop_id, number, status, update_ids, component_ids, facts, created_at, is_spread)
    values (${pageId}, 'suspension-1', 0, 'scheduled', '{}', '{}', '{}', ${at}, true),
      (${pageId}, 'suspension-2', 0, 'scheduled', '{}', '{}', '{}', ${at}, false)`)
  world.clock.advance(30 * day + 1)
  await keep()
  const left = await world.database.query<{ stop_id: string | null }>(
    sql`select stop_id from status_page_notices where status_page_id = ${pageId} order by stop_id nulls first`,
  )
  expect(left.map(({ stop_id: id }) => id)).toEqual([null, 'suspension-2'])
})

test.each([
  [
    'the subscriber leaves',
    async (id: number, manage: string) => {
      expect(id).toBeGreaterThan(0)
      const [, token = ''] = manage.split('?token=')
      expect((await world.send(`/status/${slug}/subscribe/leave`, { token })).status).toBe(200)
    },
  ],
  [
    'the owner removes it',
    async (id: number) => {
      expect((await world.call('alice', 'DELETE', `/status_page_subscribers/${id}`)).status).toBe(204)
    },
  ],
  [
    'the page is removed',
    async () => {
      expect((await world.call('alice', 'DELETE', `/status_pages/${pageId}`)).status).toBe(204)
    },
  ],
])('nothing is left of an address when %s, messages that wait included', async (_case, remove) => {
  const manage = await world.subscribe(slug, 'secret.reader@example.com')
  const [row] = (await world.call('alice', 'GET', `/status_pages/${pageId}/subscribers`)).body as { id: number }[]
  await world.incident(pageId)
  await world.deliver()
  await world.incident(pageId, { name: 'Told to nobody' })
  expect(await isKept('secret.reader@example.com')).toBe(true)
  await remove(row?.id ?? 0, manage)
  expect(await isKept('secret.reader')).toBe(false)
  await world.deliver()
  expect(world.mailbox.mails.filter(({ raw }) => raw.includes('Told to nobody'))).toEqual([])
})

test('an owner who adds an address keeps as little of it', async () => {
  const body = { status_page_id: pageId, kind: 'email', address: 'added@example.com' }
  const id = idOf(await world.call('alice', 'POST', '/status_page_subscribers', body))
  await world.deliver()
  const { confirm = '' } = world.linksTo('added@example.com')
  await world.send(pathOf(confirm), '')
  await world.call('alice', 'DELETE', `/status_page_subscribers/${id}`)
  expect(await isKept('added@example.com')).toBe(false)
})
