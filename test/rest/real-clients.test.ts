import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { pointersOf } from '../support/refused.ts'

/** Requests of public clients of this API, and the experiences of strangers' programs. */

let api: ApiWorld
beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const service = { type_id: 'https', name: 'Shop', address: 'example.com', is_active: false }
const mine = async () =>
  (await api.call('alice', 'GET', '/groups/my_default_group?fields=id,owner_id')).body as {
    readonly id: number
    readonly owner_id: number
  }

describe('the owner may be sent along', () => {
  const kinds = [
    ['/services', service],
    ['/notification_addresses', { address: 'a@example.com', notification_channel_id: 'email' }],
    ['/periodic_report_addresses', { address: 'a@example.com', report_frequency: 'weekly' }],
  ] as const

  test.each(kinds)('with %s: the group’s own, and no other', async (path, body) => {
    const { owner_id } = await mine()
    const made = await api.call('alice', 'POST', path, { ...body, owner_id })
    expect(made.status).toBe(201)
    const { id } = made.answer
    const shown = await api.call('alice', 'GET', `${path}/${id}`)
    expect(shown.body).toMatchObject({ owner_id })
    expect((await api.call('alice', 'PUT', `${path}/${id}`, { owner_id })).status).toBe(204)
    expect((await api.call('alice', 'PUT', `${path}/${id}`, shown.body as object)).status).toBe(204)
    const foreign = { owner_id: api.people.ids.bob }
    expect(pointersOf(await api.call('alice', 'POST', path, { ...body, ...foreign }))).toEqual([
      'incorrect_value data.owner_id',
    ])
    expect(pointersOf(await api.call('alice', 'PUT', `${path}/${id}`, foreign))).toEqual([
      'field_is_immutable data.owner_id',
    ])
    const listed = await api.call('alice', 'GET', `${path}?owner_id=${owner_id}&fields=id&limit=1000`)
    expect(listed.body).toContainEqual({ id })
  })
})

test('a new service may say that it is not archived, and cannot be born archived', async () => {
  expect((await api.call('alice', 'POST', '/services', { ...service, is_archived: false })).status).toBe(201)
  expect(pointersOf(await api.call('alice', 'POST', '/services', { ...service, is_archived: true }))).toEqual([
    'incorrect_value data.is_archived',
  ])
})

test('a notification address has a description', async () => {
  const body = { address: 'b@example.com', notification_channel_id: 'email' }
  const { id } = (await api.call('alice', 'POST', '/notification_addresses', body)).answer
  const path = `/notification_addresses/${id}`
  const description = async () => ((await api.call('alice', 'GET', path)).body as { description: string }).description
  expect(await description()).toBe('')
  expect((await api.call('alice', 'PUT', path, { description: 'On call' })).status).toBe(204)
  expect(await description()).toBe('On call')
  const found = await api.call('alice', 'GET', '/notification_addresses?description=on%20call&fields=id')
  expect(found.body).toEqual([{ id }])
  expect(pointersOf(await api.call('alice', 'PUT', path, { description: 'x'.repeat(201) }))).toEqual([
    'value_too_long data.description',
  ])
})

test('a sub-account is made with its address filter', async () => {
  const account = (filter: readonly string[], username: string) => ({
    username,
    password: 'may come in',
    user_data: { email_address: 'e@example.com', ip_whitelist: filter, ip_whitelist_enabled: true },
  })
  const made = await api.call('alice', 'POST', '/accounts', account(['192.0.2.0/24'], 'filtered'))
  expect(made.status).toBe(201)
  const { id } = made.answer
  expect((await api.call('alice', 'GET', `/user_data/${id}`)).body).toMatchObject({
    ip_whitelist: ['192.0.2.0/24'],
    ip_whitelist_enabled: true,
  })
  const authorization = `Basic ${Buffer.from('filtered:may come in').toString('base64')}`
  expect((await api.call(null, 'GET', '/services', undefined, { authorization })).status).toBe(403)
  expect(pointersOf(await api.call('alice', 'POST', '/accounts', account(['all'], 'unfiltered')))).toEqual([
    'incorrect_value data.user_data.ip_whitelist[0]',
  ])
})

describe('a sub-account', () => {
  test('has a default group of its own, and there its own limit', async () => {
    const own = (await api.call('adam', 'GET', '/groups/my_default_group')).answer
    expect(own.owner_id).toBe(api.people.ids.adam)
    expect(own.id).not.toBe((await mine()).id)
    expect(pointersOf(await api.call('adam', 'POST', '/services', service))).toEqual(['limit_exceeded'])
    const { id: group_id } = await mine()
    expect((await api.call('adam', 'POST', '/services', { ...service, group_id })).status).toBe(201)
  })
})

test.each([
  ['/user_data/my_user_data/permissions', { delete: false, own: true }],
  ['/service_statuses/{service}/permissions', { own: true, update: false }],
])('%s tells %j to the owner', async (path, flags) => {
  const { id } = (await api.call('alice', 'POST', '/services', service)).answer
  expect((await api.call('alice', 'GET', path.replace('{service}', String(id)))).body).toMatchObject(flags)
})

test('a number out of its range is an incorrect value, with the range', async () => {
  const reply = await api.call('alice', 'POST', '/services', { ...service, interval: 0 })
  expect(reply.body).toEqual([
    expect.objectContaining({
      code: 4222064,
      error: 'incorrect_value',
      message: expect.stringContaining('between 1 and'),
    }),
  ])
})

test('an unknown field of a change is answered with the fields that can change', async () => {
  const { id } = (await api.call('alice', 'POST', '/services', service)).answer
  const messageOf = async (method: 'POST' | 'PUT', path: string) =>
    ((await api.call('alice', method, path, { ...service, nonsense: 1 })).body as readonly { message: string }[]).map(
      ({ message }) => message,
    )
  const [creation = ''] = await messageOf('POST', '/services')
  const [change = ''] = await messageOf('PUT', `/services/${id}`)
  expect(creation).toMatch(/\btype_id\b/)
  expect(change).toMatch(/\bname\b/)
  expect(change).not.toMatch(/\b(type_id|owner_id|is_archived)\b/)
})

test.each([
  '"\u0016"@example.com',
  'a\u0001@example.com',
  'a\u200b@example.com',
  'a\u202e@example.com',
  '"a b"@example.com',
  'a,b@example.com',
])('an address that mail cannot carry is accepted nowhere: %j', async (address) => {
  const { id: group } = await mine()
  const tries = [
    ['POST', '/notification_addresses', { address, notification_channel_id: 'email' }],
    ['POST', '/periodic_report_addresses', { address, report_frequency: 'weekly', group_id: group }],
    ['PUT', '/user_data/my_user_data', { email_address: address }],
    ['POST', '/report_templates', { name: 'T', requested_scope: {}, email_addresses: [address] }],
  ] as const
  for (const [method, path, body] of tries) {
    const reply = await api.call('alice', method, path, body)
    expect([path, reply.status, pointersOf(reply).join()]).toEqual([
      path,
      422,
      expect.stringContaining('incorrect_value'),
    ])
  }
})

test.each([
  [{ query: true }, 'incorrect_type data.query'],
  [{ offset: null }, 'incorrect_type data.offset'],
  [{ limit: null }, 'incorrect_type data.limit'],
  [{ limit: false }, 'incorrect_type data.limit'],
  [{ fields: null }, 'incorrect_type data.fields'],
  [{ sort: 7 }, 'incorrect_type data.sort'],
])('a search by %j is refused', async (body, pointer) => {
  expect(pointersOf(await api.call('alice', 'POST', '/services/search', body))).toEqual([pointer])
})

test('an unknown parameter is answered with all that work, those of embedded objects too', async () => {
  const { body } = await api.call('alice', 'GET', '/services?nonsense=1')
  const [problem] = body as readonly { readonly message: string }[]
  const named = (problem?.message ?? '').replace(/^.*There are: |\.$/g, '').split(', ')
  for (const name of ['type_id', 'name.contains', 'status.summary', 'group.name', 'permissions.update']) {
    expect(named).toContain(name)
  }
  for (const name of named.filter((one) => one.startsWith('status.') || one.startsWith('permissions.'))) {
    expect([name, (await api.call('alice', 'GET', `/services?${name}=null`)).status]).toEqual([
      name,
      name.startsWith('permissions.') ? 422 : 200,
    ])
  }
})

test('a misspelt parameter is answered with the guess and ten others at most', async () => {
  for (const [language, form] of [
    ['en', /Did you mean name\? There are: (.*) …\.$/],
    ['pl', /Czy chodziło o name\? Są: (.*) …\.$/],
  ] as const) {
    const { body } = await api.call('alice', 'GET', '/services?nam=x', undefined, { 'Accept-Language': language })
    const [problem] = body as readonly { readonly message: string }[]
    expect(form.exec(problem?.message ?? '')?.[1]?.split(', ')).toHaveLength(10)
  }
})

test('a permission is yes or no', async () => {
  expect(pointersOf(await api.call('alice', 'GET', '/services?permissions.update=null'))).toEqual([
    'incorrect_type query.permissions.update',
  ])
})

describe('a method that a path does not have', () => {
  let port: number
  beforeAll(async () => {
    await api.server.listen({ port: 0, host: '127.0.0.1' })
    const address = api.server.server.address()
    port = address !== null && typeof address === 'object' ? address.port : 0
  })

  /** As it goes over the wire: clients of node know no other methods. */
  function send(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${line}\r\nHost: a\r\nConnection: close\r\n\r\n`))
      let answer = ''
      socket.setEncoding('utf8').on('data', (part: string) => {
        answer += part
      })
      socket.on('close', () => resolve(answer)).on('error', reject)
    })
  }

  test.each(['QUERY', 'FOO', 'PROPFIND', 'PATCH', 'get'])('is 405 when it is %s', async (method) => {
    for (const path of ['/v3/services', '/v3/services/12?x=1']) {
      const answer = await send(`${method} ${path} HTTP/1.1`)
      expect(answer).toMatch(/^HTTP\/1\.1 405 /)
      expect(answer).toMatch(/\r\nAllow: GET, HEAD, (POST|PUT, DELETE), OPTIONS\r\n/i)
      expect(answer).toContain('"error":"method_not_allowed"')
    }
  })

  test.each(['QUERY /v3/nothing', 'FOO /v3/services/1/2/3/4'])('is no matter where nothing is: %s', async (line) => {
    expect(await send(`${line} HTTP/1.1`)).toMatch(/^HTTP\/1\.1 40[04] /)
  })
})
