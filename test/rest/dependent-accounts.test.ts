import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { codeOf } from '../support/credentials.ts'
import { errorsOf, idOf } from '../support/replies.ts'

let world: ApiWorld

beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

const password = 'customers come in'
let made = 0

const customer = (more: object = {}) => ({
  username: `customer-${++made}`,
  name: 'A customer',
  user_data: { email_address: `customer-${made}@example.com` },
  password,
  ...more,
})

async function makeCustomer(more: object = {}) {
  const body = customer(more)
  const id = idOf(await world.call('alice', 'POST', '/accounts/subaccount', body))
  const authorization = `Basic ${Buffer.from(`${body.username}:${password}`).toString('base64')}`
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, sent?: unknown) =>
    world.call(null, method, path, sent, { authorization })
  return { id, call, ...body }
}

describe('an account for a customer', () => {
  test('has groups and services of its own, and its maker sees nothing of them', async () => {
    const { id, call } = await makeCustomer({ language_id: 'en' })
    const own = await call('GET', '/accounts/my_account?fields=id,language_id,parent_account_id,is_read_only')
    expect(own.body).toEqual({ id, language_id: 'en', parent_account_id: world.people.ids.alice, is_read_only: false })
    const groups = (await call('GET', '/groups?fields=id,owner_id')).body as readonly { id: number; owner_id: number }[]
    expect(groups).toEqual([{ id: expect.any(Number), owner_id: id }])
    const shop = { type_id: 'http', name: 'Shop', address: 'shop.example.com' }
    const service = idOf(await call('POST', '/services', shop))
    expect((await world.call('alice', 'GET', `/services/${service}`)).status).toBe(404)
    expect((await world.call('alice', 'GET', `/groups/${groups[0]?.id}`)).status).toBe(404)
    expect((await call('GET', `/groups/${world.people.sharedGroupId}`)).status).toBe(404)
    expect((await call('GET', `/accounts/${world.people.ids.alice}`)).status).toBe(404)
  })

  test('gets groups of its maker shared, like every main account', async () => {
    const { id, call } = await makeCustomer()
    const group = idOf(await world.call('alice', 'POST', '/groups', { name: 'For a customer' }))
    expect((await world.call('alice', 'PUT', `/groups/${group}/shares/${id}`, {})).status).toBe(204)
    expect((await call('GET', `/groups/${group}`)).status).toBe(200)
    const shares = await world.call('alice', 'GET', `/accounts/${id}/group_shares?fields=group_id,account_id`)
    expect(shares.body).toEqual([{ group_id: group, account_id: id }])
  })

  test('is seen and changed by its maker alone, as far as the flags say', async () => {
    const { id } = await makeCustomer()
    const rigid = await makeCustomer({ subaccount_edit: false, subaccount_block: false })
    const named = (who: number) => world.call('alice', 'PUT', `/accounts/${who}`, { name: 'Renamed' })
    expect([(await named(id)).status, (await named(rigid.id)).status]).toEqual([204, 403])
    const block = (who: number, person: 'alice' | 'bob' = 'alice') =>
      world.call(person, 'POST', `/accounts/${who}/block`)
    expect([(await block(rigid.id)).status, (await block(id, 'bob')).status, (await block(id)).status]).toEqual([
      403, 404, 204,
    ])
    const shown = async () => (await world.call('alice', 'GET', `/accounts/${id}?fields=name,is_blocked`)).body
    expect(await shown()).toEqual({ name: 'Renamed', is_blocked: true })
    expect((await block(id)).status).toBe(204)
    expect((await world.call('alice', 'POST', `/accounts/${id}/unblock`)).status).toBe(204)
    expect(await shown()).toEqual({ name: 'Renamed', is_blocked: false })
    expect((await world.call('alice', 'DELETE', `/accounts/${id}`)).status).toBe(403)
    const listed = await world.call('alice', 'GET', `/accounts?parent_account_id=${world.people.ids.alice}&limit=1000`)
    expect(listed.answer.map((account) => account.id)).toEqual(expect.arrayContaining([id, rigid.id]))
  })

  test('keeps its ping key, its changes and its life from a maker that may only edit it', async () => {
    const { id, call } = await makeCustomer({ subaccount_block: false })
    const path = `/accounts/${id}/ping_key`
    const own = await call('POST', path)
    for (const method of ['GET', 'POST'] as const) expect((await world.call('alice', method, path)).status).toBe(403)
    expect((await call('GET', path)).body).toEqual(own.body)
    const child = world.people.ids.adam
    expect((await world.call('alice', 'POST', `/accounts/${child}/ping_key`)).status).toBe(200)
    expect((await world.call('alice', 'POST', `/accounts/${id}/close`)).status).toBe(403)
    expect((await call('PUT', `/accounts/${id}`, { name: 'By itself' })).status).toBe(204)
    const changes = `/accounts/my_account/logs/audit?resource=accounts&object_id=${id}&fields=account_id,operation`
    const [told] = (await call('GET', `${changes}&sort=-id`)).body as readonly unknown[]
    expect(told).toEqual({ account_id: id, operation: 'accounts.update' })
    expect((await world.call('alice', 'GET', `${changes}&operation=accounts.update`)).body).toEqual([])
  })

  test('creates no accounts itself', async () => {
    const { id, call } = await makeCustomer()
    const refused = async () => (await call('POST', '/accounts/subaccount', customer())).status
    expect(await refused()).toBe(403)
    await world.database.execute(sql`update accounts set can_create_subaccounts = true where id = ${id}`)
    expect(await refused()).toBe(403)
    expect(await world.database.query(sql`select id from accounts where maker_account_id = ${id}`)).toEqual([])
  })

  test('stays blocked where the operator blocked it, whatever its maker does', async () => {
    const { id } = await makeCustomer()
    const call = (person: 'alice' | 'dora', path: string) => world.call(person, 'POST', path)
    // The maker blocks it first; the operator's block comes on top.
    expect((await call('alice', `/accounts/${id}/block`)).status).toBe(204)
    expect((await call('dora', `/admin/accounts/${id}/block`)).status).toBe(204)
    const refused = await call('alice', `/accounts/${id}/unblock`)
    expect([refused.status, errorsOf(refused.body)]).toEqual([403, [['forbidden', undefined]]])
    expect((await call('alice', `/accounts/${id}/block`)).status).toBe(204)
    expect((await call('alice', `/accounts/${id}/unblock`)).status).toBe(403)
    const shown = await world.call('alice', 'GET', `/accounts/${id}`)
    expect(shown.body).toMatchObject({ is_blocked: true })
    expect(shown.body).not.toHaveProperty('blocked_by_operator')
    expect((await call('dora', `/admin/accounts/${id}/unblock`)).status).toBe(204)
    expect((await call('alice', `/accounts/${id}/block`)).status).toBe(204)
    expect((await call('alice', `/accounts/${id}/unblock`)).status).toBe(204)
  })

  test('stops being monitored while it is blocked, and starts again', async () => {
    const { id, call } = await makeCustomer()
    const service = idOf(await call('POST', '/services', { type_id: 'http', name: 'A', address: 'a.example.com' }))
    const planned = async () =>
      world.database.query(sql`select service_id from schedule where service_id = ${service} and due_at is not null`)
    expect(await planned()).toHaveLength(1)
    await world.call('alice', 'POST', `/accounts/${id}/block`)
    expect((await call('GET', '/groups')).status).toBe(403)
    const stopped = await world.database.query<{ monitoring_status: string }>(
      sql`select monitoring_status from service_statuses where service_id = ${service}`,
    )
    expect(stopped).toEqual([{ monitoring_status: 'off' }])
    await world.call('alice', 'POST', `/accounts/${id}/unblock`)
    expect(await planned()).toHaveLength(1)
  })

  test('is closed with everything that it owns', async () => {
    const { id, call } = await makeCustomer()
    const service = idOf(await call('POST', '/services', { type_id: 'http', name: 'A', address: 'a.example.com' }))
    await world.database.execute(sql`
      insert into address_codes (address_id, account_id, destination, tries_left, created_at)
      values (1, ${id}, 'erased@example.com', 5, ${new Date(world.clock.now())})`)
    expect((await world.call('bob', 'POST', `/accounts/${id}/close`)).status).toBe(404)
    expect((await call('POST', `/accounts/${id}/close`)).status).toBe(403)
    expect((await world.call('alice', 'POST', `/accounts/${id}/close`)).status).toBe(204)
    expect((await call('GET', '/groups')).status).toBe(401)
    expect(await world.database.query(sql`select id from services where id = ${service}`)).toEqual([])
    expect(await world.database.query(sql`select id from address_codes where account_id = ${id}`)).toEqual([])
  })

  test('stays when its maker is gone', async () => {
    const { id, call } = await makeCustomer()
    await world.database.execute(sql`update accounts set maker_account_id = null where id = ${id}`)
    expect((await call('GET', '/accounts/my_account?fields=parent_account_id')).body).toEqual({
      parent_account_id: null,
    })
    expect((await world.call('alice', 'GET', `/accounts/${id}`)).status).toBe(404)
  })

  test('without a password gets a link to the page that its maker named', async () => {
    const { password: _none, ...body } = customer()
    const set = { ...body, set_password_url: 'https://portal.example.com/password?lang=pl' }
    const id = idOf(await world.call('alice', 'POST', '/accounts/subaccount', set))
    const letters = await world.database.query<{ kind: string; facts: unknown; address: string }>(
      sql`select kind, facts, address from messages where account_id = ${id}`,
    )
    const page = { page: set.set_password_url }
    expect(letters).toEqual([{ kind: 'invitation', facts: page, address: set.user_data.email_address }])
  })

  test.each([
    [{ username: 'alice' }, ['value_is_not_unique', 'data.username']],
    [{ package_id: 999_999 }, ['incorrect_value', 'data.package_id']],
    [{ set_password_url: 'javascript:alert(1)' }, ['incorrect_value', 'data.set_password_url']],
    [{ user_data: {} }, ['missing_value', 'data.user_data.email_address']],
    [{ subaccount_edit: 'yes' }, ['incorrect_type', 'data.subaccount_edit']],
  ])('is refused with %j', async (wrong, problem) => {
    const reply = await world.call('alice', 'POST', '/accounts/subaccount', customer(wrong))
    expect([reply.status, errorsOf(reply.body)]).toEqual([422, [problem]])
  })

  test('is not made by sub-accounts or read-only users', async () => {
    for (const person of ['adam', 'rita'] as const) {
      const { status } = await world.call(person, 'POST', '/accounts/subaccount', customer())
      expect([person, status]).toEqual([person, 403])
    }
  })
})

test('an account that must have a second factor does nothing else before it has one', async () => {
  const { id, username, call } = await makeCustomer({ is_2fa_setup_required: true })
  const refused = await call('GET', '/groups')
  expect([refused.status, errorsOf(refused.body)]).toEqual([403, [['second_factor_setup_required', undefined]]])
  expect((await call('GET', '/accounts/my_account')).status).toBe(200)
  expect((await call('PUT', `/accounts/${id}`, { name: 'Other' })).status).toBe(403)
  const session = await world.call(null, 'POST', '/sessions', { username, password })
  const { token } = session.answer
  const bearer = { authorization: `Bearer ${token}` }
  const setup = await world.call(null, 'POST', `/accounts/${id}/2fa/setup`, undefined, bearer)
  expect(setup.status).toBe(200)
  const code = await codeOf(world.database, id, world.clock.now())
  const verified = await world.call(null, 'POST', `/accounts/${id}/2fa/verify`, { code }, bearer)
  expect(verified.status).toBe(200)
  expect((await world.call(null, 'GET', '/groups', undefined, bearer)).status).toBe(200)
})

test('shares are copied from one account to many', async () => {
  const [first, second] = [await makeCustomer(), await makeCustomer()]
  const group = idOf(await world.call('alice', 'POST', '/groups', { name: 'Copied' }))
  const flags = { can_modify_services: true, can_force_analyses: true }
  await world.call('alice', 'PUT', `/groups/${group}/shares/${first.id}`, flags)
  const to = { account_ids: [second.id, 999_999] }
  const reply = await world.call('alice', 'POST', `/accounts/${first.id}/copy_group_shares`, to)
  expect(reply.body).toMatchObject([
    { account_id: second.id, group_id: group, ok: true, problems: [] },
    { account_id: 999_999, group_id: group, ok: false },
  ])
  const share = await world.call('alice', 'GET', `/groups/${group}/shares/${second.id}`)
  expect(share.body).toMatchObject({ ...flags, can_modify_group: false })
  const strangers = await world.call('charlie', 'POST', `/accounts/${first.id}/copy_group_shares`, to)
  expect(strangers.status).toBe(404)
})

test('the services of an account are counted by the category of their types', async () => {
  const { id, call } = await makeCustomer()
  await call('POST', '/services', { type_id: 'http', name: 'A', address: 'a.example.com' })
  await call('POST', '/services', { type_id: 'http', name: 'B', address: 'b.example.com', is_active: false })
  const { body } = await call('GET', `/accounts/${id}/stats/by_service_type_category`)
  const categories = body as readonly { service_type_category_id: string; services: object; active_services: object }[]
  expect(categories.find((one) => one.service_type_category_id === 'default')).toEqual({
    service_type_category_id: 'default',
    services: { own: 2, shared: 0 },
    active_services: { own: 1, shared: 0 },
  })
  expect((await world.call('alice', 'GET', `/accounts/${id}/stats/by_service_type_category`)).body).toEqual(body)
  expect((await world.call('bob', 'GET', `/accounts/${id}/stats/by_service_type_category`)).status).toBe(404)
})
