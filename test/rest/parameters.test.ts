import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { pointersOf, problemsOf } from '../support/refused.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const owner = 'alice'

test('every wrong parameter is listed at once', async () => {
  const query =
    'fields=id,nonsense&embed=owner.password,magic&sort=name,-colour&limit=ten&offset=-1&id=x&colour=red&is_default=maybe&assigned_sensor_ids=1'
  const reply = await api.call(owner, 'GET', `/groups?${query}`)
  expect(reply.status).toBe(422)
  expect(pointersOf(reply)).toEqual([
    'incorrect_type query.id',
    'incorrect_type query.is_default',
    'incorrect_type query.limit',
    'incorrect_value query.assigned_sensor_ids',
    'incorrect_value query.colour',
    'incorrect_value query.embed[0]',
    'incorrect_value query.embed[1]',
    'incorrect_value query.fields[1]',
    'incorrect_value query.offset',
    'incorrect_value query.sort[1]',
  ])
})

test.each([
  ['PUT', '/groups/my_default_group/shares/999999', { can_modify_services: true }, 'GET /accounts/my_account'],
  ['POST', '/reports', { template_id: 999_999, from: -60, to: -1 }, 'POST /report_templates'],
  ['POST', '/corrections', { service_id: 999_999, start_time: -60, end_time: -1, status: 'ok' }, 'no such service'],
  ['POST', '/periodic_report_addresses', { address: 'alice', report_frequency: 'weekly' }, 'alice@example.com'],
  ['POST', '/report_templates', { name: 'Shop', email_addresses: ['alice'] }, 'alice@example.com'],
  ['POST', '/report_templates', { name: 'Shop', requested_scope: { services: { by_id: [999_999] } } }, 'cannot see it'],
  ['POST', '/services', { name: 'x', type_id: 'http', address: 'a.example', suspension_hours: '1' }, '168 digits'],
  ['POST', '/accounts', { username: 'a b', user_data: { email_address: 'a@b.example' } }, '3 to 64 of a-z'],
  ['GET', '/accounts/my_account/logs/notifications?from=-60&to=-120', undefined, 'not be later than the end'],
  ['GET', '/dictionaries/languages?embed=owner', undefined, 'nothing to embed'],
  ['GET', '/groups?name~=%00', undefined, 'characters that are not allowed'],
] as const)('%s %s %j is refused with what is expected', async (method, path, body, words) => {
  const { body: problems } = await api.call(owner, method, path, body, { 'accept-language': 'en' })
  const messages = (problems as readonly { message: string }[]).map(({ message }) => message)
  expect(messages).toEqual([expect.stringContaining(words)])
})

test('whatever a pattern refuses is told in words', () => {
  const fields = api.registry.all.flatMap((resource) => Object.entries(resource.fields))
  const silent = fields.filter(([, field]) => field.pattern !== undefined && field.detail === undefined)
  expect(silent.map(([name]) => name)).toEqual([])
})

test('the two published codes', async () => {
  const value = await api.call(owner, 'GET', '/groups?fields=nonsense')
  expect(problemsOf(value)[0]).toMatchObject({ code: 4222064, error: 'incorrect_value', field: 'query.fields[0]' })
  const type = await api.call(owner, 'GET', '/groups?limit=1.5')
  expect(problemsOf(type)[0]).toMatchObject({ code: 4220555, error: 'incorrect_type', field: 'query.limit' })
})

test.each([
  ['limit=1000', 200],
  ['limit=0', 200],
  ['limit=1001', 422],
  ['limit=-1', 422],
  ['limit=', 422],
  ['limit=99999999999999999999', 422],
  ['offset=9007199254740991', 422],
  ['offset=999999999999999', 200],
  ['offset=-5', 422],
  ['id=999999999999999', 200],
  ['id=-999999999999999', 200],
  ['id=99999999999999999999', 422],
  ['id=null', 200],
  ['name=%00', 422],
  ['name~=%00', 422],
  ['query=%00', 422],
  ['query=', 200],
  ['name=%E2%28%A1', 200],
  ['permissions.constructor=true', 422],
  ['permissions.__proto__=true', 422],
  ['sort=permissions.constructor', 422],
  ['embed=permissions.constructor', 422],
  ['embed=constructor', 422],
  ['constructor=1', 422],
  ['__proto__=1', 422],
  ['__proto__.id=1', 422],
  ['owner.constructor=1', 422],
  ['sort=__proto__', 422],
  ['fields=__proto__', 422],
  ['owner.username.x=1', 422],
  ['owner.default_group_id=1', 422],
])('%s: %d', async (query, status) => {
  const reply = await api.call(owner, 'GET', `/groups?${query}`)
  expect([reply.status, status === 422 ? problemsOf(reply).length : 1]).toEqual([status, 1])
})

test('a search refuses wrong members by their pointers', async () => {
  const reply = await api.call(owner, 'POST', '/groups/search', {
    fields: 5,
    embed: ['magic'],
    sort: [1],
    limit: '5x',
    offset: -1,
    colour: 'red',
    filters: { nonsense: 1, name: { a: 1 }, id: [1, 'x'], 'name~': '\ud800' },
  })
  expect(reply.status).toBe(422)
  expect(pointersOf(reply)).toEqual([
    'incorrect_type data.fields',
    'incorrect_type data.filters.id[1]',
    'incorrect_type data.filters.name',
    'incorrect_type data.limit',
    'incorrect_type data.sort',
    'incorrect_value data.embed[0]',
    'incorrect_value data.filters.name~',
    'incorrect_value data.filters.nonsense',
    'incorrect_value data.offset',
    'unknown_field data.colour',
  ])
  for (const filters of [[], 'name', 5]) {
    expect(pointersOf(await api.call(owner, 'POST', '/groups/search', { filters }))).toEqual([
      'incorrect_type data.filters',
    ])
  }
})

test('a filter has at most a thousand alternatives', async () => {
  const id = Array.from({ length: 1001 }, (_, index) => index)
  const reply = await api.call(owner, 'POST', '/groups/search', { filters: { id } })
  expect(pointersOf(reply)).toEqual(['value_too_long data.filters.id'])
  expect((await api.call(owner, 'POST', '/groups/search', { filters: { id: id.slice(1) } })).status).toBe(200)
})

test('parameters of a list mean nothing on one object', async () => {
  const path = `/groups/${api.people.sharedGroupId}`
  expect(pointersOf(await api.call(owner, 'GET', `${path}?name=x`))).toEqual(['incorrect_value query.name'])
  const flags = await api.call(owner, 'GET', `${path}/permissions?fields=own,fly&name=x`)
  expect(pointersOf(flags)).toEqual(['incorrect_value query.fields[1]', 'incorrect_value query.name'])
})
