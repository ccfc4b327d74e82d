import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/connect.ts'
import { list } from '../../src/rest/operations/list.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { listingOn } from '../support/listing.ts'
import { type PlanNode, planByIndexes } from '../support/plan.ts'
import { idOf } from '../support/replies.ts'

/** The newest status changes of an account are found without sorting all of them, and counted without reading them. */
let world: FurnishedWorld
let plans: (readonly PlanNode[])[] = []
const services = 12

beforeAll(async () => {
  world = await furnishedWorld()
  const ids: number[] = []
  for (let number = 0; number < services; number += 1) {
    const body = { type_id: 'http', name: `Flapping ${number}`, address: 'flapping.example' }
    ids.push(idOf(await world.call('alice', 'POST', '/services', body)))
  }
  // The first ones change more often than the last ones, many at the same moment. The last one never changed.
  const now = world.clock.now()
  await world.database.execute(sql`delete from status_changes where service_id = any(${ids}::int[])`)
  await world.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time, end_time)
    select id, (extract(epoch from at) * 100000)::bigint, case step % 2 when 0 then 'ok' else 'failure' end, at,
      case when step > 0 then at + every end
    from unnest(${ids.slice(0, -1)}::int[]) with ordinality service (id, place),
      generate_series(0, 9) step,
      lateral (select place * interval '1 minute' as every) pace,
      lateral (select to_timestamp(${now}::float8 / 1000) - (step + 1) * every as at) moment`)
})
afterAll(() => world.drop())

const path = '/accounts/my_account/logs/status_changes'
/** True of every change, but it keeps the list from its short way. */
const everything = 'status=ok&status=failure&status=paused'

test.each(['-start_time', '-change_id'])('pages by %s are those of the whole list in order', async (sort) => {
  const read = async (query: string) => {
    const { status, headers, body } = await world.call('alice', 'GET', `${path}?sort=${sort}&${query}`)
    expect([query, status]).toEqual([query, 200])
    return { total: headers['x-total-count'], rows: body as readonly unknown[] }
  }
  const whole = await read(`limit=1000&${everything}`)
  expect(whole.rows.length).toBeGreaterThan((services - 1) * 10)
  for (const limit of [1, 2, 3, 7, 11, 12, 13, 50, 1000]) {
    for (const offset of [0, 1, 5, 11, 40, 109, whole.rows.length, 5000]) {
      const page = await read(`limit=${limit}&offset=${offset}`)
      expect([limit, offset, page]).toEqual([
        limit,
        offset,
        { total: whole.total, rows: whole.rows.slice(offset, offset + limit) },
      ])
    }
  }
})

function watched(database: Database): Database {
  return {
    ...database,
    async query(statement, name) {
      plans.push(await planByIndexes(database, statement))
      return database.query(statement, name)
    },
  }
}

test.each([
  ['sort=-start_time', true],
  ['sort=-change_id', true],
  ['sort=start_time', false],
  ['sort=-start_time,-service_id', false],
  ['sort=-duration', false],
  [`sort=-start_time&${everything}`, false],
  ['sort=-start_time&from=-3600', false],
  ['sort=-start_time&query=Flapping', false],
])('%s looks at lasting changes first: %s', async (query, isShort) => {
  const resource = world.registry.get('logs/status_changes')
  const call = (await listingOn(world, watched(world.database))).callOf(resource, `limit=5&${query}`)
  plans = []
  await list(resource, call)
  const isOfLasting = plans.map((nodes) => nodes.some((node) => node['Index Name'] === 'status_changes_open'))
  expect(isOfLasting.includes(true)).toBe(isShort)
})

test.each([
  ['limit=1', true],
  ['limit=0', true],
  ['limit=1&sort=duration', true],
  ['limit=1&service_name=Flapping 3', true],
  ['limit=1&service_name.contains=flapping', true],
  ['limit=1&service.name=Flapping 3&service.name=Flapping 11', true],
  ['limit=1&group.is_default=true', true],
  ['limit=1&status=ok', false],
  ['limit=1&service_name=Flapping 3&status=failure', false],
  ['limit=1&from=-600', false],
  ['limit=1&query=Flapping', false],
  ['limit=1&service.name=Flapping 3&duration=60', false],
])('the total of %s is that of its rows, and comes from the numbers of the services: %s', async (query, isShort) => {
  const resource = world.registry.get('logs/status_changes')
  const listing = await listingOn(world, watched(world.database))
  const whole = await list(resource, listing.callOf(resource, query.replace(/limit=./, 'limit=1000')))
  plans = []
  const counted = await list(resource, listing.callOf(resource, query))
  const rows = JSON.parse(String(whole.json)).length
  expect(counted.headers?.['X-Total-Count']).toBe(String(rows))
  const isFromNumbers = plans.map((nodes) => nodes.some((node) => node['Relation Name'] === 'status_change_counts'))
  expect(isFromNumbers.includes(true)).toBe(isShort)
})

test('the total follows every change', async () => {
  const total = async () => Number((await world.call('alice', 'GET', `${path}?limit=1`)).headers['x-total-count'])
  const before = await total()
  const id = idOf(
    await world.call('alice', 'POST', '/services', { type_id: 'http', name: 'Passing', address: 'flapping.example' }),
  )
  await world.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time) values (${id}, 1, 'paused', now())`)
  expect(await total()).toBe(before + 1)
  await world.call('alice', 'DELETE', `/services/${id}`)
  expect(await total()).toBe(before)
})
