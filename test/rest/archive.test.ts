import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

async function addService(fields: object = {}): Promise<number> {
  const body = {
    type_id: 'http',
    address: 'shop.example',
    name: 'Shop',
    group_id: world.people.sharedGroupId,
    ...fields,
  }
  return idOf(await world.call('alice', 'POST', '/services', body))
}

test('archiving stops monitoring, ends the activity and says why', async () => {
  const id = await addService()
  expect((await world.call('alice', 'POST', `/services/${id}/archive`)).status).toBe(204)
  const service = await world.call('alice', 'GET', `/services/${id}?fields=is_active,is_archived&embed=status.summary`)
  expect(service.body).toEqual({ is_active: false, is_archived: true, status: { summary: 'paused' } })
  const changes = await world.call('alice', 'GET', `/services/${id}/history/status_changes?fields=status,pause_reason`)
  expect(changes.body).toEqual([{ status: 'paused', pause_reason: 'archived' }])
  const [plan] = await world.database.query<{ due_at: number }>(
    sql`select due_at from schedule where service_id = ${id}`,
  )
  expect(plan?.due_at).toBe(Number.POSITIVE_INFINITY)
})

test('an archived service takes no change: not edited, moved, activated or forced; its history is read', async () => {
  const id = await addService()
  await world.call('alice', 'POST', `/services/${id}/archive`)
  for (const change of [{ name: 'New' }, { is_active: true }, { group_id: world.people.sharedGroupId }]) {
    const { status, body } = await world.call('alice', 'PUT', `/services/${id}`, change)
    expect([status, errorsOf(body)]).toEqual([422, [['service_is_archived', undefined]]])
  }
  for (const action of ['force_analysis', 'archive']) {
    const { status, body } = await world.call('alice', 'POST', `/services/${id}/${action}`)
    expect([status, errorsOf(body)]).toEqual([422, [['service_is_archived', undefined]]])
  }
  expect((await world.call('alice', 'GET', `/services/${id}/history/service_level`)).status).toBe(200)
  expect((await world.call('alice', 'DELETE', `/services/${id}`)).status).toBe(204)
})

test('restoring leaves the service inactive until it is switched on', async () => {
  const id = await addService()
  await world.call('alice', 'POST', `/services/${id}/archive`)
  expect((await world.call('alice', 'POST', `/services/${id}/restore`)).status).toBe(204)
  const read = () => world.call('alice', 'GET', `/services/${id}?fields=is_active,is_archived&embed=status.summary`)
  expect((await read()).body).toEqual({ is_active: false, is_archived: false, status: { summary: 'paused' } })
  expect((await world.call('alice', 'PUT', `/services/${id}`, { is_active: true })).status).toBe(204)
  expect((await read()).body).toEqual({ is_active: true, is_archived: false, status: { summary: 'unknown' } })
  const again = await world.call('alice', 'POST', `/services/${id}/restore`)
  expect([again.status, errorsOf(again.body)]).toEqual([422, [['service_is_not_archived', undefined]]])
})

test('the flags archive and restore decide who may', async () => {
  const id = await addService()
  const flags = async (person: 'alice' | 'adam' | 'rita' | 'bob' | 'carol') =>
    (await world.call(person, 'GET', `/services/${id}/permissions?fields=archive,restore`)).body
  const all = { archive: true, restore: true }
  const none = { archive: false, restore: false }
  expect(await Promise.all((['alice', 'adam', 'rita', 'bob', 'carol'] as const).map(flags))).toEqual([
    all,
    all,
    none,
    all,
    none,
  ])
  expect((await world.call('carol', 'POST', `/services/${id}/archive`)).status).toBe(403)
  expect((await world.call('rita', 'POST', `/services/${id}/archive`)).status).toBe(403)
  expect((await world.call('charlie', 'POST', `/services/${id}/archive`)).status).toBe(404)
  expect((await world.call(null, 'POST', `/services/${id}/archive`)).status).toBe(401)
  expect((await world.call('bob', 'POST', `/services/${id}/archive`)).status).toBe(204)
  expect((await world.call('carol', 'POST', `/services/${id}/restore`)).status).toBe(403)
  expect((await world.call('bob', 'POST', `/services/${id}/restore`)).status).toBe(204)
})
