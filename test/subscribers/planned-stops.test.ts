import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Executor } from '../../src/database/connect.ts'
import { followPlannedStops } from '../../src/status-pages/follow-stops.ts'
import { idOf } from '../support/replies.ts'
import { type SubscribingWorld, subscribingWorld } from '../support/subscribing.ts'

/** Suspensions that a page shows as maintenance, and what its subscribers hear of them. */

let world: SubscribingWorld
let slug: string
let pageId: number
let number = 0
let reader: string

beforeAll(async () => {
  world = await subscribingWorld()
  const { database } = world
  await database.execute(sql`delete from status_page_subscribers`)
  // They cover whatever service a page shows.
  await database.execute(sql`delete from wide_suspensions`)
  await database.execute(sql`delete from wide_weekly_suspensions`)
})
afterAll(() => world.drop())

beforeEach(async () => {
  number += 1
  slug = `planned-${number}`
  reader = `reader-${number}@example.com`
  await world.database.execute(sql`delete from suspensions`)
  await world.database.execute(sql`delete from weekly_suspensions`)
  pageId = await world.page(slug, { shows_suspensions: true, shows_weekly_suspensions: true })
  await world.component(pageId, 'Shop', { service_id: world.serviceIds.shared, status: null })
  await world.component(pageId, 'Cellar', { service_id: world.serviceIds.private, status: null })
  world.clock.advance(31_000)
  await world.subscribe(slug, reader)
  world.clock.advance(1000)
})

const subjects = () =>
  world.mailbox.mails.filter(({ to }) => to.includes(reader)).map(({ parsed }) => parsed.subject ?? '')
/** After the question to confirm. */
const heard = () => subjects().slice(1)

async function look(database = world.database): Promise<void> {
  await followPlannedStops(database, world.clock.now())
}

/** Several processes look at once, twice. */
async function lookEverywhere(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await Promise.all(Array.from({ length: 4 }, () => look()))
  await world.deliver()
}

const moment = (seconds: number) => new Date(world.clock.now() + seconds * 1000).toISOString()

function suspend(from: number, until: number, service_id = world.serviceIds.shared): Promise<number> {
  const body = { service_id, start_time: moment(from), end_time: moment(until), description: 'Secret works' }
  return world.call('alice', 'POST', '/suspensions', body).then(idOf)
}

describe('a suspension', () => {
  test('is told when it is planned, begins and ends, once each, whoever looks', async () => {
    const id = await suspend(600, 1200)
    await lookEverywhere()
    expect(heard()).toEqual(['[Shop status] Shop: Scheduled'])
    world.clock.advance(31_000)
    expect((await world.open(`/status/${slug}`)).text).toContain(`id="incident-suspension-${id}"`)
    world.clock.advance(601_000)
    await lookEverywhere()
    world.clock.advance(601_000)
    await lookEverywhere()
    expect(heard()).toEqual([
      '[Shop status] Shop: Scheduled',
      '[Shop status] Shop: In progress',
      '[Shop status] Shop: Completed',
    ])
    const texts = world.mailbox.mails.filter(({ to }) => to.includes(reader)).map(({ parsed }) => parsed.text ?? '')
    expect(texts[1]).toMatch(/Planned maintenance: Shop\n\nPlanned: .* – .* \(Europe\/Warsaw\)\nAffects: Shop\n/)
    for (const text of texts.slice(1)) expect(text).toContain(`/status/${slug}/#incident-suspension-${id}\n`)
    expect(texts.join()).not.toMatch(/Secret works|Sklep Łódź/)
    expect(await world.database.query(sql`select 1 from status_page_stops where status_page_id = ${pageId}`)).toEqual(
      [],
    )
  })

  test('of several services at the same time is one for subscribers and on the page', async () => {
    await suspend(600, 1200)
    const until = moment(1200)
    const first = (await world.database.query<{ start_time: number }>(sql`select start_time from suspensions`))[0]
    await world.call('alice', 'POST', '/suspensions', {
      ...{
        service_id: world.serviceIds.private,
        start_time: new Date(first?.start_time ?? 0).toISOString(),
        end_time: until,
      },
    })
    await lookEverywhere()
    expect(heard()).toEqual(['[Shop status] Shop, Cellar: Scheduled'])
    world.clock.advance(31_000)
    const { text } = await world.open(`/status/${slug}/api/v2/scheduled-maintenances.json`)
    const { scheduled_maintenances: shown } = JSON.parse(text) as {
      scheduled_maintenances: { id: string; components: { name: string }[] }[]
    }
    expect(shown).toHaveLength(1)
    expect(shown[0]?.components.map(({ name }) => name)).toEqual(['Shop', 'Cellar'])
    const [notice] = await world.database.query<{ stop_id: string }>(
      sql`select stop_id from status_page_notices where status_page_id = ${pageId}`,
    )
    expect(notice?.stop_id).toBe(shown[0]?.id)
  })

  test('that is removed is called off before its beginning, and over after it', async () => {
    const early = await suspend(600, 1200)
    const late = await suspend(-10, 1300, world.serviceIds.private)
    await lookEverywhere()
    await world.call('alice', 'DELETE', `/suspensions/${early}`)
    await world.call('alice', 'DELETE', `/suspensions/${late}`)
    await lookEverywhere()
    expect(heard().toSorted()).toEqual([
      '[Shop status] Cellar: Completed',
      '[Shop status] Cellar: In progress',
      '[Shop status] Shop: Called off',
      '[Shop status] Shop: Scheduled',
    ])
  })

  test('that is moved is told with its new time', async () => {
    const id = await suspend(600, 1200)
    await lookEverywhere()
    await world.call('alice', 'PUT', `/suspensions/${id}`, { end_time: moment(2400) })
    await lookEverywhere()
    expect(heard()).toEqual(['[Shop status] Shop: Scheduled', '[Shop status] Shop: Scheduled'])
    const text = world.mailbox.mails.findLast(({ to }) => to.includes(reader))?.parsed.text ?? ''
    expect(text).toMatch(/^Update: Shop \(Scheduled\)/)
  })

  test('of a page that does not show it, or not any more, is told to nobody', async () => {
    await world.call('alice', 'PUT', `/status_pages/${pageId}`, { shows_suspensions: false })
    await suspend(600, 1200)
    await lookEverywhere()
    expect(heard()).toEqual([])
    await world.call('alice', 'PUT', `/status_pages/${pageId}`, { shows_suspensions: true })
    await lookEverywhere()
    await world.call('alice', 'PUT', `/status_pages/${pageId}`, { shows_suspensions: false })
    await lookEverywhere()
    expect(heard()).toEqual(['[Shop status] Shop: Scheduled'])
  })

  test('that stops notifications alone, or a service of somebody else, is told to nobody', async () => {
    await world.call('alice', 'POST', '/suspensions', {
      ...{ service_id: world.serviceIds.shared, only_notifications: true },
      ...{ start_time: moment(600), end_time: moment(1200) },
    })
    const foreign = world.serviceIds.foreign
    await world.database.execute(sql`update status_page_components set service_id = ${foreign}
      where status_page_id = ${pageId} and name = 'Cellar'`)
    await world.database.execute(sql`insert into suspensions (service_id, start_time, end_time)
      values (${foreign}, ${moment(600)}, ${moment(1200)})`)
    await lookEverywhere()
    expect(heard()).toEqual([])
  })
})

test('a weekly suspension is told when it is planned, and then the beginning and the end of each time', async () => {
  const inAnHour = new Date(world.clock.now() + 3_600_000)
  const minuteOf = (at: Date) => ({
    day_of_week: at.getUTCDay() === 0 ? 7 : at.getUTCDay(),
    hour: at.getUTCHours(),
    minute: 0,
  })
  await world.database.execute(sql`update accounts set time_zone_id = 'utc' where id = ${world.people.ids.alice}`)
  await world.call('alice', 'POST', '/weekly_suspensions', {
    ...{ service_id: world.serviceIds.shared, start_minute: minuteOf(inAnHour) },
    end_minute: minuteOf(new Date(inAnHour.getTime() + 3_600_000)),
  })
  for (let hours = 0; hours < 24 * 8; hours += 1) {
    await look()
    world.clock.advance(3_600_000)
  }
  await world.deliver()
  expect(heard()).toEqual([
    '[Shop status] Shop: Scheduled',
    '[Shop status] Shop: In progress',
    '[Shop status] Shop: Completed',
    '[Shop status] Shop: In progress',
    '[Shop status] Shop: Completed',
  ])
})

/** A process that dies at its n-th statement: what it has not committed is gone. */
function dying(database: Database, statements: number): Database {
  let left = statements
  const mortal = (executor: Executor): Executor => ({
    ...executor,
    query: (...given) => {
      left -= 1
      if (left < 0) throw new Error('killed')
      return executor.query(...given)
    },
    execute: (...given) => {
      left -= 1
      if (left < 0) throw new Error('killed')
      return executor.execute(...given)
    },
  })
  return { ...database, ...mortal(database), transaction: (act) => database.transaction((inner) => act(mortal(inner))) }
}

test('a process that dies at any statement loses no message and repeats none', async () => {
  await suspend(600, 1200)
  let deaths = 0
  for (const passes of [0, 601_000, 601_000]) {
    world.clock.advance(passes)
    for (let statements = 1; ; statements += 1) {
      const outcome = await look(dying(world.database, statements)).then(
        () => 'done',
        () => 'killed',
      )
      if (outcome === 'done') break
      deaths += 1
    }
    await lookEverywhere()
  }
  expect(deaths).toBeGreaterThan(20)
  expect(heard()).toEqual([
    '[Shop status] Shop: Scheduled',
    '[Shop status] Shop: In progress',
    '[Shop status] Shop: Completed',
  ])
})
