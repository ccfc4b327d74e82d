import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

const path = '/periodic_report_addresses'

test('an address goes to the default group unless told otherwise, and shows in every nested list', async () => {
  const body = { address: 'boss@example.com', report_frequency: 'monthly' }
  const id = idOf(await world.call('alice', 'POST', path, body))
  const { body: home } = await world.call('alice', 'GET', '/groups/my_default_group?fields=id')
  const groupId = (home as { id: number }).id
  expect((await world.call('alice', 'GET', `${path}/${id}`)).body).toEqual({
    ...{ id, group_id: groupId, owner_id: world.people.ids.alice },
    ...{ managed_key: null, managed_by: null, managed_state: null },
    ...body,
  })
  const serviceId = idOf(
    await world.call('alice', 'POST', '/services', { type_id: 'http', address: 'shop.example', name: 'Shop' }),
  )
  for (const parent of [`/groups/${groupId}`, '/accounts/my_account', `/services/${serviceId}`]) {
    const listed = await world.call('alice', 'GET', `${parent}${path}?fields=id,report_frequency`)
    expect(listed.body).toEqual([{ id, report_frequency: 'monthly' }])
  }
  const owner = await world.call('alice', 'GET', `${path}/${id}/owner?fields=username`)
  expect(owner.body).toEqual({ username: 'alice' })
})

test('an address is a mailbox with a frequency; everything wrong is told at once', async () => {
  const wrong = await world.call('alice', 'POST', path, { address: '+48500100200', group_id: 999_999 })
  expect(wrong.status).toBe(422)
  expect(errorsOf(wrong.body)).toEqual([
    ['missing_value', 'data.report_frequency'],
    ['incorrect_value', 'data.group_id'],
    ['incorrect_value', 'data.address'],
  ])
  const yearly = await world.call('alice', 'POST', path, { address: 'a@example.com', report_frequency: 'yearly' })
  expect(errorsOf(yearly.body)).toEqual([['incorrect_value', 'data.report_frequency']])
})

test('the right to modify the group is the right to its report addresses', async () => {
  const body = { address: 'team@example.com', report_frequency: 'daily', group_id: world.people.sharedGroupId }
  const id = idOf(await world.call('bob', 'POST', path, body))
  const flags = async (person: 'alice' | 'bob' | 'carol') =>
    (await world.call(person, 'GET', `${path}/${id}/permissions`)).body
  expect(await flags('alice')).toEqual({ own: true, read: true, update: true, delete: true })
  expect(await flags('bob')).toEqual({ own: false, read: true, update: true, delete: true })
  expect(await flags('carol')).toEqual({ own: false, read: true, update: false, delete: false })
  for (const person of ['carol', 'rita'] as const) {
    expect((await world.call(person, 'POST', path, body)).status).toBe(403)
    expect((await world.call(person, 'PUT', `${path}/${id}`, { report_frequency: 'weekly' })).status).toBe(403)
    expect((await world.call(person, 'DELETE', `${path}/${id}`)).status).toBe(403)
  }
  expect((await world.call('charlie', 'GET', `${path}/${id}`)).status).toBe(404)
  expect((await world.call('bob', 'PUT', `${path}/${id}`, { report_frequency: 'weekly' })).status).toBe(204)
  const found = await world.call('bob', 'GET', `${path}?report_frequency=weekly&address~=TEAM&fields=id`)
  expect(found.body).toEqual([{ id }])
  expect((await world.call('bob', 'DELETE', `${path}/${id}`)).status).toBe(204)
})

test('an address moves between groups of one owner only', async () => {
  const id = idOf(await world.call('alice', 'POST', path, { address: 'a@example.com', report_frequency: 'daily' }))
  const foreign = idOf(await world.call('charlie', 'POST', '/groups', { name: 'Foreign' }))
  const refused = await world.call('alice', 'PUT', `${path}/${id}`, { group_id: foreign })
  expect([refused.status, errorsOf(refused.body)]).toEqual([422, [['incorrect_value', 'data.group_id']]])
  const mine = idOf(await world.call('alice', 'POST', '/groups', { name: 'Mine' }))
  expect((await world.call('alice', 'PUT', `${path}/${id}`, { group_id: mine })).status).toBe(204)
  await world.call('alice', 'DELETE', `/groups/${mine}`)
  expect((await world.call('alice', 'GET', `${path}/${id}`)).status).toBe(404)
})
