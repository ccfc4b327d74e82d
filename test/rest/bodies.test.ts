import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Problem } from '../../src/domain/input/problem.ts'
import type { Fields } from '../../src/rest/fields.ts'
import { readBody } from '../../src/rest/input.ts'
import { parametersOfBody } from '../../src/rest/parameters.ts'
import { ApiError } from '../../src/rest/problems.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { pointersOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const owner = 'alice'

const refused = [
  ['broken JSON', '{"name":', {}, 400, 'incorrect_json data'],
  ['nothing but a word', 'name', {}, 400, 'incorrect_json data'],
  ['brackets nested too deep', '['.repeat(10_000) + ']'.repeat(10_000), {}, 400, 'incorrect_json data'],
  ['an array', [], {}, 422, 'incorrect_type data'],
  ['a text', '"name"', {}, 422, 'incorrect_type data'],
  ['null', 'null', {}, 422, 'incorrect_type data'],
  ['a form', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'unsupported_media_type'],
  ['a text of another type', '{"name":"x"}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['a broken type', '{"name":"x"}', { 'content-type': 'json' }, 415, 'unsupported_media_type'],
] as const

test.each(refused)('%s: refused with a pointer', async (_name, body, headers, status, pointer) => {
  const reply = await api.call(owner, 'POST', '/groups', body, headers)
  expect(reply.status).toBe(status)
  expect(pointersOf(reply)).toEqual([pointer])
})

test('bytes that are no UTF-8 are no JSON', async () => {
  const authorization = `Basic ${Buffer.from('alice:alice may come in').toString('base64')}`
  const reply = await api.server.inject({
    method: 'POST',
    url: '/v3/groups',
    headers: { authorization, 'content-type': 'application/json' },
    payload: Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
  })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject([{ error: 'incorrect_json', field: 'data' }])
})

test('10 MB are too large', async () => {
  const reply = await api.call(owner, 'POST', '/groups', { name: 'x'.repeat(10 * 1024 * 1024) })
  expect(reply.status).toBe(413)
  expect(pointersOf(reply)).toEqual(['payload_too_large'])
})

test('a missing body is a missing value', async () => {
  const reply = await api.call(owner, 'POST', '/groups')
  expect([reply.status, pointersOf(reply)]).toEqual([422, ['missing_value data']])
})

test('a body that means nothing is ignored: with GET and DELETE, and an empty one with a type', async () => {
  const { body } = await api.call(owner, 'POST', '/groups', { name: 'Short-lived' })
  const path = `/groups/${(body as { id: number }).id}`
  expect((await api.call(owner, 'GET', path, '{broken')).status).toBe(200)
  expect((await api.call(owner, 'GET', path, undefined, { 'content-type': 'application/json' })).status).toBe(200)
  expect((await api.call(owner, 'DELETE', path, '{broken')).status).toBe(204)
  const empty = { 'content-type': 'application/json' }
  expect((await api.call(owner, 'POST', '/groups/search', '', empty)).status).toBe(200)
})

test('a type with parameters or a suffix is JSON too', async () => {
  for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/merge-patch+json']) {
    const reply = await api.call(owner, 'POST', '/groups/search', { limit: 0 }, { 'content-type': type })
    expect([type, reply.status]).toEqual([type, 200])
  }
})

test('every problem of a body comes back at once, each with its pointer', async () => {
  const reply = await api.call(owner, 'POST', '/services', {
    name: 5,
    type_id: 'telepathy',
    interval: 'often',
    colour: 'red',
    id: 7,
    notification_channel_ids: ['email', 'pigeon', 3],
    silent_hours: '01',
  })
  expect(reply.status).toBe(422)
  expect(pointersOf(reply)).toEqual([
    'field_is_read_only data.id',
    'incorrect_type data.interval',
    'incorrect_type data.name',
    'incorrect_type data.notification_channel_ids[2]',
    'incorrect_value data.notification_channel_ids[1]',
    'incorrect_value data.silent_hours',
    'incorrect_value data.type_id',
    'missing_value data.address',
    'unknown_field data.colour',
  ])
})

test('an unknown name is answered with the known one that was probably meant, in both languages', async () => {
  const body = { name: 'x', type_id: 'http', address: 'example.com', intervall: 60 }
  const messageOf = async (language: string, path: string, sent: unknown) => {
    const { status, body: answer } = await api.call(owner, 'POST', path, sent, { 'Accept-Language': language })
    expect(status).toBe(422)
    return (answer as readonly { readonly message: string }[])[0]?.message
  }
  const english = 'There is no field intervall here. Did you mean interval? There are: '
  expect(await messageOf('en', '/services', body)).toContain(english)
  const polish = 'Nie ma tu pola intervall. Czy chodziło o interval? Są: '
  expect(await messageOf('pl', '/services', body)).toContain(polish)
  const filters = { naem: 'x' }
  expect(await messageOf('en', '/groups/search', { filters })).toMatch(/parameter naem here\. Did you mean name\?/)
  const unlike = { ...body, intervall: undefined, colour: 1 }
  expect(await messageOf('en', '/services', unlike)).toContain('There is no field colour here. There are: ')
})

test('arrays and texts are bounded, wherever they stand', async () => {
  const refusals = [
    ['POST', '/services/bulk_pause', { ids: Array.from({ length: 1001 }, (_, id) => id) }, 'data.ids'],
    ['PUT', '/groups/my_default_group', { sensor_ids: Array(101).fill(1) }, 'data.sensor_ids'],
    ['POST', '/groups/search', { fields: Array(1001).fill('id') }, 'data.fields'],
    ['POST', '/groups', { name: 'x'.repeat(201) }, 'data.name'],
    ['PUT', '/user_data/my_user_data', { ip_whitelist: Array(1001).fill('192.0.2.1') }, 'data.ip_whitelist'],
  ] as const
  for (const [method, path, body, field] of refusals) {
    expect([path, pointersOf(await api.call(owner, method, path, body))]).toEqual([path, [`value_too_long ${field}`]])
  }
})

test('an answer stays small however much is wrong', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`a${index}`, 1]))
  const replies = [
    await api.call(owner, 'POST', '/groups', unknown),
    await api.call(owner, 'POST', '/groups/search', { filters: unknown }),
    await api.call(owner, 'POST', '/groups/search', { fields: Array(100_000).fill('a').join(',') }),
  ]
  for (const reply of replies) {
    expect(reply.status).toBe(422)
    expect(reply.text.length).toBeLessThan(1024 * 1024)
    expect(pointersOf(reply).length).toBeLessThanOrEqual(1000)
  }
})

test('what a request may ask for is bounded as a whole, so that no request holds up the others', async () => {
  const names = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_none, index) => [`a${index}`, value]))
  const refusals = [
    ['POST', '/groups', names(20_001, 1), 'data'],
    ['POST', '/groups', Array(20_001).fill([]), 'data'],
    ['POST', '/groups/search', { filters: names(1001, []) }, 'data.filters'],
    ['POST', '/groups/search', { filters: { name: Array(1001).fill('a') } }, 'data.filters.name'],
    ['POST', '/groups/search', { sort: `${','.repeat(100_000)}name` }, 'data.sort'],
    ['GET', `/groups?${'name=a&'.repeat(2000)}`, undefined, 'query'],
  ] as const
  for (const [method, path, body, field] of refusals) {
    const reply = await api.call(owner, method, path, body)
    expect([path.slice(0, 20), field, reply.status, pointersOf(reply)]).toEqual([
      ...[path.slice(0, 20), field, 422],
      [`value_too_long ${field}`],
    ])
  }
  const unknown = await api.call(owner, 'POST', '/groups/search', { filters: names(1001, 1) })
  expect(pointersOf(unknown)).toHaveLength(1000)
  expect((await api.call(owner, 'GET', `/groups?${'name=a&'.repeat(900)}`)).status).toBe(200)
})

test('a key that is sorted by again changes nothing, however often it stands', async () => {
  const sorted = (sort: string) => api.call(owner, 'POST', '/groups/search', { sort })
  const often = await sorted(Array(900).fill('name').join(','))
  expect([often.status, often.text]).toEqual([200, (await sorted('name')).text])
  expect((await sorted('name,-name')).text).toBe((await sorted('name')).text)
})

test('texts that the database cannot keep are refused, not stored otherwise', async () => {
  for (const name of ['a\0b', '\ud800', 'x\udc00y']) {
    const reply = await api.call(owner, 'POST', '/groups', { name })
    expect([reply.status, pointersOf(reply)]).toEqual([422, ['incorrect_value data.name']])
  }
})

test('names that every object inherits are unknown fields like others', async () => {
  const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'prototype']
  for (const name of inherited) {
    const created = await api.call(owner, 'POST', '/groups', `{"name":"x","${name}":{"isAdmin":true}}`)
    expect([name, pointersOf(created)]).toEqual([name, [`unknown_field data.${name}`]])
    const changed = await api.call(owner, 'PUT', `/groups/${api.people.sharedGroupId}`, `{"${name}":1}`)
    expect([name, pointersOf(changed)]).toEqual([name, [`unknown_field data.${name}`]])
  }
  expect(({} as Record<string, unknown>)['isAdmin']).toBeUndefined()
})

test('a packed body is not unpacked, to whatever size', async () => {
  const packed = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const reply = await api.call(owner, 'POST', '/groups', '{"name":"x"}', packed)
  expect([reply.status, pointersOf(reply)]).toEqual([415, ['unsupported_media_type']])
  const plain = { ...packed, 'content-encoding': 'identity' }
  expect((await api.call(owner, 'POST', '/groups', '{"name":"x"}', plain)).status).toBe(201)
})

test('strangers send no more than a name and a password need', async () => {
  const login = { username: 'alice', password: 'x'.repeat(20_000) }
  const reply = await api.call(null, 'POST', '/sessions', login)
  expect([reply.status, pointersOf(reply)]).toEqual([413, ['payload_too_large']])
  expect(reply.text).toContain('16384')
})

test('a number that is no JSON number once it is read is refused, not kept as null', async () => {
  for (const value of ['1e400', '{"a":[-1e400]}']) {
    const reply = await api.call(owner, 'PUT', '/user_data/my_user_data/settings/size', value)
    expect([reply.status, pointersOf(reply)]).toEqual([422, ['incorrect_value data']])
  }
})

test('filters have a thousand alternatives in all, a hundred of them parts of texts', async () => {
  const search = (filters: object) => api.call(owner, 'POST', '/services/search', { filters })
  const many = (times: number) => Array.from({ length: times }, (_, at) => String(at))
  expect((await search({ name: many(500), address: many(500) })).status).toBe(200)
  expect(pointersOf(await search({ name: many(500), address: many(501) }))).toEqual([
    'value_too_long data.filters.address',
  ])
  expect((await search({ 'name~': many(50), 'address~': many(50) })).status).toBe(200)
  expect(pointersOf(await search({ 'name~': many(50), 'address~': many(51) }))).toEqual([
    'value_too_long data.filters.address~',
  ])
})

test('no text that is looked for is longer than any that is kept', async () => {
  const long = 'ż'.repeat(5001)
  const refusals = [
    [{ query: long }, 'data.query'],
    [{ filters: { name: long } }, 'data.filters.name'],
    [{ filters: { 'name~': ['a', long] } }, 'data.filters.name~[1]'],
  ] as const
  for (const [body, field] of refusals) {
    expect(pointersOf(await api.call(owner, 'POST', '/services/search', body))).toEqual([`value_too_long ${field}`])
  }
  expect((await api.call(owner, 'POST', '/services/search', { query: 'ż'.repeat(5000) })).status).toBe(200)
})

describe('what a request may cost', () => {
  const filters = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, 1]))

  test('a stranger sends 16 KiB at most, to every operation', async () => {
    for (const path of ['/sensors/search', '/sessions', '/accounts/register'])
      expect([path, (await api.call(null, 'POST', path, { filters: filters(2000) })).status]).toEqual([path, 413])
    expect((await api.call(owner, 'POST', '/sensors/search', { filters: filters(2000) })).status).toBe(422)
    expect((await api.call(null, 'POST', '/sensors/search', { filters: { name: 'x' } })).status).toBe(200)
  })

  test('reading stops at a thousand problems', async () => {
    const read = readBody({}, filters(5000), 0)
    expect(read.problems).toHaveLength(1000)
    const list: Fields = { names: { kind: 'list', maximumLength: 5000, of: { kind: 'text' } } }
    expect(readBody(list, { names: Array(5000).fill(1) }, 0).problems).toHaveLength(1000)
    const problems: Problem[] = []
    expect(() => parametersOfBody(filters(5000), false, problems)).toThrow(ApiError)
    expect(problems).toHaveLength(1000)
    const reply = await api.call(owner, 'POST', '/sensors/search', { filters: filters(5000) })
    expect(pointersOf(reply)).toHaveLength(1000)
  })
})
