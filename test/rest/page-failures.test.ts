import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prunePageFailures } from '../../src/database/prune-page-failures.ts'
import { bounds } from '../../src/domain/bounds.ts'
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
    select ${id}, 'Old', 'resolved', 'minor', ${now}, ${now}, ${now} from generate_series(1, ${bounds.statusPageIncidents})`)
  await followFailures(world.database, world.clock.now())
  await followFailures(world.database, world.clock.now())
  expect(await count('status_page_incidents', id)).toBe(bounds.statusPageIncidents)
  expect(await count('status_page_failures', id)).toBe(1)
})
