import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DecidedNotice, writeIntents } from '../../src/outbox/intents.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { errorsOf, idOf } from '../support/replies.ts'

/** Addresses, contacts and contact groups that are told of the services with a tag. */
let world: ApiWorld
let groupId: number
let changeId = 0

beforeAll(async () => {
  world = await apiWorld()
  for (const name of ['web', 'shop']) await made('/tags', { name })
})
afterAll(() => world.drop())
beforeEach(async () => {
  await world.database.execute(sql`truncate notification_intents`)
  groupId = await made('/groups', { name: 'Group' })
})

async function made(path: string, body: object, person: Person = 'alice'): Promise<number> {
  const reply = await world.call(person, 'POST', path, body)
  expect([reply.status, reply.status === 201 ? '' : reply.text]).toEqual([201, ''])
  return idOf(reply)
}

const put = (path: string, body: object) => world.call('alice', 'PUT', path, body)

const newService = (tags: readonly string[]) =>
  made('/services', {
    ...{ type_id: 'http', address: 'shop.example', name: 'Shop', group_id: groupId, tags },
    ...{ notification_channel_ids: ['email'], notification_condition_ids: ['failure', 'recovery'] },
  })

const newAddress = (address: string, tags?: readonly string[] | null) =>
  made('/notification_addresses', { group_id: groupId, notification_channel_id: 'email', address, tags })

async function newContact(address: string): Promise<number> {
  const id = await made('/contacts', { name: address, language_id: 'en', time_zone_id: 'utc' })
  await made('/contact_addresses', { contact_id: id, notification_channel_id: 'email', address })
  return id
}

async function tagId(name: string): Promise<number> {
  const { body } = await world.call('alice', 'GET', `/tags?name=${name}`)
  return (body as { id: number }[])[0]?.id ?? 0
}

/** Decides the event as a round does. A recovery ends the failure that was decided last. */
async function decide(serviceId: number, condition: 'failure' | 'recovery'): Promise<void> {
  const now = world.clock.now()
  changeId += 1
  const failureId = condition === 'failure' ? changeId : changeId - 1
  await world.database.execute(sql`
    update status_changes set end_time = ${new Date(now)} where service_id = ${serviceId} and end_time is null`)
  await world.database.execute(sql`
    insert into status_changes (service_id, change_id, status, start_time)
    values (${serviceId}, ${changeId}, ${condition === 'failure' ? 'failure' : 'ok'}, ${new Date(now)})`)
  const notice: DecidedNotice = {
    ...{ serviceId, decidedAt: now, analysisId: changeId, checks: [], pauseReason: null },
    event: { eventId: `${condition}:${failureId}`, condition },
    change: { changeId, state: condition === 'failure' ? 'failure' : 'ok', startedAt: now },
  }
  await world.database.transaction((transaction) => writeIntents(transaction, [notice], now))
}

async function toldOf(condition: string): Promise<readonly string[]> {
  const rows = await world.database.query<{ address: string }>(sql`
    select address from notification_intents where notification_condition_id = ${condition} order by address`)
  return rows.map(({ address }) => address)
}

test('an address with tags hears of the services that have one of them, and of the end of what it heard', async () => {
  const [tagged, plain] = [await newService(['WEB']), await newService([])]
  await newAddress('all@example.com')
  await newAddress('web@example.com', ['web'])
  await newAddress('shop@example.com', ['shop', 'Web'])
  await newAddress('other@example.com', ['shop'])
  await decide(plain, 'failure')
  expect(await toldOf('failure')).toEqual(['all@example.com'])
  await world.database.execute(sql`truncate notification_intents`)
  await decide(tagged, 'failure')
  expect(await toldOf('failure')).toEqual(['all@example.com', 'shop@example.com', 'web@example.com'])
  await put(`/services/${tagged}`, { tags: [] })
  await decide(tagged, 'recovery')
  expect(await toldOf('recovery')).toEqual(['all@example.com', 'shop@example.com', 'web@example.com'])
})

test('contacts and contact groups of a tag hear of its services, each once, and always of the end', async () => {
  const contact = await newContact('contact@example.com')
  const member = await newContact('member@example.com')
  const contactGroup = await made('/contact_groups', { name: 'Web', contact_ids: [member, contact] })
  const id = await tagId('web')
  const named = { contact_ids: [contact], contact_group_ids: [contactGroup] }
  expect((await put(`/tag_contacts/${id}`, named)).status).toBe(204)
  const [tagged, plain] = [await newService(['web']), await newService([])]
  await decide(plain, 'failure')
  expect(await toldOf('failure')).toEqual([])
  await decide(tagged, 'failure')
  expect(await toldOf('failure')).toEqual(['contact@example.com', 'member@example.com'])
  expect((await put(`/tag_contacts/${id}`, { contact_ids: [], contact_group_ids: [] })).status).toBe(204)
  await decide(tagged, 'recovery')
  expect(await toldOf('recovery')).toEqual(['contact@example.com', 'member@example.com'])
})

test('a deleted contact is gone from its tags', async () => {
  const contact = await newContact('gone@example.com')
  const id = await tagId('shop')
  await put(`/tag_contacts/${id}`, { contact_ids: [contact] })
  expect((await world.call('alice', 'DELETE', `/contacts/${contact}`)).status).toBe(204)
  expect((await world.call('alice', 'GET', `/tag_contacts/${id}`)).body).toMatchObject({ contact_ids: [] })
})

test('tags of an address are shown as they are called, and taken away by null or an empty list', async () => {
  const id = await newAddress('a@example.com', ['SHOP', 'web', 'shop'])
  const shown = async () => (await world.call('alice', 'GET', `/notification_addresses/${id}`)).answer.tags
  expect(await shown()).toEqual(['shop', 'web'])
  const listed = await world.call('alice', 'GET', `/notification_addresses?tags=web&group_id=${groupId}&fields=id`)
  expect(listed.body).toEqual([{ id }])
  const body = (await world.call('alice', 'GET', `/notification_addresses/${id}`)).body
  expect((await put(`/notification_addresses/${id}`, body as object)).status).toBe(204)
  expect(await shown()).toEqual(['shop', 'web'])
  for (const tags of [[], null]) {
    await put(`/notification_addresses/${id}`, { tags: ['web'] })
    expect((await put(`/notification_addresses/${id}`, { tags })).status).toBe(204)
    expect(await shown()).toBeNull()
  }
})

test('a name that is no tag is refused, and a tag that an address needs stays', async () => {
  const address = { group_id: groupId, notification_channel_id: 'email', address: 'b@example.com' }
  const refused = await world.call('alice', 'POST', '/notification_addresses', { ...address, tags: ['web', 'wbe'] })
  expect([refused.status, errorsOf(refused.body)]).toEqual([422, [['incorrect_value', 'data.tags[1]']]])
  await made('/tags', { name: 'needed' })
  const id = await newAddress('c@example.com', ['needed'])
  const kept = await world.call('alice', 'DELETE', `/tags/${await tagId('needed')}`)
  expect(errorsOf(kept.body).map(([error]) => error)).toEqual(['object_is_in_use'])
  await world.call('alice', 'DELETE', `/notification_addresses/${id}`)
  expect((await world.call('alice', 'DELETE', `/tags/${await tagId('needed')}`)).status).toBe(204)
})

test("a service lists the addresses that hear of it, and somebody else's contacts are refused", async () => {
  const service = await newService(['web'])
  const ids = [await newAddress('all@example.com'), await newAddress('web@example.com', ['web'])]
  await newAddress('shop@example.com', ['shop'])
  const { body } = await world.call('alice', 'GET', `/services/${service}/notification_addresses?sort=id&fields=id`)
  expect((body as { id: number }[]).map(({ id }) => id)).toEqual(ids)
  const refused = await put(`/tag_contacts/${await tagId('web')}`, { contact_ids: [999_999] })
  expect(errorsOf(refused.body)).toEqual([['incorrect_value', 'data.contact_ids[0]']])
})
