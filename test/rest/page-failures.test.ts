import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prunePageFailures } from '../../src/database/status-pages/prune-page-failures.ts'
import { countLimits } from '../../src/domain/input/count-limits.ts'
import { followFailures } from '../../src/status-pages/failure-incidents.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { idOf } from '../support/replies.ts'

/** The incidents that failures leave behind. */

let world: FurnishedWorld
let number = 0

beforeAll(async () => {
  world = await furnishedWorld()
})
afterAll(() => world.drop())

async function pageWithFailure(): Promise<number> {
  number += 1
  const body = { slug: `failing-${number}`, title: 'Failing', language_id: 'en' }
  const id = idOf(await world.call('alice', 'POST', '/status_pages', body))
  const component = { status_page_id: id, name: 'Shop', service_id: world.serviceIds.shared }
  await world.call('alice', 'POST', '/status_page_components', component)
  return id
}

const count = async (table: 'status_page_incidents' | 'status_page_failures', id: number) => {
  const query =
    table === 'status_page_incidents'
      ? sql`select count(*)::int as count from status_page_incidents where status_page_id = ${id}`
      : sql`select count(*)::int as count from status_page_failures where status_page_id = ${id}`
  return (await world.database.query<{ count: number }>(query))[0]?.count
}

async function endFailure(at: number | null): Promise<void> {
  const end = at === null ? null : new Date(at)
  const { shared } = world.serviceIds
  await world.database.execute(sql`
    update status_changes set end_time = ${end} where service_id = ${shared} and status = 'failure'`)
  await world.database.execute(sql`
    update service_statuses set state = ${at === null ? 'failure' : 'ok'} where service_id = ${shared}`)
}

const incidentsOf = async (id: number) =>
  (await world.call('alice', 'GET', `/status_pages/${id}/incidents?sort=id`)).answer

interface ShownComponent {
  readonly id: number
  readonly confirmed_at: string | null
  readonly unconfirmed_since: string | null
}

const componentsOf = async (id: number) =>
  (await world.call('alice', 'GET', `/status_pages/${id}/components?sort=id`)).body as readonly ShownComponent[]

async function statusesOf(): Promise<readonly string[]> {
  world.clock.advance(31_000)
  const { payload } = await world.server.inject({ url: `/status/failing-${number}/api/v2/components.json` })
  return (JSON.parse(payload) as { components: { status: string }[] }).components.map(({ status }) => status)
}

/** The page waits for so long that the failure of the world is not shown yet. */
const waiting = (id: number, more = {}) =>
  world.call('alice', 'PUT', `/status_pages/${id}`, { publish_after_seconds: 86_400, ...more })

test('a component turns public when a person confirms its failure, wherever the page shows the service', async () => {
  const id = await pageWithFailure()
  await waiting(id)
  const group = { status_page_id: id, name: 'All', group_id: world.groupIds.shared }
  await world.call('alice', 'POST', '/status_page_components', group)
  await followFailures(world.database, world.clock.now())
  const [before] = await componentsOf(id)
  expect([before?.confirmed_at, typeof before?.unconfirmed_since]).toEqual([null, 'string'])
  expect(await statusesOf()).not.toContain('major_outage')
  expect(await count('status_page_incidents', id)).toBe(0)
  const path = `/status_page_components/${before?.id}/confirm`
  expect((await world.call('charlie', 'POST', path)).status).toBe(404)
  expect((await world.call('alice', 'POST', path)).status).toBe(204)
  await followFailures(world.database, world.clock.now())
  expect(await statusesOf()).toEqual(['major_outage', expect.stringMatching(/_outage$/)])
  expect(await incidentsOf(id)).toMatchObject([
    { name: 'Shop, All are down', is_published: false, change_ids: [world.history.changeIds.failure] },
  ])
  const [after] = await componentsOf(id)
  expect([typeof after?.confirmed_at, after?.unconfirmed_since]).toEqual(['string', null])
})

test('a failure that is confirmed before it begins waits as others do', async () => {
  const id = await pageWithFailure()
  await waiting(id)
  const [component] = await componentsOf(id)
  const { shared } = world.serviceIds
  await world.call('alice', 'POST', `/status_page_components/${component?.id}/confirm`)
  const before = await world.database.query<{ since: number }>(
    sql`select state_since as since from service_statuses where service_id = ${shared}`,
  )
  const later = (since: Date) => sql`update service_statuses set state_since = ${since} where service_id = ${shared}`
  world.clock.advance(60_000)
  await world.database.execute(later(new Date(world.clock.now())))
  await followFailures(world.database, world.clock.now())
  expect(await count('status_page_incidents', id)).toBe(0)
  await world.database.execute(later(new Date(before[0]?.since ?? 0)))
})

test('a failure of which a person told opens no second incident, and is told once', async () => {
  const id = await pageWithFailure()
  await waiting(id, { auto_publish: true })
  const [component] = await componentsOf(id)
  const subscribed = { status_page_id: id, kind: 'email', address: 'reader@example.com' }
  await world.call('alice', 'POST', '/status_page_subscribers', subscribed)
  const told = { status_page_id: id, name: 'We see it', is_published: true, component_ids: [component?.id] }
  idOf(await world.call('alice', 'POST', '/status_page_incidents', told))
  await waiting(id, { publish_after_seconds: 180 })
  await followFailures(world.database, world.clock.now())
  await followFailures(world.database, world.clock.now())
  expect((await incidentsOf(id)).map(({ name }) => name)).toEqual(['We see it'])
  expect(await count('status_page_failures', id)).toBe(1)
  const [notices] = await world.database.query<{ count: number }>(
    sql`select count(*)::int as count from status_page_notices where status_page_id = ${id}`,
  )
  expect(notices?.count).toBe(1)
})

test('a draft of a person tells nobody, so the failure opens its own', async () => {
  const id = await pageWithFailure()
  const [component] = await componentsOf(id)
  const draft = { status_page_id: id, name: 'A draft', component_ids: [component?.id] }
  idOf(await world.call('alice', 'POST', '/status_page_incidents', draft))
  await followFailures(world.database, world.clock.now())
  expect((await incidentsOf(id)).map(({ name }) => name)).toEqual(['A draft', 'Shop is down'])
})

test('drafts and failures are forgotten some time after their end, and published incidents stay', async () => {
  const [draft, published] = [await pageWithFailure(), await pageWithFailure()]
  await world.call('alice', 'PUT', `/status_pages/${published}`, { auto_publish: true })
  const now = world.clock.now()
  await followFailures(world.database, now)
  await prunePageFailures(world.database, now + 86_400_000)
  expect([await count('status_page_incidents', draft), await count('status_page_failures', draft)]).toEqual([1, 1])
  await endFailure(now)
  await followFailures(world.database, now + 180_000)
  await prunePageFailures(world.database, now + 180_000)
  expect([await count('status_page_incidents', draft), await count('status_page_failures', draft)]).toEqual([1, 1])
  await prunePageFailures(world.database, now + 180_001)
  expect([await count('status_page_incidents', draft), await count('status_page_failures', draft)]).toEqual([0, 0])
  expect([await count('status_page_incidents', published), await count('status_page_failures', published)]).toEqual([
    1, 0,
  ])
  await endFailure(null)
})

test('a failure that lasts opens no second incident after a pruning', async () => {
  const id = await pageWithFailure()
  const now = world.clock.now()
  await followFailures(world.database, now)
  await prunePageFailures(world.database, now + 400 * 86_400_000)
  await followFailures(world.database, now)
  expect(await count('status_page_incidents', id)).toBe(1)
})

test('a page with all the incidents that it may have gets no further one', async () => {
  const id = await pageWithFailure()
  const now = new Date(world.clock.now())
  await world.database.execute(sql`
    insert into status_page_incidents (status_page_id, name, status, impact, started_at, created_at, updated_at)
    select ${id}, 'Old', 'resolved', 'minor', ${now}, ${now}, ${now} from generate_series(1, ${countLimits.statusPageIncidents})`)
  await followFailures(world.database, world.clock.now())
  await followFailures(world.database, world.clock.now())
  expect(await count('status_page_incidents', id)).toBe(countLimits.statusPageIncidents)
  expect(await count('status_page_failures', id)).toBe(1)
})
