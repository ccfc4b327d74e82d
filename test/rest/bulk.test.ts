import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

interface Outcome {
  readonly id: number
  readonly ok: boolean
  readonly problems: readonly { readonly error: string; readonly field?: string; readonly code: number }[]
}

async function addServices(count: number): Promise<number[]> {
  const body = { type_id: 'http', address: 'shop.example', name: 'Shop', group_id: world.people.sharedGroupId }
  const ids: number[] = []
  for (let made = 0; made < count; made += 1) ids.push(idOf(await world.call('alice', 'POST', '/services', body)))
  return ids
}

function shapeOf(body: unknown): unknown[] {
  return (body as Outcome[]).map(({ id, ok, problems }) => [id, ok, problems.map(({ error }) => error)])
}

async function isActive(id: number | undefined): Promise<unknown> {
  return (await world.call('alice', 'GET', `/services/${id}?fields=is_active`)).body
}

test('one bad element stops no other; every problem is as the single operation has it', async () => {
  const [first, archived, last] = await addServices(3)
  await world.call('alice', 'POST', `/services/${archived}/archive`)
  const { status, body } = await world.call('alice', 'POST', '/services/bulk_pause', {
    ids: [first, 999_999, archived, last],
  })
  expect(status).toBe(200)
  expect(shapeOf(body)).toEqual([
    [first, true, []],
    [999_999, false, ['not_found']],
    [archived, false, ['service_is_archived']],
    [last, true, []],
  ])
  const single = await world.call('alice', 'PUT', `/services/${archived}`, { is_active: false })
  expect((body as Outcome[])[2]?.problems).toEqual(single.body)
  expect([await isActive(first), await isActive(last)]).toEqual([{ is_active: false }, { is_active: false }])
  const activated = await world.call('alice', 'POST', '/services/bulk_activate', { ids: [last] })
  expect(shapeOf(activated.body)).toEqual([[last, true, []]])
  expect(await isActive(last)).toEqual({ is_active: true })
})

test('a bulk operation gives no right that the single one does not', async () => {
  const [id] = await addServices(1)
  const deleteAs = async (person: 'carol' | 'rita' | 'charlie') =>
    shapeOf((await world.call(person, 'POST', '/services/bulk_delete', { ids: [id] })).body)
  expect(await deleteAs('carol')).toEqual([[id, false, ['forbidden']]])
  expect(await deleteAs('rita')).toEqual([[id, false, ['forbidden']]])
  expect(await deleteAs('charlie')).toEqual([[id, false, ['not_found']]])
  expect((await world.call(null, 'POST', '/services/bulk_delete', { ids: [id] })).status).toBe(401)
  const twice = await world.call('bob', 'POST', '/services/bulk_delete', { ids: [id, id] })
  expect(shapeOf(twice.body)).toEqual([
    [id, true, []],
    [id, false, ['not_found']],
  ])
})

test('services move together, only into groups of the same owner', async () => {
  const [first, second] = await addServices(2)
  const target = idOf(await world.call('alice', 'POST', '/groups', { name: 'Target' }))
  const moved = await world.call('alice', 'POST', '/services/bulk_change_group', {
    ids: [first, second],
    group_id: target,
  })
  expect(shapeOf(moved.body)).toEqual([
    [first, true, []],
    [second, true, []],
  ])
  const listed = await world.call('alice', 'GET', `/groups/${target}/services?fields=id`)
  expect(listed.body).toEqual([{ id: first }, { id: second }])
  const foreign = idOf(await world.call('charlie', 'POST', '/groups', { name: 'Foreign' }))
  const refused = await world.call('alice', 'POST', '/services/bulk_change_group', { ids: [first], group_id: foreign })
  expect(errorsOf((refused.body as Outcome[])[0]?.problems)).toEqual([['incorrect_value', 'data.group_id']])
})

test('analyses are forced up to the limit of each service', async () => {
  const [id] = await addServices(1)
  const { body } = await world.call('alice', 'POST', '/services/bulk_force_analysis', { ids: [id, id, id, id] })
  expect(shapeOf(body)).toEqual([
    [id, true, []],
    [id, true, []],
    [id, true, []],
    [id, false, ['force_limit_exceeded']],
  ])
})

test('groups are deleted together, but never the default one', async () => {
  const mine = idOf(await world.call('alice', 'POST', '/groups', { name: 'One' }))
  const { body: home } = await world.call('alice', 'GET', '/groups/my_default_group?fields=id')
  const defaultId = (home as { id: number }).id
  const { body } = await world.call('alice', 'POST', '/groups/bulk_delete', { ids: [defaultId, mine] })
  expect(shapeOf(body)).toEqual([
    [defaultId, false, ['default_group_cannot_be_deleted']],
    [mine, true, []],
  ])
})

test('a body that fits no element refuses the whole request, with all its problems', async () => {
  const { status, body } = await world.call('alice', 'POST', '/services/bulk_change_group', { ids: ['1', 2], more: 1 })
  expect(status).toBe(422)
  expect(errorsOf(body)).toEqual([
    ['incorrect_type', 'data.ids[0]'],
    ['unknown_field', 'data.more'],
    ['missing_value', 'data.group_id'],
  ])
  const many = Array.from({ length: 1001 }, (_, index) => index + 1)
  const tooMany = await world.call('alice', 'POST', '/services/bulk_pause', { ids: many })
  expect([tooMany.status, errorsOf(tooMany.body)]).toEqual([422, [['value_too_long', 'data.ids']]])
  expect((await world.call('alice', 'POST', '/services/bulk_pause', { ids: [] })).body).toEqual([])
})

test('descriptions of status changes are updated together, below a readable service alone', async () => {
  const [id] = await addServices(1)
  await world.call('alice', 'PUT', `/services/${id}`, { is_active: false })
  const path = `/services/${id}/history/status_changes`
  const { body: changes } = await world.call('alice', 'GET', `${path}?fields=change_id`)
  const changeId = (changes as { change_id: string }[])[0]?.change_id ?? ''
  const body = { ids: [changeId, '000000000000001', 'nonsense'], description: 'Planned work' }
  const updated = await world.call('bob', 'POST', `${path}/bulk_update`, body)
  expect(shapeOf(updated.body)).toEqual([
    [changeId, true, []],
    ['000000000000001', false, ['not_found']],
    ['nonsense', false, ['not_found']],
  ])
  const after = await world.call('alice', 'GET', `${path}?fields=description`)
  expect(after.body).toEqual([{ description: 'Planned work' }])
  expect((await world.call('charlie', 'POST', `${path}/bulk_update`, body)).status).toBe(404)
})

test('services are changed in the same way together, each as a change of one would be', async () => {
  const [first, archived, mine] = await addServices(3)
  await world.call('alice', 'POST', `/services/${archived}/archive`)
  const set = { interval: 300, tags: ['web'], description: 'Shops', extended_settings: { timeout: 5000 } }
  const { status, body } = await world.call('alice', 'POST', '/services/bulk_update', {
    ids: [first, 999_999, archived, mine],
    set,
  })
  expect([status, shapeOf(body)]).toEqual([
    200,
    [
      [first, true, []],
      [999_999, false, ['not_found']],
      [archived, false, ['service_is_archived']],
      [mine, true, []],
    ],
  ])
  for (const id of [first, mine]) {
    const { body: service } = await world.call('alice', 'GET', `/services/${id}`)
    expect(service).toMatchObject({ ...set, name: 'Shop', extended_settings: { timeout: 5000 } })
  }
})

test('what a change of one is refused, each of many is refused, with a pointer into the change', async () => {
  const [id] = await addServices(1)
  const send = (set: unknown, person: 'alice' | 'carol' | 'rita' | 'charlie' = 'alice') =>
    world.call(person, 'POST', '/services/bulk_update', { ids: [id], set })
  const { body } = await send({ interval: 1, address: 'ftp://x/', group_id: 987_654 })
  const single = await world.call('alice', 'PUT', `/services/${id}`, {
    interval: 1,
    address: 'ftp://x/',
    group_id: 987_654,
  })
  const told = (single.body as Outcome['problems']).map((problem) => ({
    ...problem,
    field: problem.field?.replace(/^data\./, 'data.set.'),
  }))
  expect(told.length).toBeGreaterThanOrEqual(2)
  expect(body).toEqual([{ id, ok: false, problems: told }])
  expect(shapeOf((await send({ name: 'No' }, 'carol')).body)).toEqual([[id, false, ['forbidden']]])
  expect(shapeOf((await send({ name: 'No' }, 'rita')).body)).toEqual([[id, false, ['forbidden']]])
  expect(shapeOf((await send({ name: 'No' }, 'charlie')).body)).toEqual([[id, false, ['not_found']]])
  expect(shapeOf((await send({})).body)).toEqual([[id, true, []]])
})

test.each([
  [{ name: 1 }, [['incorrect_type', 'data.set.name']]],
  [{ nothing: 1 }, [['unknown_field', 'data.set.nothing']]],
  [{ type_id: 'https' }, [['unknown_field', 'data.set.type_id']]],
  [{ id: 1 }, [['unknown_field', 'data.set.id']]],
  ['name', [['incorrect_type', 'data.set']]],
  [undefined, [['missing_value', 'data.set']]],
])('a change that fits no service is refused as a whole: %j', async (set, problems) => {
  const [id] = await addServices(1)
  const reply = await world.call('alice', 'POST', '/services/bulk_update', { ids: [id], set })
  expect([reply.status, errorsOf(reply.body)]).toEqual([422, problems])
})
