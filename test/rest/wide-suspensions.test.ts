import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())
beforeEach(async () => {
  for (const table of ['wide_suspensions', 'wide_weekly_suspensions', 'services', 'tags'])
    await world.database.execute(sql`delete from ${raw(table)}`)
})

const hour = 3_600_000

async function made(path: string, body: object, person: Person = 'alice'): Promise<number> {
  const reply = await world.call(person, 'POST', path, body)
  expect([reply.status, reply.status === 201 ? '' : reply.text]).toEqual([201, ''])
  return idOf(reply)
}

const newService = (values: object = {}) =>
  made('/services', { type_id: 'http', address: 'shop.example', name: 'Shop', ...values })

async function put(path: string, body: object): Promise<void> {
  const reply = await world.call('alice', 'PUT', path, body)
  expect([reply.status, reply.status === 204 ? '' : reply.text]).toEqual([204, ''])
}

async function drop(path: string): Promise<void> {
  expect((await world.call('alice', 'DELETE', path)).status).toBe(204)
}

async function isSuspended(id: number): Promise<boolean> {
  const { body } = await world.call('alice', 'GET', `/service_statuses/${id}`)
  return (body as { monitoring_status: string }).monitoring_status === 'suspended'
}

const suspendedOf = (ids: readonly number[]) => Promise.all(ids.map(isSuspended))

function around(): { start_time: string; end_time: string } {
  const now = world.clock.now()
  return { start_time: formatMoment(now - hour), end_time: formatMoment(now + hour) }
}

test('a suspension of a tag begins with the tag and ends with it', async () => {
  const [tagged, plain] = [await newService({ tags: ['Web'] }), await newService()]
  const id = await made('/wide_suspensions', { tag: 'web', ...around() })
  expect(await suspendedOf([tagged, plain])).toEqual([true, false])
  expect((await world.call('alice', 'GET', `/wide_suspensions/${id}`)).body).toMatchObject({
    tag: 'Web',
    group_id: null,
  })
  await put(`/services/${plain}`, { tags: ['web', 'shop'] })
  await put(`/services/${tagged}`, { tags: [] })
  expect(await suspendedOf([tagged, plain])).toEqual([false, true])
  const late = await newService({ tags: ['web'] })
  expect(await isSuspended(late)).toBe(true)
  await drop(`/wide_suspensions/${id}`)
  expect(await suspendedOf([tagged, plain, late])).toEqual([false, false, false])
})

test('one of a group follows the services that move, one of everything leaves none out', async () => {
  const groupId = await made('/groups', { name: 'Shops' })
  const [inside, outside] = [await newService({ group_id: groupId }), await newService()]
  const id = await made('/wide_suspensions', { group_id: groupId, ...around() })
  expect(await suspendedOf([inside, outside])).toEqual([true, false])
  await put(`/services/${outside}`, { group_id: groupId })
  expect(await suspendedOf([inside, outside])).toEqual([true, true])
  await drop(`/wide_suspensions/${id}`)
  expect(await suspendedOf([inside, outside])).toEqual([false, false])
  await made('/wide_suspensions', { only_notifications: true, ...around() })
  await made('/wide_suspensions', around())
  expect(await suspendedOf([inside, outside])).toEqual([true, true])
  await drop(`/groups/${groupId}`)
})

test('a weekly one is in the zone of the owner, and quiet hours leave monitoring alone', async () => {
  const id = await newService({ tags: ['night'] })
  // The world's clock stands at 10:00 in Warsaw on a Saturday.
  const times = {
    start_minute: { day_of_week: 6, hour: 9, minute: 0 },
    end_minute: { day_of_week: 6, hour: 11, minute: 0 },
  }
  const weekly = await made('/wide_weekly_suspensions', { tag: 'night', ...times })
  expect(await isSuspended(id)).toBe(true)
  await put(`/wide_weekly_suspensions/${weekly}`, { only_notifications: true })
  const { body } = await world.call('alice', 'GET', `/service_statuses/${id}`)
  expect(body).toMatchObject({ monitoring_status: 'on', notifications_status: 'silent' })
  await put(`/accounts/${world.people.ids.alice}`, { time_zone_id: 'asia_tokyo' })
  expect((await world.call('alice', 'GET', `/service_statuses/${id}`)).body).toMatchObject({
    notifications_status: 'on',
  })
  await put(`/accounts/${world.people.ids.alice}`, { time_zone_id: 'europe_warsaw' })
})

test('a deleted tag takes its suspensions along, and nothing stays suspended', async () => {
  const id = await newService({ tags: ['web'] })
  await made('/wide_suspensions', { tag: 'web', ...around() })
  expect(await isSuspended(id)).toBe(true)
  const [tag] = (await world.call('alice', 'GET', '/tags?name=web')).answer
  await drop(`/tags/${tag?.id}`)
  expect(await isSuspended(id)).toBe(false)
  expect((await world.call('alice', 'GET', '/wide_suspensions')).body).toEqual([])
})

test('a service lists what covers it', async () => {
  const groupId = await made('/groups', { name: 'Listed' })
  const id = await newService({ group_id: groupId, tags: ['web', 'shop'] })
  await made('/tags', { name: 'other' })
  const plans = [{ tag: 'web' }, { group_id: groupId }, {}, { group_id: groupId, tag: 'shop' }]
  const ids = []
  for (const plan of plans) ids.push(await made('/wide_suspensions', { ...plan, ...around() }))
  await made('/wide_suspensions', { tag: 'other', ...around() })
  await made('/wide_suspensions', { group_id: await made('/groups', { name: 'Another' }), ...around() })
  const listed = (await world.call('alice', 'GET', `/services/${id}/wide_suspensions?sort=id`)).answer
  expect(listed.map((one) => one.id)).toEqual(ids)
})

test.each([
  ['a tag that the owner does not have', { tag: 'nothing' }, [['incorrect_value', 'data.tag']]],
  ['a group that nobody has', { group_id: 999_999 }, [['incorrect_value', 'data.group_id']]],
  ["somebody else's account", { owner_id: 999_999 }, [['incorrect_value', 'data.owner_id']]],
  ['an end before the start', { end_time: '2020-01-01T00:00:00Z' }, [['incorrect_value', 'data.end_time']]],
])('%s is refused', async (_title, values, problems) => {
  const reply = await world.call('alice', 'POST', '/wide_suspensions', { ...around(), ...values })
  expect([reply.status, errorsOf(reply.body)]).toEqual([422, problems])
})

describe('others', () => {
  test('see and change the suspensions of a group that they may modify, and none of a tag or of everything', async () => {
    const { sharedGroupId } = world.people
    await newService({ group_id: sharedGroupId, tags: ['web'] })
    const ofGroup = await made('/wide_suspensions', { group_id: sharedGroupId, ...around() })
    await made('/wide_suspensions', { tag: 'web', ...around() })
    await made('/wide_suspensions', around())
    const seen = (person: Person) => world.call(person, 'GET', '/wide_suspensions')
    expect((await seen('bob')).answer.map(({ id }) => id)).toEqual([ofGroup])
    expect((await seen('charlie')).body).toEqual([])
    const ofBob = await world.call('bob', 'POST', '/wide_suspensions', { group_id: sharedGroupId, ...around() })
    const change = { description: 'By a guest' }
    const changed = ['bob', 'carol', 'charlie'] as const
    const replies = changed.map((person) => world.call(person, 'PUT', `/wide_suspensions/${ofGroup}`, change))
    expect([ofBob.status, ...(await Promise.all(replies)).map(({ status }) => status)]).toEqual([201, 204, 403, 404])
    const foreign = await world.call('carol', 'POST', '/wide_suspensions', { group_id: sharedGroupId, ...around() })
    const ofTag = await world.call('bob', 'POST', '/wide_suspensions', { tag: 'web', ...around() })
    expect([foreign.status, ofTag.status]).toEqual([403, 422])
  })
})
