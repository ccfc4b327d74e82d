import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClient, ProblemError } from '../../client/client.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { clientOf, fetchOf } from '../support/client.ts'

/** The typed client and the API. */

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

async function refusalOf(work: Promise<unknown>): Promise<ProblemError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ProblemError) return error
  throw new Error(`not refused: ${error}`)
}

test('an object is made, read with what is embedded, changed and deleted', async () => {
  const alice = clientOf(api, 'alice')
  const { id } = await alice.post('/groups', { body: { name: 'Shop' } })
  const path = { _id: id }
  const group = await alice.get('/groups/{_id}', { path, query: { embed: ['owner.username', 'permissions'] } })
  expect(group.name).toBe('Shop')
  expect(group.owner?.username).toBe('alice')
  expect(group.permissions?.delete).toBe(true)
  expect(await alice.put('/groups/{_id}', { path, body: { name: 'Shops' } })).toBeUndefined()
  expect((await alice.get('/groups/{_id}', { path, query: { fields: ['name'] } })).name).toBe('Shops')
  expect(await alice.delete('/groups/{_id}', { path })).toBeUndefined()
  expect((await refusalOf(alice.get('/groups/{_id}', { path }))).status).toBe(404)
})

test('lists of one parameter are joined, those of several are repeated', async () => {
  const alice = clientOf(api, 'alice')
  const made = await Promise.all(
    ['first', 'second', 'third'].map((name) => alice.post('/groups', { body: { name } }).then(({ id }) => id)),
  )
  const query = { id: made.slice(0, 2), fields: ['id', 'name'], sort: ['-name', 'id'] } as const
  const found = await alice.get('/groups', { query })
  expect(found).toEqual([
    { id: made[1], name: 'second' },
    { id: made[0], name: 'first' },
  ])
  const searched = await alice.post('/groups/search', { body: { filters: { id: made }, sort: ['-name'], limit: 1 } })
  expect(searched.map(({ name }) => name)).toEqual(['third'])
})

test('a list is read to its end, page by page', async () => {
  const alice = clientOf(api, 'alice')
  const names = Array.from({ length: 7 }, (_, index) => `paged ${index}`)
  for (const name of names) await alice.post('/groups', { body: { name } })
  for (const limit of [1, 3, 7, 8, 1000]) {
    const query = { 'name.contains': ['paged'], sort: ['name'], fields: ['name'], limit } as const
    expect((await alice.all('/groups', { query })).map(({ name }) => name)).toEqual(names)
  }
  const read: string[] = []
  for await (const { name } of alice.list('/groups', { query: { 'name.contains': ['paged'], limit: 2, offset: 5 } }))
    read.push(name)
  expect(read).toHaveLength(2)
  const page = await alice.call('GET', '/groups', { query: { 'name.contains': ['paged'], limit: 2 } })
  expect([page.body.length, page.total, page.status]).toEqual([2, 7, 200])
})

test('a refusal has the status, every problem with its pointer, and words in the language of the client', async () => {
  const alice = clientOf(api, 'alice', { language: 'pl' })
  const body = { name: '', type_id: 'http', address: 'shop.example.com', interval: 1 } as const
  const error = await refusalOf(alice.post('/services', { body }))
  expect(error.status).toBe(422)
  expect(error.request).toBe('POST /services')
  expect(error.problems.map(({ field }) => field).toSorted()).toEqual(['data.interval', 'data.name'])
  expect(error.at('data.name')[0]?.error).toBe('value_too_short')
  expect([error.has('value_too_short'), error.has('not_found')]).toEqual([true, false])
  expect(error.message).toMatch(/[ąćęłńóśźż]/)
  expect(error.requestId).toMatch(/\S/)
})

test('of two changes with one version the second is refused', async () => {
  const alice = clientOf(api, 'alice')
  const path = { _id: (await alice.post('/groups', { body: { name: 'Versions' } })).id }
  const { etag } = await alice.call('GET', '/groups/{_id}', { path })
  expect(etag).toMatch(/^"/)
  const ifMatch = etag ?? ''
  await alice.put('/groups/{_id}', { path, body: { name: 'mine' }, ifMatch })
  const error = await refusalOf(alice.put('/groups/{_id}', { path, body: { name: 'yours' }, ifMatch }))
  expect([error.status, error.has('object_changed')]).toEqual([412, true])
  expect((await refusalOf(alice.delete('/groups/{_id}', { path, ifMatch }))).status).toBe(412)
})

test('an unchanged list is not sent again', async () => {
  const alice = clientOf(api, 'alice')
  const first = await alice.send('GET', '/dictionaries/languages')
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' }
  expect([first.status, (await alice.send('GET', '/dictionaries/languages', { headers })).status]).toEqual([200, 304])
})

test('a name and password, a token of a session, and an API key open the API', async () => {
  const reach = { server: 'http://latarnik.test/v3/', fetch: fetchOf(api) }
  const alice = clientOf(api, 'alice')
  const who = async (client: typeof alice) => (await client.get('/accounts/{_id}', me)).username
  const me = { path: { _id: 'my_account' } } as const
  expect(await who(alice)).toBe('alice')
  const password = 'correct horse battery staple'
  expect(
    (await refusalOf(createClient({ ...reach, username: 'alice', password }).get('/groups'))).has(
      'incorrect_credentials',
    ),
  ).toBe(true)
  const { key: apiKey } = await alice.post('/api_keys', { body: { name: 'Client', scopes: ['read', 'account'] } })
  expect(await who(createClient({ ...reach, apiKey }))).toBe('alice')
  const error = await refusalOf(createClient({ ...reach, apiKey }).post('/groups', { body: { name: 'No' } }))
  expect([error.status, error.has('insufficient_scope')]).toEqual([403, true])
  expect(await who(createClient({ ...reach, token: async () => apiKey }))).toBe('alice')
  expect((await refusalOf(createClient(reach).get('/groups'))).has('missing_credentials')).toBe(true)
})

test('an identifier cannot name another path', async () => {
  const alice = clientOf(api, 'alice')
  for (const _id of ['../accounts', 'a/b?c#d', '%2e%2e'])
    expect((await refusalOf(alice.get('/groups/{_id}', { path: { _id } }))).status).toBe(404)
  for (const _id of ['', '.', '..'])
    await expect(alice.get('/groups/{_id}', { path: { _id } })).rejects.toThrow('/groups/{_id} needs _id')
})
