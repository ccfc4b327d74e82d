import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { passwordOf } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

describe('an account', () => {
  test('has a name, a language and a time zone to change, and nothing else', async () => {
    const change = (body: object) => api.call('alice', 'PUT', '/accounts/my_account', body)
    expect((await change({ name: 'Alicja', language_id: 'en', time_zone_id: 'america_new_york' })).status).toBe(204)
    expect((await api.call('alice', 'GET', '/accounts/my_account')).body).toMatchObject({
      username: 'alice',
      name: 'Alicja',
      language_id: 'en',
      time_zone_id: 'america_new_york',
      parent_account_id: null,
      is_activated: true,
      is_blocked: false,
      is_read_only: false,
    })
    const reply = await change({
      username: 'root',
      package_id: api.people.packageIds.free,
      is_read_only: true,
      parent_account_id: api.people.ids.bob,
      language_id: 'de',
      time_zone_id: 'Europe/Warsaw',
      name: '',
      can_share_groups: true,
    })
    expect(pointersOf(reply)).toEqual([
      'field_is_immutable data.is_read_only',
      'field_is_immutable data.package_id',
      'field_is_immutable data.parent_account_id',
      'field_is_immutable data.username',
      'incorrect_value data.language_id',
      'incorrect_value data.time_zone_id',
      'unknown_field data.can_share_groups',
      'value_too_short data.name',
    ])
  })

  test('is found among its parent and the sub-accounts of either, and nobody else', async () => {
    const usernames = async (person: 'alice' | 'adam' | 'bob') =>
      (await api.call(person, 'GET', '/accounts?sort=username')).answer.map((row) => row.username)
    expect(await usernames('alice')).toEqual(['adam', 'alice', 'rita'])
    expect(await usernames('adam')).toEqual(['adam', 'alice', 'rita'])
    expect(await usernames('bob')).toEqual(['bob'])
  })

  test('shows no password, nor its hash', async () => {
    for (const path of ['/accounts?embed=user_data,package,permissions', '/user_data/my_user_data']) {
      const reply = await api.call('alice', 'GET', path)
      expect([reply.status, reply.text]).toEqual([200, expect.not.stringMatching(/argon2|password/)])
    }
  })
})

describe('private data', () => {
  const change = (body: object) => api.call('alice', 'PUT', '/user_data/my_user_data', body)

  test('are kept as they are sent', async () => {
    const data = {
      contact_person: 'Alicja Żółć',
      email_address: 'alicja@example.com',
      phone_number: '+48 600 000 000',
      address: { street: 'Długa 1', postal_code: '00-001', city: 'Warszawa', country: null },
      tax_identification_number: '525-000-00-00',
      ip_whitelist: ['192.0.2.1', '2001:db8::/32', '127.0.0.1'],
      ip_whitelist_enabled: true,
    }
    expect((await change({ ...data, current_password: passwordOf('alice') })).status).toBe(204)
    expect((await api.call('alice', 'GET', '/user_data/my_user_data')).body).toMatchObject(data)
    expect((await change({ address: { city: 'Łódź' } })).status).toBe(204)
    expect((await api.call('alice', 'GET', '/user_data/my_user_data?fields=address')).body).toEqual({
      address: { street: null, postal_code: null, city: 'Łódź', country: null },
    })
    expect((await change({ address: null, ip_whitelist_enabled: false })).status).toBe(204)
  })

  test('tell every address that is none', async () => {
    const ip_whitelist = ['192.0.2.1', '300.0.0.1', '10.0.0.0/33', 'example.com', '2001:db8::/129', '']
    const reply = await change({
      ip_whitelist,
      email_address: 'nobody',
      has_2fa_enabled: true,
      address: { planet: 'Mars' },
    })
    expect(pointersOf(reply)).toEqual([
      'field_is_immutable data.has_2fa_enabled',
      'incorrect_value data.email_address',
      'incorrect_value data.ip_whitelist[1]',
      'incorrect_value data.ip_whitelist[2]',
      'incorrect_value data.ip_whitelist[3]',
      'incorrect_value data.ip_whitelist[4]',
      'incorrect_value data.ip_whitelist[5]',
      'unknown_field data.address.planet',
    ])
  })

  test('keep out whoever calls from elsewhere', async () => {
    // Nobody is let to do this to themselves.
    await api.database.execute(sql`
      update user_data set ip_whitelist = '{192.0.2.0/24}', ip_whitelist_enabled = true where id = ${api.people.ids.bob}`)
    const reply = await api.call('bob', 'GET', '/groups')
    expect([reply.status, pointersOf(reply)]).toEqual([403, ['ip_address_not_allowed']])
  })

  test('have settings whose members may come back in any order', async () => {
    await api.database.execute(sql`
      insert into user_settings (account_id, key, value) values (${api.people.ids.alice}, 'console', '{"b": 1, "a": [true]}')`)
    expect((await change({ settings: [{ value: { b: 1, a: [true] }, key: 'console' }] })).status).toBe(204)
    expect(pointersOf(await change({ settings: [] }))).toEqual(['field_is_immutable data.settings'])
  })
})

describe('a session', () => {
  const logIn = (body: object, headers = {}) =>
    api.call(null, 'POST', '/sessions', { username: 'alice', password: 'alice may come in', ...body }, headers)
  const bearer = (reply: Reply) => ({ authorization: `Bearer ${(reply.body as { token: string }).token}` })

  test('shows its token once and lasts as long as it was asked to', async () => {
    const made = await logIn({ expiration_duration: 120 }, { 'user-agent': 'curl/8.5.0' })
    const { id } = made.answer
    expect([made.status, made.headers['location']]).toEqual([201, `http://api.test/v3/sessions/${id}`])
    expect(Object.keys(made.body as object).toSorted()).toEqual(['id', 'token'])
    const shown = await api.call(null, 'GET', '/sessions/my_session', undefined, bearer(made))
    expect(shown.body).toEqual({
      id,
      account_id: api.people.ids.alice,
      created_at: '2026-11-21T09:00:00Z',
      expiration_duration: 120,
      expiration_time: '2026-11-21T09:02:00Z',
      scope: 'customer',
      distribution_id: null,
      manager_id: null,
      user_agent: 'curl/8.5.0',
    })
    api.clock.advance(119_000)
    expect((await api.call(null, 'GET', '/groups', undefined, bearer(made))).status).toBe(200)
    api.clock.advance(119_000)
    expect((await api.call('alice', 'GET', `/sessions/${id}`)).status).toBe(200)
    api.clock.advance(2000)
    const late = await api.call(null, 'GET', '/groups', undefined, bearer(made))
    expect([late.status, pointersOf(late)]).toEqual([401, ['session_expired']])
    expect((await api.call('alice', 'GET', `/sessions/${id}`)).status).toBe(404)
  })

  test('ends when it is deleted, by itself too', async () => {
    const made = await logIn({})
    expect((await api.call(null, 'DELETE', '/sessions/my_session', undefined, bearer(made))).status).toBe(204)
    const after = await api.call(null, 'GET', '/groups', undefined, bearer(made))
    expect([after.status, pointersOf(after)]).toEqual([401, ['incorrect_credentials']])
    expect((await api.call('alice', 'GET', '/sessions/my_session')).status).toBe(404)
  })

  test('of an administrator has its scope, and read-only users may end theirs', async () => {
    const doras = await api.call(null, 'POST', '/sessions', { username: 'dora', password: 'dora may come in' })
    const shown = await api.call(null, 'GET', '/sessions/my_session?fields=scope,account_id', undefined, bearer(doras))
    expect(shown.body).toEqual({ scope: 'administrator', account_id: api.people.ids.dora })
    const ritas = await api.call(null, 'POST', '/sessions', { username: 'rita', password: 'rita may come in' })
    expect((await api.call(null, 'DELETE', '/sessions/my_session', undefined, bearer(ritas))).status).toBe(204)
  })

  test('is refused with what is wrong: values, then credentials', async () => {
    const wrong = await logIn({ username: 5, password: null, expiration_duration: 59, colour: 1 })
    expect(pointersOf(wrong)).toEqual([
      'incorrect_type data.password',
      'incorrect_type data.username',
      'incorrect_value data.expiration_duration',
      'unknown_field data.colour',
    ])
    for (const body of [{ password: 'wrong password' }, { username: 'nobody' }, { username: 'x\u0001' }]) {
      const reply = await logIn(body)
      expect([reply.status, pointersOf(reply)]).toEqual([401, ['incorrect_credentials']])
    }
  })

  test('is made whatever credentials came along', async () => {
    expect((await logIn({}, { authorization: 'Bearer nonsense' })).status).toBe(201)
  })
})

describe('texts and times in lists', () => {
  test('fold and sort as Polish people expect', async () => {
    for (const name of ['Żółw', 'ŻÓŁĆ', 'zebra', 'Ćma', 'cma', 'Łódź', 'lodz']) {
      await api.call('charlie', 'POST', '/groups', { name })
    }
    const names = async (query: string) => {
      const reply = await api.call('charlie', 'GET', `/groups?fields=name&is_default=false&limit=100&${query}`)
      return reply.answer.map((row) => row.name)
    }
    const asked = (text: string) => encodeURIComponent(text)
    expect(await names(`name=${asked('żółć')}`)).toEqual(['ŻÓŁĆ'])
    expect(await names(`name~=${asked('ÓŁ')}&sort=name`)).toEqual(['ŻÓŁĆ', 'Żółw'])
    expect(await names(`query=${asked('łóDŹ')}`)).toEqual(['Łódź'])
    expect(await names(`name=${asked('zolw')}`)).toEqual([])
    expect(await names('sort=name')).toEqual(['cma', 'Ćma', 'lodz', 'Łódź', 'zebra', 'ŻÓŁĆ', 'Żółw'])
    expect(await names(`name=zebra&name=${asked('ĆMA')}&name~=e&name~=m&sort=-name`)).toEqual(['zebra', 'Ćma'])
    expect(await names('name~=%25')).toEqual([])
  })

  test('one moment has many spellings', async () => {
    const { created_at } = (await api.call('charlie', 'GET', '/accounts/my_account')).answer
    expect(created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const at = Date.parse(created_at) / 1000
    const spellings = [
      created_at,
      created_at.replace('T', ' '),
      '2026-11-21T10:00:00+01:00',
      '2026-11-21t04:00:00.9-05:00',
      at,
    ]
    for (const spelling of spellings) {
      const found = await api.call(
        'charlie',
        'GET',
        `/accounts?created_at=${encodeURIComponent(spelling)}&fields=username`,
      )
      expect([spelling, found.body]).toEqual([spelling, [{ username: 'charlie' }]])
    }
    const ago = at - Math.floor(api.clock.now() / 1000)
    const found = await api.call('charlie', 'GET', `/accounts?created_at=${ago}`)
    expect(found.headers['x-total-count']).toBe('1')
    expect(pointersOf(await api.call('charlie', 'GET', '/accounts?created_at=2026-11-21'))).toEqual([
      'incorrect_type query.created_at',
    ])
  })
})

test('packages are those for new accounts and one’s own', async () => {
  const { body } = await api.call('charlie', 'GET', '/packages?fields=name&sort=name')
  expect(body).toEqual([{ name: 'free' }, { name: 'unlimited' }])
  expect((await api.call('adam', 'GET', '/packages/my_package')).body).toMatchObject({
    name: 'sub-account',
    maximum_services: 0,
  })
  expect((await api.call('charlie', 'GET', `/packages/${api.people.packageIds['sub-account']}`)).status).toBe(404)
  expect((await api.call('charlie', 'GET', '/accounts/my_account/package?fields=name')).body).toEqual({
    name: 'unlimited',
  })
})
