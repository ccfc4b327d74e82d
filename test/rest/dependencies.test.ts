import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'
import { idOf } from '../support/replies.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())
beforeEach(async () => {
  await api.database.execute(sql`delete from services`)
})

const http = { type_id: 'http', name: 'Sklep', address: 'shop.example.com' }

async function add(more: object = {}, person: Person = 'alice'): Promise<number> {
  const reply = await api.call(person, 'POST', '/services', { ...http, ...more })
  expect([reply.status, reply.status === 201 ? '' : reply.text]).toEqual([201, ''])
  return idOf(reply)
}

function setParents(id: number, parentIds: unknown, person: Person = 'alice') {
  return api.call(person, 'PUT', `/services/${id}`, { parent_ids: parentIds })
}

async function refusal(id: number, parentIds: unknown, person: Person = 'alice'): Promise<readonly string[]> {
  return pointersOf(await setParents(id, parentIds, person))
}

async function parentsOf(id: number, person: Person = 'alice'): Promise<unknown> {
  return (await api.call(person, 'GET', `/services/${id}?fields=parent_ids`)).answer.parent_ids
}

async function childrenOf(id: number, person: Person = 'alice'): Promise<number[]> {
  const { body } = await api.call(person, 'GET', `/services?fields=id&parent_ids=${id}&sort=id`)
  return (body as { id: number }[]).map((row) => row.id)
}

test('a service names its parents, once each; they are shown, found by, and replaced as a whole', async () => {
  const [router, power] = [await add(), await add()]
  const child = await add({ parent_ids: [router, power, router] })
  expect(await parentsOf(child)).toEqual([router, power])
  expect(await childrenOf(router)).toEqual([child])
  expect((await setParents(child, [power])).status).toBe(204)
  expect([await childrenOf(router), await childrenOf(power)]).toEqual([[], [child]])
  expect(await parentsOf(router)).toEqual([])
})

test('many services get a parent at once', async () => {
  const router = await add()
  const ids = [await add(), await add()]
  const reply = await api.call('alice', 'POST', '/services/bulk_update', { ids, set: { parent_ids: [router] } })
  expect(reply.status).toBeLessThan(300)
  expect(await childrenOf(router)).toEqual(ids)
})

test('cycles are refused, however long; so are more than twenty parents', async () => {
  const first = await add()
  const second = await add({ parent_ids: [first] })
  const third = await add({ parent_ids: [second] })
  expect(await refusal(first, [first])).toEqual(['incorrect_value data.parent_ids[0]'])
  expect(await refusal(first, [third])).toEqual(['incorrect_value data.parent_ids[0]'])
  const other = await add()
  expect(await refusal(first, [other, second])).toEqual(['incorrect_value data.parent_ids[1]'])
  const many: number[] = []
  for (let index = 0; index < 21; index++) many.push(await add())
  expect((await setParents(first, many)).status).toBeGreaterThanOrEqual(400)
  expect((await setParents(first, many.slice(1))).status).toBe(204)
})

test('two services cannot become parents of each other at the same moment', async () => {
  for (let round = 0; round < 10; round++) {
    const ring = [await add(), await add(), await add()]
    const replies = await Promise.all(ring.map((id, place) => setParents(id, [ring[(place + 1) % ring.length] ?? 0])))
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(2)
  }
})

test('a parent belongs to the same owner, and the caller can read it', async () => {
  const own = await add()
  const bobs = await add({}, 'bob')
  expect(await refusal(own, [bobs])).toEqual(['incorrect_value data.parent_ids[0]'])
  expect(await refusal(own, [bobs + 1000])).toEqual(['incorrect_value data.parent_ids[0]'])
  const group = idOf(await api.call('alice', 'POST', '/groups', { name: 'Shared' }))
  const share = { can_modify_services: true, can_create_services: true }
  expect((await api.call('alice', 'PUT', `/groups/${group}/shares/${api.people.ids.bob}`, share)).status).toBeLessThan(
    300,
  )
  const shared = await add({ group_id: group })
  const beside = await add({ group_id: group })
  // Alice's other services are hidden from Bob, and his own are another owner's.
  for (const id of [own, bobs])
    expect(await refusal(shared, [id], 'bob')).toEqual(['incorrect_value data.parent_ids[0]'])
  expect((await setParents(shared, [beside], 'bob')).status).toBe(204)
  // Bob may send back a choice of Alice's.
  expect((await setParents(shared, [beside, own])).status).toBe(204)
  expect((await setParents(shared, [own], 'bob')).status).toBe(204)
  expect(await parentsOf(shared)).toEqual([own])
})

test('a deleted parent is nobody’s parent any more', async () => {
  const router = await add()
  const other = await add()
  const child = await add({ parent_ids: [router, other] })
  expect((await api.call('alice', 'DELETE', `/services/${router}`)).status).toBe(204)
  expect(await parentsOf(child)).toEqual([other])
})

test('the status names the service whose failure holds the notifications', async () => {
  const router = await add()
  const child = await add({ parent_ids: [router] })
  const status = async (id: number) => (await api.call('alice', 'GET', `/service_statuses/${id}`)).body
  expect(await status(child)).toMatchObject({ held_by_service_id: null })
  await api.database.execute(
    sql`update service_statuses set held_by_service_id = ${router} where service_id = ${child}`,
  )
  expect(await status(child)).toMatchObject({ held_by_service_id: router })
  const { body } = await api.call('alice', 'GET', `/service_statuses?held_by_service_id=${router}&fields=id`)
  expect(body).toEqual([{ id: child }])
})
