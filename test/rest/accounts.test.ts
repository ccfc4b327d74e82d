import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

let made = 0
const newName = () => `eve${++made}`

function newAccount(more: object = {}) {
  return { username: newName(), user_data: { email_address: 'eve@example.com' }, password: 'eve may come in', ...more }
}

async function create(body: object): Promise<number> {
  const reply = await world.call('alice', 'POST', '/accounts', body)
  expect(reply).toMatchObject({ status: 201 })
  return reply.answer.id
}

function as(username: string, password = 'eve may come in') {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return (method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown) =>
    world.call(null, method, path, body, { authorization })
}

const problem = (error: string, field?: string) => expect.objectContaining({ error, ...(field && { field }) })

describe('a sub-account', () => {
  test('is made by its parent with defaults, sees everything of the parent and has no services of its own', async () => {
    const account = newAccount({
      user_data: { email_address: 'eve@example.com', contact_person: 'Ewa', address: null },
    })
    const reply = await world.call('alice', 'POST', '/accounts', account)
    const { id } = reply.answer
    expect(reply).toMatchObject({ status: 201, headers: { location: `http://api.test/v3/accounts/${id}` } })
    const shown = await world.call('alice', 'GET', `/accounts/${id}?embed=package,user_data,permissions`)
    expect(shown.body).toMatchObject({
      username: account.username,
      name: account.username,
      language_id: 'pl',
      time_zone_id: 'europe_warsaw',
      parent_account_id: world.people.ids.alice,
      is_activated: true,
      is_blocked: false,
      is_read_only: false,
      package: null,
      user_data: { email_address: 'eve@example.com', contact_person: 'Ewa', phone_number: '' },
      permissions: { own: false, read: true, update: true, delete: true, create_subaccounts: false },
    })
    expect(shown.body).not.toHaveProperty('password')
    const eve = as(account.username)
    const groups = await world.call('alice', 'GET', '/groups?fields=id')
    expect((await eve('GET', '/groups?fields=id')).body).toEqual(expect.arrayContaining(groups.body as unknown[]))
    expect((await eve('GET', '/accounts/my_account/package')).body).toMatchObject({ maximum_services: 0 })
    expect((await eve('GET', `/accounts/${world.people.ids.alice}`)).status).toBe(200)
  })

  test('speaks the language of the request or of its parent, and lives in the zone of its parent', async () => {
    const parent = { language_id: 'en', time_zone_id: 'america_new_york' }
    await world.call('alice', 'PUT', '/accounts/my_account', parent)
    const made = async (language: string | null) => {
      const headers = language === null ? {} : { 'accept-language': language }
      const { body } = await world.call('alice', 'POST', '/accounts', newAccount(), headers)
      const { id } = body as { id: number }
      return (await world.call('alice', 'GET', `/accounts/${id}?fields=language_id,time_zone_id`)).body
    }
    expect(await made(null)).toEqual(parent)
    expect(await made('de')).toEqual(parent)
    expect(await made('pl, en;q=0.5')).toEqual({ ...parent, language_id: 'pl' })
    await world.call('alice', 'PUT', '/accounts/my_account', { language_id: 'pl', time_zone_id: 'europe_warsaw' })
  })

  test('without a password is invited by a letter, with one it is not', async () => {
    const letters = async (accountId: number) =>
      world.database.query(sql`select kind, address from messages where account_id = ${accountId}`)
    const { password: _none, ...invited } = newAccount()
    expect(await letters(await create(invited))).toEqual([{ kind: 'invitation', address: 'eve@example.com' }])
    expect(await letters(await create(newAccount()))).toEqual([])
    expect((await as(invited.username, '')('GET', '/accounts')).status).toBe(401)
  })

  test('cannot create sub-accounts, nor can read-only users and accounts without the flag', async () => {
    for (const person of ['adam', 'rita', 'bob'] as const) {
      expect(await world.call(person, 'POST', '/accounts', newAccount())).toMatchObject({
        status: 403,
        body: [problem('forbidden')],
      })
    }
  })

  test('is refused with all problems at once', async () => {
    const wrong = { username: 'ALICE', password: 'short', package_id: 1, user_data: { email_address: 'nobody' }, x: 1 }
    const reply = await world.call('alice', 'POST', '/accounts', wrong)
    expect(reply.status).toBe(422)
    expect(reply.body).toEqual(
      expect.arrayContaining([
        problem('value_is_not_unique', 'data.username'),
        problem('value_too_short', 'data.password'),
        problem('field_is_read_only', 'data.package_id'),
        problem('incorrect_value', 'data.user_data.email_address'),
        problem('unknown_field', 'data.x'),
      ]),
    )
    expect(await world.call('alice', 'POST', '/accounts', {})).toMatchObject({
      body: [problem('missing_value', 'data.username'), problem('missing_value', 'data.user_data')],
    })
    expect(await world.call('alice', 'POST', '/accounts', newAccount({ user_data: {} }))).toMatchObject({
      body: [problem('missing_value', 'data.user_data.email_address')],
    })
    expect(await world.call('alice', 'POST', '/accounts', newAccount({ username: 'dora' }))).toMatchObject({
      body: [problem('value_is_not_unique', 'data.username')],
    })
  })

  test('of two with one name at once, one is made', async () => {
    const account = newAccount()
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => world.call('alice', 'POST', '/accounts', account)),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422, 422])
  })

  test('is changed by its parent, made read-only by nobody else', async () => {
    const account = newAccount()
    const id = await create(account)
    const eve = as(account.username)
    expect((await eve('PUT', '/accounts/my_account', { name: 'Eve', language_id: 'en' })).status).toBe(204)
    expect(await eve('PUT', '/accounts/my_account', { is_read_only: true })).toMatchObject({
      status: 422,
      body: [problem('field_is_immutable', 'data.is_read_only')],
    })
    expect((await world.call('alice', 'PUT', `/accounts/${id}`, { is_read_only: true, name: 'Ewa' })).status).toBe(204)
    expect((await eve('GET', '/accounts/my_account?fields=name,is_read_only')).body).toEqual({
      name: 'Ewa',
      is_read_only: true,
    })
    expect((await eve('PUT', '/accounts/my_account', { name: 'Eve' })).status).toBe(403)
    expect((await eve('POST', '/groups', { name: 'Mine' })).status).toBe(403)
    expect((await world.call('adam', 'PUT', `/accounts/${id}`, { name: 'Adam' })).status).toBe(403)
    expect((await world.call('bob', 'PUT', `/accounts/${id}`, { name: 'Bob' })).status).toBe(404)
    expect(
      await world.call('alice', 'PUT', `/accounts/${id}`, { username: 'other', password: 'another one' }),
    ).toMatchObject({
      body: [problem('field_is_immutable', 'data.username'), problem('field_is_immutable', 'data.password')],
    })
  })

  test('is deleted by its parent, with its sessions and tokens', async () => {
    const account = newAccount()
    const id = await create(account)
    const login = await world.call(null, 'POST', '/sessions', {
      username: account.username,
      password: account.password,
    })
    const authorization = `Bearer ${login.answer.token}`
    expect((await world.call('adam', 'DELETE', `/accounts/${id}`)).status).toBe(403)
    expect((await world.call('charlie', 'DELETE', `/accounts/${id}`)).status).toBe(404)
    expect((await world.call('alice', 'DELETE', '/accounts/my_account')).status).toBe(403)
    expect((await world.call('alice', 'DELETE', `/accounts/${id}`)).status).toBe(204)
    expect((await world.call('alice', 'DELETE', `/accounts/${id}`)).status).toBe(404)
    expect((await world.call(null, 'GET', '/accounts', undefined, { authorization })).status).toBe(401)
    for (const table of ['sessions', 'messages', 'account_tokens', 'authentications']) {
      expect(await world.database.query(sql`select 1 from ${raw(table)} where account_id = ${id}`)).toEqual([])
    }
    expect((await create({ ...account })) > id).toBe(true)
  })
})

describe('stats of an account', () => {
  test('count services, active ones, steps and groups, own and shared; archived services count for nothing', async () => {
    const { ids, sharedGroupId } = world.people
    const addService = (groupId: number | null, more: { isActive?: boolean; isArchived?: boolean; steps?: string[] }) =>
      world.database.execute(sql`
        insert into services (owner_id, group_id, name, type_id, address, interval, is_active, is_archived, path_steps,
          notification_channel_ids, notification_condition_ids)
        select ${ids.alice}, coalesce(${groupId}::int, (select id from groups where owner_id = ${ids.alice} and is_default)),
          'x', 'http', 'example.com', 60, ${more.isActive ?? true}, ${more.isArchived ?? false}, ${more.steps ?? null}, '{}', '{}'`)
    await addService(null, {})
    await addService(null, { isActive: false })
    await addService(null, { isArchived: true, isActive: false })
    await addService(sharedGroupId, { steps: ['open', 'log in', 'buy'] })
    expect((await world.call('alice', 'GET', '/accounts/my_account/stats')).body).toEqual({
      services: { own: 3, shared: 0 },
      active_services: { own: 2, shared: 0 },
      steps: { own: 3, shared: 0 },
      groups: { own: 2, shared: 0 },
    })
    expect((await world.call('carol', 'GET', '/accounts/my_account/stats')).body).toEqual({
      services: { own: 0, shared: 1 },
      active_services: { own: 0, shared: 1 },
      steps: { own: 0, shared: 3 },
      groups: { own: 1, shared: 1 },
    })
    expect((await world.call('adam', 'GET', `/accounts/${ids.alice}/stats`)).status).toBe(200)
    expect((await world.call('adam', 'GET', `/accounts/${ids.rita}/stats`)).status).toBe(403)
    expect((await world.call('bob', 'GET', `/accounts/${ids.alice}/stats`)).status).toBe(404)
  })
})
