import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { givePackage } from '../support/packages.ts'
import type { Person } from '../support/people.ts'
import { pointersOf, problemsOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

function create(channel: string, address: string, more: object = {}, person: Person = 'alice'): Promise<Reply> {
  return api.call(person, 'POST', '/notification_addresses', { address, notification_channel_id: channel, ...more })
}

const idOf = (reply: Reply) => (reply.body as { id: number }).id

async function defaultGroupOf(person: Person): Promise<number> {
  return idOf(await api.call(person, 'GET', '/groups/my_default_group?fields=id'))
}

describe('an address has the form of its channel', () => {
  test.each([
    ['email', 'alice@example.com', 201],
    ['email', 'żółw+sklep@zażółć.pl', 201],
    ['email_short', 'pager@example.com', 201],
    ['email', 'alice', 422],
    ['email', 'alice@', 422],
    ['email', 'a b@example.com', 422],
    ['email', 'a@example.com,b@example.com', 422],
    ['email', 'a@example.com\r\nBcc: b@example.com', 422],
    ['email', 'Alice <alice@example.com>', 422],
    ['email', '', 422],
    ['email', `${'x'.repeat(250)}@example.com`, 422],
    ['sms', '+48 600 000 000', 201],
    ['sms', '600-000-000', 201],
    ['sms', '600', 422],
    ['sms', 'alice@example.com', 422],
    ['sms', '+48600000000x', 422],
    ['jabber', 'alice@jabber.example.com', 201],
    ['jabber', '5', 422],
    ['gadu_gadu', '123456', 201],
    ['gadu_gadu', 'alice', 422],
  ])('%s %s: %d', async (channel, address, status) => {
    const reply = await create(channel, address)
    expect(reply.status).toBe(status)
    if (status === 422) expect(pointersOf(reply)).toEqual([expect.stringMatching(/^\w+ data\.address$/)])
  })

  test('also after a change of either', async () => {
    const id = idOf(await create('email', 'alice@example.com'))
    const change = (body: object) => api.call('alice', 'PUT', `/notification_addresses/${id}`, body)
    expect(pointersOf(await change({ notification_channel_id: 'sms' }))).toEqual(['incorrect_value data.address'])
    expect(pointersOf(await change({ address: '+48600000000' }))).toEqual(['incorrect_value data.address'])
    expect((await change({ notification_channel_id: 'sms', address: '+48600000000' })).status).toBe(204)
  })
})

test('everything that is missing or wrong is told at once', async () => {
  expect(pointersOf(await api.call('alice', 'POST', '/notification_addresses', {}))).toEqual([
    'missing_value data.address',
    'missing_value data.notification_channel_id',
  ])
  expect(pointersOf(await create('pigeon', 'x', { group_id: 'none', colour: 1 }))).toEqual([
    'incorrect_type data.group_id',
    'incorrect_value data.notification_channel_id',
    'unknown_field data.colour',
  ])
  expect(pointersOf(await create('sms', 'alice', { group_id: 987654 }))).toContain('incorrect_value data.group_id')
})

test('an address without a group goes to the default group', async () => {
  const id = idOf(await create('email', 'alice@example.com'))
  const reply = await api.call('alice', 'GET', `/notification_addresses/${id}`)
  expect(reply.body).toEqual({
    id,
    address: 'alice@example.com',
    description: '',
    owner_id: api.people.ids.alice,
    is_confirmed: true,
    warnings: [],
    ...{ settings: {}, set_secrets: [], is_enabled: true, disabled_reason: null, tags: null },
    ...{ managed_key: null, managed_by: null, managed_state: null },
    group_id: await defaultGroupOf('alice'),
    notification_channel_id: 'email',
  })
})

describe('the package', () => {
  test('offers channels', async () => {
    await givePackage(api, 'charlie', { available_notification_channel_ids: ['email'] })
    expect(pointersOf(await create('jabber', 'c@example.com', {}, 'charlie'))).toEqual([
      'channel_not_available data.notification_channel_id',
    ])
  })

  test('limits the phone numbers of the account over all its groups, not other addresses', async () => {
    await givePackage(api, 'charlie', { maximum_sms_numbers: 2 })
    const group = await api.call('charlie', 'POST', '/groups', { name: 'Druga' })
    const first = await create('sms', '+48600000001', {}, 'charlie')
    expect((await create('sms', '+48600000002', { group_id: idOf(group) }, 'charlie')).status).toBe(201)
    const full = await create('sms', '+48600000003', {}, 'charlie')
    expect(pointersOf(full)).toEqual(['limit_exceeded data.notification_channel_id'])
    expect(problemsOf(full)[0]?.message).toMatch(/maximum_sms_numbers.*2/)
    expect((await create('email', 'c@example.com', {}, 'charlie')).status).toBe(201)
    const path = `/notification_addresses/${idOf(first)}`
    expect((await api.call('charlie', 'PUT', path, { address: '+48600000009' })).status).toBe(204)
    expect((await api.call('charlie', 'DELETE', path)).status).toBe(204)
    expect((await create('sms', '+48600000003', {}, 'charlie')).status).toBe(201)
  })

  test('has one last phone number, whoever comes at the same time', async () => {
    await givePackage(api, 'bob', { maximum_sms_numbers: 1 })
    const replies = await Promise.all([1, 2, 3, 4].map((last) => create('sms', `+4860000000${last}`, {}, 'bob')))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422])
  })

  test('that became stricter stops no other change', async () => {
    await givePackage(api, 'carol', {})
    const id = idOf(await create('sms', '+48600000001', {}, 'carol'))
    await givePackage(api, 'carol', { maximum_sms_numbers: 0, available_notification_channel_ids: ['email'] })
    const path = `/notification_addresses/${id}`
    const shown = await api.call('carol', 'GET', path)
    expect((await api.call('carol', 'PUT', path, shown.body)).status).toBe(204)
  })
})

describe('groups', () => {
  test('an address moves between groups of one owner', async () => {
    const group = idOf(await api.call('alice', 'POST', '/groups', { name: 'Druga' }))
    const id = idOf(await create('email', 'alice@example.com'))
    const path = `/notification_addresses/${id}`
    expect((await api.call('alice', 'PUT', path, { group_id: group })).status).toBe(204)
    expect((await api.call('alice', 'GET', `${path}/group?fields=id`)).body).toEqual({ id: group })
    expect(pointersOf(await api.call('alice', 'PUT', path, { group_id: await defaultGroupOf('bob') }))).toEqual([
      'incorrect_value data.group_id',
    ])
  })

  test('moving needs the right at both ends', async () => {
    const group = idOf(await api.call('alice', 'POST', '/groups', { name: 'Tylko do czytania' }))
    await api.database.execute(sql`insert into shares (group_id, account_id) values (${group}, ${api.people.ids.bob})`)
    const here = idOf(await create('email', 'a@example.com', { group_id: api.people.sharedGroupId }))
    const there = idOf(await create('email', 'b@example.com', { group_id: group }))
    const move = (id: number, group_id: number) => api.call('bob', 'PUT', `/notification_addresses/${id}`, { group_id })
    expect((await move(here, group)).status).toBe(403)
    expect((await move(there, api.people.sharedGroupId)).status).toBe(403)
  })

  test('a service notifies the addresses of its group on the channels that are on', async () => {
    const group_id = idOf(await api.call('alice', 'POST', '/groups', { name: 'Kanały' }))
    const mail = idOf(await create('email', 'a@example.com', { group_id }))
    const phone = idOf(await create('sms', '+48600000000', { group_id }))
    const service = {
      type_id: 'http',
      name: 'x',
      address: 'example.com',
      group_id,
      notification_channel_ids: ['email'],
    }
    const path = `/services/${idOf(await api.call('alice', 'POST', '/services', service))}`
    const addresses = async () => (await api.call('alice', 'GET', `${path}/notification_addresses?fields=id`)).body
    expect(await addresses()).toEqual([{ id: mail }])
    await api.call('alice', 'PUT', path, { notification_channel_ids: ['sms', 'email'] })
    expect(await addresses()).toEqual([{ id: mail }, { id: phone }])
    await api.call('alice', 'PUT', path, { notification_channel_ids: [] })
    expect(await addresses()).toEqual([])
  })
})
