import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import { givePackage } from '../support/packages.ts'
import type { Person } from '../support/people.ts'
import { pointersOf, problemsOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const http = { type_id: 'http', name: 'Sklep', address: 'shop.example.com' }

async function create(body: object, person: Person = 'alice'): Promise<number> {
  const reply = await api.call(person, 'POST', '/services', body)
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)])
  return reply.answer.id
}

async function read<T = Record<string, unknown>>(id: number, query = ''): Promise<T> {
  const reply = await api.call('alice', 'GET', `/services/${id}${query}`)
  expect(reply.status).toBe(200)
  return reply.body as T
}

function change(id: number, body: object, person: Person = 'alice'): Promise<Reply> {
  return api.call(person, 'PUT', `/services/${id}`, body)
}

async function refused(body: object, person: Person = 'alice'): Promise<readonly string[]> {
  const reply = await api.call(person, 'POST', '/services', body)
  expect(reply.status).toBe(422)
  return pointersOf(reply)
}

async function settingsOf(id: number): Promise<Record<string, unknown>> {
  return (await read<{ extended_settings: Record<string, unknown> }>(id)).extended_settings
}

describe('a new service', () => {
  test('needs a type, a name and an address; the rest has defaults', async () => {
    expect(await refused({})).toEqual([
      'missing_value data.address',
      'missing_value data.name',
      'missing_value data.type_id',
    ])
    const [group] = await api.database.query<{ id: number }>(
      sql`select id from groups where owner_id = ${api.people.ids.alice} and is_default`,
    )
    expect(await read(await create(http))).toMatchObject({
      description: '',
      interval: 600,
      group_id: group?.id,
      owner_id: api.people.ids.alice,
      is_active: true,
      is_archived: false,
      notification_channel_ids: ['email', 'email_short', 'email_extended', 'email_dedicated', 'sms'],
      notification_condition_ids: ['failure', 'recovery'],
      notification_mode_id: 'default',
      recovery_notification_mode_id: 'default',
      silent_hours: '0'.repeat(24),
      suspension_hours: '0'.repeat(168),
      sensor_ids: [],
      path_steps: null,
      created_at: '2026-11-21T09:00:00Z',
    })
  })

  test('has a status at once: nothing is known of it yet', async () => {
    const { status } = await read<{ status: object }>(await create(http), '?embed=status')
    expect(status).toMatchObject({ monitoring_status: 'on', summary: 'unknown', last_analysis_id: null })
    const stopped = await read<{ status: object }>(await create({ ...http, is_active: false }), '?embed=status')
    expect(stopped.status).toMatchObject({ monitoring_status: 'off', summary: 'paused' })
  })

  test('is checked as often as the package allows when that is less often than usual', async () => {
    await givePackage(api, 'charlie', { minimum_interval: 900 })
    const id = await create(http, 'charlie')
    expect((await api.call('charlie', 'GET', `/services/${id}?fields=interval`)).body).toEqual({ interval: 900 })
  })
})

describe('the address', () => {
  test.each([
    ['http', 'http://Shop.example.com/a?b=c', 'Shop.example.com/a?b=c'],
    ['http', 'HTTP://shop.example.com', 'shop.example.com'],
    ['https', 'https://shop.example.com:8443/', 'shop.example.com:8443/'],
    ['smtp_helo', 'smtp://mx.example.com', 'mx.example.com'],
    ['ping', '[2001:db8::1]', '2001:db8::1'],
    ['tcp_connect', '[2001:db8::1]:22', '[2001:db8::1]:22'],
    ['http', 'żółw.example.pl', 'żółw.example.pl'],
  ])('of %s: %s is kept as %s', async (type_id, written, kept) => {
    expect(await read(await create({ ...http, type_id, address: written }))).toMatchObject({ address: kept })
  })

  test.each([
    ['http', 'https://shop.example.com'],
    ['http', 'ftp://shop.example.com'],
    ['http', ''],
    ['http', 'http://'],
    ['http', 'shop example.com'],
    ['http', 'shop.example.com:99999'],
    ['ping', 'example.com/path'],
    ['ping', 'example.com:80'],
    ['tcp_connect', 'example.com'],
    ['http_ipv6', '192.0.2.1'],
    ['http', '1.2.3'],
    ['http', 'a\u0000b'],
  ])('of %s: %s is refused', async (type_id, address) => {
    const pointers = await refused({ ...http, type_id, address })
    expect(pointers).toEqual([expect.stringMatching(/^\w+ data\.address$/)])
  })
})

async function storedPassword(id: number): Promise<unknown> {
  const [row] = await api.database.query<{ password: unknown }>(
    sql`select extended_settings ->> 'password' as password from services where id = ${id}`,
  )
  return row?.password
}

describe('extended settings', () => {
  test('are all shown with their values in effect, secrets never', async () => {
    const id = await create({
      ...http,
      extended_settings: { timeout: '2500', follow_redirects: 'false', password: 'tajne', content: 5 },
    })
    expect(await settingsOf(id)).toMatchObject({
      timeout: 2500,
      follow_redirects: false,
      password: null,
      content: '5',
      http_method: 'GET',
      accepted_statuses: '200-299',
      error_tolerance: 51,
      sensors_failover: true,
      disable_breakdown_checks: false,
    })
    const shown = await api.call('alice', 'GET', '/services?limit=1000&embed=group,type,status,owner')
    expect(shown.text).not.toContain('tajne')
  })

  test('of an unknown type are refused with all types', async () => {
    const { body } = await api.call('alice', 'GET', '/service_types?limit=1000')
    const types = (body as readonly { readonly id: string }[]).map(({ id }) => id)
    expect(types.length).toBeGreaterThan(40)
    const refused = await api.call('alice', 'POST', '/services', { ...http, type_id: 'htp' })
    expect(refused.status).toBe(422)
    const [{ message }] = problemsOf(refused)
    expect(types.filter((type) => !message.includes(type))).toEqual([])
  })

  test('send a secret that was kept nowhere else for whom the service is shared with; its own people change what they like', async () => {
    const group_id = api.people.sharedGroupId
    const id = await create({
      ...http,
      group_id,
      address: 'shop.example.com',
      extended_settings: { password: 'tajne' },
    })
    const address = 'evil.example.com'
    const put = (person: 'alice' | 'adam' | 'bob', body: object) => api.call(person, 'PUT', `/services/${id}`, body)
    const asked = {
      ...{ request_headers: 'Host: evil.example.com', content_regex: '^a', http_method: 'POST', content: 'x' },
      ...{ username: 'eve', accepted_statuses: '500', timeout: 100, maximum_response_time: 1, port: 8080 },
    }
    const asking = Object.entries(asked).map(([name, value]) => ({
      extended_settings: { [name]: value, password: null },
    }))
    const leading = [
      { address },
      { address: 'shop.example.com/echo' },
      { extended_settings: { follow_redirects: false } },
    ]
    for (const body of [...leading, ...asking]) {
      const reply = await put('bob', body)
      const refused = ['incorrect_value data.extended_settings.password']
      expect([body, reply.status, pointersOf(reply)]).toEqual([body, 422, refused])
    }
    for (const person of ['alice', 'adam'] as const) {
      for (const one of [address, 'shop.example.com']) expect((await put(person, { address: one })).status).toBe(204)
    }
    const shown = (await api.call('bob', 'GET', `/services/${id}`)).body as object
    for (const body of [
      shown,
      { ...shown, name: 'Koszyk', interval: 900, extended_settings: { error_tolerance: 80 } },
    ]) {
      expect((await put('bob', body)).status).toBe(204)
    }
    expect(await storedPassword(id)).toBe('tajne')
    expect((await put('bob', { address, extended_settings: { password: 'another' } })).status).toBe(204)
    expect((await put('bob', { address: 'shop.example.com', extended_settings: { password: '' } })).status).toBe(204)
    expect(await storedPassword(id)).toBeNull()
    expect((await put('bob', { address })).status).toBe(204)
  })

  test('keep a secret that comes back as null, and lose it by an empty text', async () => {
    const id = await create({ ...http, extended_settings: { username: 'ala', password: 'tajne' } })
    const path = `/services/${id}`
    const before = await api.call('alice', 'GET', path)
    expect((await api.call('alice', 'PUT', path, before.body)).status).toBe(204)
    expect((await change(id, { extended_settings: { password: null } })).status).toBe(204)
    expect((await api.call('alice', 'GET', path)).headers['etag']).toBe(before.headers['etag'])
    expect(await storedPassword(id)).toBe('tajne')
    expect((await change(id, { extended_settings: { password: '' } })).status).toBe(204)
    expect(await storedPassword(id)).toBeNull()
    const without = await create({ ...http, extended_settings: { password: '' } })
    expect(await storedPassword(without)).toBeNull()
  })

  test('are merged by key; null takes one back to its default', async () => {
    const id = await create({ ...http, extended_settings: { timeout: 2500, http_method: 'HEAD' } })
    expect((await change(id, { extended_settings: { maximum_redirects: 3, timeout: null } })).status).toBe(204)
    expect(await settingsOf(id)).toMatchObject({ timeout: 7000, http_method: 'HEAD', maximum_redirects: 3 })
    expect((await change(id, { extended_settings: {} })).status).toBe(204)
    expect(await settingsOf(id)).toMatchObject({ http_method: 'HEAD', maximum_redirects: 3 })
  })

  test('have an older name of one of them', async () => {
    const id = await create({ ...http, extended_settings: { sensors_failover_enabled: false } })
    expect(await settingsOf(id)).toMatchObject({ sensors_failover: false })
    expect(await settingsOf(id)).not.toHaveProperty('sensors_failover_enabled')
  })

  test('are all refused at once, each at its key, beside what else is wrong', async () => {
    const extended_settings = {
      timeout: 1,
      http_method: 'BREW',
      follow_redirects: 'perhaps',
      accepted_statuses: '2xx',
      content_regex: '(',
      maximum_redirects: 2.5,
      request_headers: 'no colon',
      colour: 'red',
    }
    expect(await refused({ ...http, name: 7, extended_settings })).toEqual([
      'incorrect_type data.extended_settings.follow_redirects',
      'incorrect_type data.extended_settings.maximum_redirects',
      'incorrect_type data.name',
      'incorrect_value data.extended_settings.accepted_statuses',
      'incorrect_value data.extended_settings.content_regex',
      'incorrect_value data.extended_settings.http_method',
      'incorrect_value data.extended_settings.request_headers',
      'incorrect_value data.extended_settings.timeout',
      'unknown_field data.extended_settings.colour',
    ])
  })

  test('are an object', async () => {
    for (const extended_settings of [[], 'x', 5, true, null]) {
      expect(await refused({ ...http, extended_settings })).toEqual(['incorrect_type data.extended_settings'])
    }
  })

  test('know no names that objects inherit', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const body = `{"type_id":"http","name":"x","address":"a.example.com","extended_settings":{"${name}":{"timeout":1}}}`
      const reply = await api.call('alice', 'POST', '/services', body)
      expect(pointersOf(reply)).toEqual([`unknown_field data.extended_settings.${name}`])
    }
  })

  test('that the type needs must be there, and stay', async () => {
    const dns = { type_id: 'dns', name: 'Nazwy', address: 'ns.example.com' }
    expect(await refused(dns)).toEqual(['missing_value data.extended_settings.query_name'])
    const id = await create({ ...dns, extended_settings: { query_name: 'example.com' } })
    const reply = await change(id, { extended_settings: { query_name: null } })
    expect(pointersOf(reply)).toEqual(['missing_value data.extended_settings.query_name'])
  })

  test('the port is shown apart where it is not the usual one', async () => {
    const portOf = async (id: number) => (await api.call('alice', 'GET', `/services/${id}?fields=port`)).body
    const redis = { type_id: 'redis', name: 'Cache', address: '127.0.0.1' }
    const id = await create({ ...redis, extended_settings: { port: 23_714 } })
    expect(await portOf(id)).toEqual({ port: 23_714 })
    await change(id, { extended_settings: { port: 6379 } })
    expect(await portOf(id)).toEqual({ port: null })
    expect(await portOf(await create(redis))).toEqual({ port: null })
    const reply = await change(id, { address: '127.0.0.1:23714' })
    expect(pointersOf(reply)).toEqual(['incorrect_value data.address'])
    expect(JSON.stringify(reply.body)).toContain('extended_settings.port')
  })

  test('of another type are unknown', async () => {
    const ping = { type_id: 'ping', name: 'Host', address: 'example.com' }
    const id = await create({ ...ping, extended_settings: { bytes_to_send: 65_535 } })
    expect(await settingsOf(id)).toEqual({
      bytes_to_send: 65_535,
      reply_timeout: 3000,
      error_tolerance: 51,
      sensors_failover: true,
      disable_breakdown_checks: false,
      degraded_response_time: null,
    })
    expect(pointersOf(await change(id, { extended_settings: { http_method: 'GET', bytes_to_send: 65_536 } }))).toEqual([
      'incorrect_value data.extended_settings.bytes_to_send',
      'unknown_field data.extended_settings.http_method',
    ])
  })
})

describe('moving to another group', () => {
  let from: number
  let to: number
  const share = (group: number, flags: { modify: boolean; create: boolean }) =>
    api.database.execute(sql`
      insert into shares (group_id, account_id, can_modify_services, can_create_services)
      values (${group}, ${api.people.ids.bob}, ${flags.modify}, ${flags.create})`)

  beforeEach(async () => {
    const groups = await Promise.all(['Skąd', 'Dokąd'].map((name) => api.call('alice', 'POST', '/groups', { name })))
    ;[from = 0, to = 0] = groups.map(({ body }) => (body as { id: number }).id)
  })

  test.each([
    [{ modify: true, create: false }, { modify: false, create: true }, 204],
    [{ modify: true, create: true }, { modify: true, create: false }, 403],
    [{ modify: false, create: true }, { modify: true, create: true }, 403],
  ])('with %j where it is and %j where it goes: %d', async (here, there, status) => {
    await share(from, here)
    await share(to, there)
    const id = await create({ ...http, group_id: from })
    expect((await change(id, { group_id: to }, 'bob')).status).toBe(status)
    expect(await read(id)).toMatchObject({ group_id: status === 204 ? to : from })
    const { body } = await api.call('bob', 'GET', `/services/${id}/available_groups?fields=id`)
    const free = (body as readonly { id: number }[]).map((group) => group.id)
    expect(free.includes(to)).toBe(there.create)
  })

  test('a group that the caller cannot see, or of another owner, is no place to go', async () => {
    const id = await create({ ...http, group_id: from })
    const [foreign] = await api.database.query<{ id: number }>(
      sql`select id from groups where owner_id = ${api.people.ids.bob} and is_default`,
    )
    for (const group_id of [foreign?.id, 987654, -1]) {
      expect(pointersOf(await change(id, { group_id }))).toEqual(['incorrect_value data.group_id'])
    }
    await share(from, { modify: true, create: true })
    expect(pointersOf(await change(id, { group_id: foreign?.id }, 'bob'))).toEqual(['incorrect_value data.group_id'])
  })
})

describe('stopping and starting', () => {
  test('pauses it by the user; starting leaves it paused until a verdict', async () => {
    const id = await create(http)
    await change(id, { is_active: false })
    expect(await read(id, '?embed=status')).toMatchObject({ status: { monitoring_status: 'off', summary: 'paused' } })
    const changes = `/services/${id}/history/status_changes?fields=status,pause_reason,end_time`
    const pause = [{ status: 'paused', pause_reason: 'user', end_time: null }]
    expect((await api.call('alice', 'GET', changes)).body).toEqual(pause)
    await change(id, { is_active: false })
    await change(id, { is_active: true })
    expect(await read(id, '?embed=status')).toMatchObject({ status: { monitoring_status: 'on', summary: 'unknown' } })
    expect((await api.call('alice', 'GET', changes)).body).toEqual(pause)
  })

  test('an archived service can only be read and deleted', async () => {
    const id = await create(http)
    await api.database.execute(sql`update services set is_archived = true, is_active = false where id = ${id}`)
    for (const body of [{ name: 'x' }, { is_active: true }, {}]) {
      expect(pointersOf(await change(id, body))).toEqual(['service_is_archived'])
    }
    const forced = await api.call('alice', 'POST', `/services/${id}/force_analysis`)
    expect([forced.status, pointersOf(forced)]).toEqual([422, ['service_is_archived']])
    expect(await read(id)).toMatchObject({ is_archived: true })
    expect((await api.call('alice', 'DELETE', `/services/${id}`)).status).toBe(204)
  })
})

describe('forcing an analysis', () => {
  test('three times a minute, thirty an hour, however it is spread', async () => {
    const id = await create(http)
    const force = () => api.call('alice', 'POST', `/services/${id}/force_analysis`)
    for (let minute = 0; minute < 10; minute += 1) {
      const replies = [await force(), await force(), await force(), await force()]
      expect(replies.map(({ status }) => status)).toEqual([204, 204, 204, 422])
      expect(pointersOf(replies[3] as Reply)).toEqual(['force_limit_exceeded'])
      expect(replies[0]?.text).toBe('')
      api.clock.advance(61_000)
    }
    expect(problemsOf(await force())[0]?.message).toContain('30')
    api.clock.advance(3_600_000)
    expect((await force()).status).toBe(204)
  })

  test('counts each service by itself, also of callers at the same time', async () => {
    const id = await create(http)
    const force = () => api.call('alice', 'POST', `/services/${id}/force_analysis`)
    const replies = await Promise.all([force(), force(), force(), force(), force()])
    expect(replies.map(({ status }) => status).toSorted()).toEqual([204, 204, 204, 422, 422])
    expect((await api.call('alice', 'POST', `/services/${await create(http)}/force_analysis`)).status).toBe(204)
  })
})
