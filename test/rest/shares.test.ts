import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { errorsOf } from '../support/replies.ts'

let world: ApiWorld
let groupId: number

const flags = [
  'can_modify_group',
  'can_modify_services',
  'can_create_services',
  'can_delete_services',
  'can_archive_services',
  'can_force_analyses',
] as const

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

beforeEach(async () => {
  const created = await world.call('alice', 'POST', '/groups', { name: 'Given' })
  groupId = created.answer.id
})

function shareOf(person: 'alice' | 'adam' | 'bob' | 'carol' | 'charlie'): string {
  return `/groups/${groupId}/shares/${world.people.ids[person]}`
}

test('PUT creates a share with every flag false unless given, and modifies it afterwards', async () => {
  expect((await world.call('alice', 'PUT', shareOf('bob'), { can_modify_group: true })).status).toBe(204)
  const created = await world.call('alice', 'GET', shareOf('bob'))
  expect(created.body).toEqual({
    group_id: groupId,
    account_id: world.people.ids.bob,
    ...Object.fromEntries(flags.map((flag) => [flag, flag === 'can_modify_group'])),
  })
  expect((await world.call('alice', 'PUT', shareOf('bob'), { can_force_analyses: true })).status).toBe(204)
  const changed = await world.call('alice', 'GET', shareOf('bob'))
  expect(changed.body).toMatchObject({ can_modify_group: true, can_force_analyses: true, can_modify_services: false })
})

test("a receiver's honest round trip leaves the owner's mark, and a receiver writes none of its own", async () => {
  const service = { type_id: 'http', name: 'Marked', address: 'marked.example.com', group_id: groupId }
  const mark = { managed_key: 'marked', managed_by: 'latarnik', managed_state: { name: 'abc' } }
  const created = await world.call('alice', 'POST', '/services', { ...service, ...mark })
  const path = `/services/${created.answer.id}`
  await world.call('alice', 'PUT', shareOf('bob'), { can_modify_services: true, can_create_services: true })
  const seen = (await world.call('bob', 'GET', path)).body as object
  expect(seen).toMatchObject({ managed_key: null, managed_by: null, managed_state: null })
  expect((await world.call('bob', 'PUT', path, { ...seen, name: 'By Bob' })).status).toBe(204)
  expect((await world.call('alice', 'GET', path)).body).toMatchObject({ name: 'By Bob', ...mark })
  const log = await world.call('alice', 'GET', '/accounts/my_account/logs/audit?sort=-id&limit=1')
  expect(log.body).toMatchObject([{ operation: 'services.update', after: { name: 'By Bob' } }])
  expect(log.text).not.toContain('managed_')
  for (const [name, value] of Object.entries({ ...mark, managed_key: 'forged', managed_state: {} })) {
    const { status, body } = await world.call('bob', 'PUT', path, { [name]: value })
    expect([status, errorsOf(body)]).toEqual([422, [['incorrect_value', `data.${name}`]]])
  }
  const forged = await world.call('bob', 'POST', '/services', { ...service, managed_state: { name: 'abc' } })
  expect([forged.status, errorsOf(forged.body)]).toEqual([422, [['incorrect_value', 'data.managed_state']]])
  expect((await world.call('alice', 'GET', path)).body).toMatchObject(mark)
})

test('PUT is idempotent and takes the whole object with its own key', async () => {
  const whole = { group_id: groupId, account_id: world.people.ids.bob, can_modify_services: true }
  for (const _again of [1, 2]) expect((await world.call('alice', 'PUT', shareOf('bob'), whole)).status).toBe(204)
  expect((await world.call('alice', 'GET', `/groups/${groupId}/shares`)).headers['x-total-count']).toBe('1')
  const other = await world.call('alice', 'PUT', shareOf('carol'), { account_id: world.people.ids.bob })
  expect(other.status).toBe(422)
  expect(errorsOf(other.body)).toEqual([['field_is_immutable', 'data.account_id']])
})

test('two creations of one share at once end as one share', async () => {
  const replies = await Promise.all(flags.map((flag) => world.call('alice', 'PUT', shareOf('bob'), { [flag]: true })))
  expect(replies.map(({ status }) => status)).toEqual(flags.map(() => 204))
  const share = await world.call('alice', 'GET', shareOf('bob'))
  expect(share.body).toMatchObject(Object.fromEntries(flags.map((flag) => [flag, true])))
})

test('whoever cannot receive a group gets the same answer, whether the account exists or not', async () => {
  const [elsewhere] = await world.database.query<{ id: number }>(sql`
    with other as (insert into distributions (name) values ('Elsewhere') returning id)
    insert into accounts (distribution_id, package_id, username, name)
    select other.id, ${world.people.packageIds.free}, 'eve', 'Eve' from other returning id`)
  const { alice, adam } = world.people.ids
  const answers = []
  for (const id of [alice, adam, elsewhere?.id, 999_999, 999_999_999_999]) {
    const { status, body } = await world.call('alice', 'PUT', `/groups/${groupId}/shares/${id}`, {})
    answers.push([status, body])
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.[0]).toBe(422)
  expect(errorsOf(answers[0]?.[1])).toEqual([['incorrect_value', 'data.account_id']])
  await world.database.execute(sql`delete from accounts where id = ${elsewhere?.id}`)
})

test('all problems come at once', async () => {
  const { status, body } = await world.call('alice', 'PUT', `/groups/${groupId}/shares/999999`, {
    can_modify_group: 'yes',
    can_fly: true,
  })
  expect(status).toBe(422)
  expect(errorsOf(body)).toEqual([
    ['incorrect_type', 'data.can_modify_group'],
    ['unknown_field', 'data.can_fly'],
    ['incorrect_value', 'data.account_id'],
  ])
})

test('sharing needs the account flag and the group flag; a share does not pass on', async () => {
  const { bob, carol, charlie } = world.people.ids
  await world.call('alice', 'PUT', shareOf('bob'), Object.fromEntries(flags.map((flag) => [flag, true])))
  // Adam is of the owner's side, but his own account has no flag share_groups.
  expect((await world.call('adam', 'PUT', shareOf('carol'), {})).status).toBe(403)
  expect((await world.call('adam', 'PUT', shareOf('bob'), { can_modify_group: false })).status).toBe(403)
  expect((await world.call('rita', 'PUT', shareOf('carol'), {})).status).toBe(403)
  expect((await world.call('bob', 'PUT', shareOf('carol'), {})).status).toBe(403)
  expect((await world.call('bob', 'PUT', shareOf('bob'), { can_modify_group: false })).status).toBe(403)
  expect((await world.call('charlie', 'PUT', shareOf('charlie'), {})).status).toBe(404)
  expect((await world.call(null, 'PUT', shareOf('carol'), {})).status).toBe(401)
  const shares = await world.database.query<{ account_id: number }>(
    sql`select account_id from shares where group_id = ${groupId} and account_id = any(${[bob, carol, charlie]}::int[])`,
  )
  expect(shares).toEqual([{ account_id: bob }])
})

test('the owner sees every share, a receiver only its own', async () => {
  for (const person of ['bob', 'carol'] as const) await world.call('alice', 'PUT', shareOf(person), {})
  const { bob, carol } = world.people.ids
  const idsSeenBy = async (person: 'alice' | 'adam' | 'bob' | 'carol') =>
    (await world.call(person, 'GET', `/groups/${groupId}/shares`)).answer.map((share) => share.account_id)
  expect(await idsSeenBy('alice')).toEqual([bob, carol])
  expect(await idsSeenBy('adam')).toEqual([bob, carol])
  expect(await idsSeenBy('bob')).toEqual([bob])
  expect((await world.call('bob', 'GET', shareOf('carol'))).status).toBe(404)
  expect((await world.call('charlie', 'GET', `/groups/${groupId}/shares`)).status).toBe(404)
})

test('permissions say who may modify and who may delete', async () => {
  await world.call('alice', 'PUT', shareOf('bob'), {})
  const read = async (person: 'alice' | 'adam' | 'rita' | 'bob') =>
    (await world.call(person, 'GET', `${shareOf('bob')}/permissions`)).body
  expect(await read('alice')).toEqual({ own: true, read: true, update: true, delete: true })
  expect(await read('adam')).toEqual({ own: false, read: true, update: false, delete: true })
  expect(await read('rita')).toEqual({ own: false, read: true, update: false, delete: false })
  expect(await read('bob')).toEqual({ own: false, read: true, update: false, delete: true })
})

test('a receiver gives its share back and stops seeing the group; the owner takes the others away', async () => {
  for (const person of ['bob', 'carol'] as const) await world.call('alice', 'PUT', shareOf(person), {})
  expect((await world.call('bob', 'DELETE', shareOf('carol'))).status).toBe(404)
  expect((await world.call('bob', 'DELETE', shareOf('bob'))).status).toBe(204)
  expect((await world.call('bob', 'GET', `/groups/${groupId}`)).status).toBe(404)
  expect((await world.call('carol', 'GET', `/groups/${groupId}`)).status).toBe(200)
  expect((await world.call('alice', 'DELETE', shareOf('carol'))).status).toBe(204)
  expect((await world.call('carol', 'GET', `/groups/${groupId}`)).status).toBe(404)
  expect((await world.call('alice', 'DELETE', shareOf('carol'))).status).toBe(404)
})

test('shares embed what the caller may read, filter and sort, and answer below the alias of the group', async () => {
  for (const person of ['bob', 'carol'] as const) {
    await world.call('alice', 'PUT', shareOf(person), { can_modify_group: person === 'bob' })
  }
  const listed = await world.call(
    'alice',
    'GET',
    `/groups/${groupId}/shares?can_modify_group=false&embed=group.name,account&fields=account_id`,
  )
  expect(listed.body).toEqual([{ account_id: world.people.ids.carol, group: { name: 'Given' }, account: null }])
  const sorted = await world.call('alice', 'GET', `/groups/${groupId}/shares?sort=-can_modify_group&limit=1`)
  expect(sorted.body).toMatchObject([{ account_id: world.people.ids.bob }])
  expect((await world.call('alice', 'GET', '/groups/my_default_group/shares')).body).toEqual([])
})

test('a refusal names the right that is lacking', async () => {
  const english = { 'accept-language': 'en' }
  const messageOf = async (person: 'alice' | 'bob' | 'charlie' | 'rita', path: string, method: 'PUT' | 'DELETE') => {
    const { status, body } = await world.call(person, method, path, method === 'PUT' ? {} : undefined, english)
    return [status, (body as { message: string }[])[0]?.message]
  }
  const { charlie } = world.people.ids
  const [group] = await world.database.query<{ id: number }>(sql`select id from groups where owner_id = ${charlie}`)
  const refused = [403, expect.stringContaining('lacks `can_share_groups`, which an administrator gives')]
  for (const id of [world.people.ids.bob, 999_999]) {
    expect(await messageOf('charlie', `/groups/${group?.id}/shares/${id}`, 'PUT')).toEqual(refused)
  }
  await world.call('alice', 'PUT', shareOf('bob'), {})
  expect(await messageOf('bob', `/groups/${groupId}`, 'PUT')).toEqual([
    403,
    expect.stringContaining('needs the permission `update`'),
  ])
  expect(await messageOf('rita', shareOf('bob'), 'PUT')).toEqual([403, expect.stringContaining('`is_read_only`')])
})

test('a share shows nothing of the account that received it but its number', async () => {
  await world.call('alice', 'PUT', shareOf('bob'), {})
  const { body } = await world.call('alice', 'GET', `${shareOf('bob')}?embed=account`)
  expect(body).toMatchObject({ account_id: world.people.ids.bob, account: null })
  expect((await world.call('alice', 'GET', `/accounts/${world.people.ids.bob}`)).status).toBe(404)
})
