import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

type Shown = Readonly<Record<string, unknown>>
type Method = Parameters<ApiWorld['call']>[1]

async function log(query = '', person: Person = 'alice', account = 'my_account'): Promise<readonly Shown[]> {
  const reply = await world.call(person, 'GET', `/accounts/${account}/logs/audit?sort=-id&limit=10${query}`)
  expect(reply.status).toBe(200)
  return reply.body as readonly Shown[]
}

async function done(reply: Promise<Reply>): Promise<number> {
  const { status, text, body } = await reply
  expect([status < 300, text]).toEqual([true, text])
  return (body as { id?: number } | undefined)?.id ?? 0
}

const act = (person: Person, method: Method, path: string, body?: unknown, headers?: Record<string, string>) =>
  done(world.call(person, method, path, body, headers))

const http = { type_id: 'http', name: 'Shop', address: 'shop.example.com' }

test('a life of a service: made whole, changed by what differs, removed whole', async () => {
  const id = await act('alice', 'POST', '/services', { ...http, tags: ['web'] })
  const path = `/services/${id}`
  await act('alice', 'PUT', path, { name: 'Sklep', interval: 120, extended_settings: { timeout: 9000 }, tags: [] })
  await act('alice', 'PUT', path, { name: 'Sklep' })
  await act('alice', 'POST', `${path}/archive`)
  await act('alice', 'DELETE', path)
  const [removed, archived, changed, made, ...older] = await log(`&object_id=${id}&resource=services`)
  expect(older).toEqual([])
  expect(made).toMatchObject({
    ...{ account_id: world.people.ids.alice, api_key_id: null, ip_address: '127.0.0.1', source: 'api' },
    ...{ operation: 'services.create', resource: 'services', object_id: String(id), before: null },
    after: { name: 'Shop', address: 'shop.example.com', tags: ['web'] },
  })
  expect(changed).toMatchObject({
    operation: 'services.update',
    before: { name: 'Shop', tags: ['web'], extended_settings: {} },
    after: { name: 'Sklep', interval: 120, extended_settings: { timeout: 9000 }, tags: [] },
  })
  expect(Object.keys((changed?.['after'] ?? {}) as Shown).toSorted()).toEqual([
    'extended_settings',
    'interval',
    'name',
    'tags',
  ])
  expect(archived).toMatchObject({
    operation: 'services.archive',
    before: { is_archived: false },
    after: { is_archived: true },
  })
  expect(removed).toMatchObject({ operation: 'services.remove', before: { name: 'Sklep' }, after: null })
})

test('each element of a bulk operation has a record of its own', async () => {
  const ids = [await act('alice', 'POST', '/services', http), await act('alice', 'POST', '/services', http)]
  await act('alice', 'POST', '/services/bulk_delete', { ids: [...ids, 987_654] })
  const records = await log('&operation=services.bulk_delete')
  expect(records.map((record) => record['object_id'])).toEqual(ids.map(String).toReversed())
})

test('a refused change leaves nothing', async () => {
  const [last] = await log()
  expect((await world.call('alice', 'POST', '/services', { ...http, interval: 'often' })).status).toBe(422)
  expect((await world.call('rita', 'POST', '/groups', { name: 'Mine' })).status).toBe(403)
  expect((await log())[0]?.['id']).toBe(last?.['id'])
})

test('secrets are marks: neither a value nor a digest of one is kept', async () => {
  const settings = { username: 'monitor', password: 'zażółć-secret' }
  const id = await act('alice', 'POST', '/services', {
    ...http,
    type_id: 'imap',
    address: 'mail.example.com',
    extended_settings: settings,
  })
  await act('alice', 'PUT', `/services/${id}`, { extended_settings: { password: 'another-secret' } })
  const address = {
    notification_channel_id: 'webhook',
    settings: { url: 'https://hooks.example.com/x', secret: 'whsec_c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0' },
  }
  await act('alice', 'POST', '/notification_addresses', address)
  await act('alice', 'POST', `/services/${id}/badge_token`)
  await act('alice', 'POST', '/accounts', {
    username: 'newcomer',
    name: 'New',
    password: 'a long password',
    user_data: { email_address: 'new@example.com' },
  })
  const key = await world.call('alice', 'POST', '/api_keys', { name: 'Key', scopes: ['read'] })
  await act('alice', 'POST', `/api_keys/${key.answer.id}/rotate`)
  const reply = await world.call('alice', 'GET', '/accounts/my_account/logs/audit?limit=100')
  for (const secret of ['zażółć', 'another-secret', 'whsec_', 'a long password', 'scrypt', key.answer.key.slice(12)])
    expect([secret, reply.text.includes(secret)]).toEqual([secret, false])
  const [changed] = await log(`&object_id=${id}&operation=services.update`)
  expect(changed).toMatchObject({
    before: { extended_settings: { password: '***' } },
    after: { extended_settings: { password: '*** (new)' } },
  })
})

test('secrets within addresses, headers and digests are marks, and tell that they were replaced', async () => {
  const of = (secret: string) => ({
    address: `monitor:${secret}@shop.example.com/a`,
    extended_settings: { request_headers: `Accept: text/html\nAuthorization: Bearer ${secret}\nX-Api-Key: ${secret}` },
    managed_state: { 'extended_settings.request_headers': `digest-${secret}` },
  })
  const mark = { managed_key: 'marked', managed_by: 'latarnik' }
  const id = await act('alice', 'POST', '/services', { ...http, ...mark, ...of('hidden-one') })
  await act('alice', 'PUT', `/services/${id}`, of('hidden-two'))
  const reply = await world.call(
    'alice',
    'GET',
    `/accounts/my_account/logs/audit?sort=id&object_id=${id}&query=services`,
  )
  expect(reply.text).not.toContain('hidden-')
  const told = (mark: string) => ({
    address: `monitor:${mark}@shop.example.com/a`,
    extended_settings: { request_headers: `Accept: text/html\nAuthorization: ${mark}\nX-Api-Key: ${mark}` },
    managed_state: mark,
  })
  expect(reply.body).toMatchObject([
    { operation: 'services.create', after: told('***') },
    { operation: 'services.update', before: told('***'), after: told('*** (new)') },
  ])
})

test('a sub-account sees no changes of other persons and their keys', async () => {
  const { alice, adam, rita } = world.people.ids
  await act('alice', 'PUT', `/user_data/${alice}`, { phone_number: '+48 1' })
  await act('alice', 'PUT', `/user_data/${rita}`, { phone_number: '+48 2' })
  await act('alice', 'PUT', `/accounts/${adam}`, { name: 'Adaś' })
  await act('alice', 'POST', '/api_keys', { name: 'Of Alice', scopes: ['read'] })
  await act('alice', 'POST', '/groups', { name: 'Seen by all' })
  const path = `/accounts/${alice}/logs/audit?limit=1000&sort=id`
  const seen = async (person: Person) => (await world.call(person, 'GET', path)).body as readonly Shown[]
  const personal = ['user_data', 'accounts', 'api_keys']
  const ofPersons = (records: readonly Shown[]) => records.filter(({ resource }) => personal.includes(String(resource)))
  expect(ofPersons(await seen('rita')).map((record) => record['after'])).toEqual([{ phone_number: '+48 2' }])
  expect(ofPersons(await seen('adam')).map((record) => record['after'])).toEqual([{ name: 'Adaś' }])
  expect((await seen('rita')).at(-1)).toMatchObject({ resource: 'groups', after: { name: 'Seen by all' } })
  const hidden = ofPersons(await seen('alice')).find((record) => record['object_id'] === String(alice))
  const one = `/accounts/${alice}/logs/audit/${hidden?.['id']}`
  expect([(await world.call('alice', 'GET', one)).status, (await world.call('rita', 'GET', one)).status]).toEqual([
    200, 404,
  ])
})

test('the log is of the owner of the object, whoever changed it', async () => {
  const service = await act('alice', 'POST', '/services', { ...http, group_id: world.people.sharedGroupId })
  const times = { start_time: '2026-12-24T08:00:00Z', end_time: '2026-12-24T10:00:00Z' }
  await act('bob', 'POST', '/suspensions', { service_id: service, ...times })
  const [record] = await log('&resource=suspensions')
  expect(record).toMatchObject({ account_id: world.people.ids.bob, operation: 'suspensions.create' })
  expect(await log('&resource=suspensions', 'bob')).toEqual([])
  await act('dora', 'POST', `/admin/accounts/${world.people.ids.charlie}/block`)
  await act('dora', 'POST', `/admin/accounts/${world.people.ids.charlie}/unblock`)
  const [unblocked] = await log('', 'charlie')
  expect(unblocked).toMatchObject({
    account_id: world.people.ids.dora,
    operation: 'admin_accounts.unblock',
    before: { is_blocked: true },
    after: { is_blocked: false },
  })
  expect((await world.call('charlie', 'GET', `/accounts/${world.people.ids.alice}/logs/audit`)).status).toBe(404)
})

test('it says which key acted, and from which program, as that says', async () => {
  const made = await world.call('alice', 'POST', '/api_keys', { name: 'CI', scopes: ['read', 'write', 'account'] })
  const { id, key } = made.answer
  const session = await world.call(null, 'POST', '/sessions', { username: 'alice', password: 'alice may come in' })
  const { token } = session.answer
  const by = async (authorization: string, source?: string) => {
    const headers = { authorization, ...(source === undefined ? {} : { 'latarnik-source': source }) }
    await done(world.call(null, 'POST', '/groups', { name: `By ${source}` }, headers))
    return (await log())[0]
  }
  expect(await by(`Bearer ${key}`, 'apply')).toMatchObject({ api_key_id: id, source: 'apply' })
  expect(await by(`Bearer ${key}`, 'console')).toMatchObject({ api_key_id: id, source: 'api' })
  expect(await by(`Bearer ${token}`, 'console')).toMatchObject({ api_key_id: null, source: 'console' })
  expect(await by(`Bearer ${token}`, 'something')).toMatchObject({ source: 'api' })
  expect(await log(`&api_key_id=${id}&source=apply`)).toHaveLength(1)
})

test('it is filtered by time, and nothing of it can be written', async () => {
  const now = new Date(world.clock.now()).toISOString()
  expect((await log(`&from=${now}`)).length).toBeGreaterThan(0)
  expect(await log(`&to=${now}`)).toEqual([])
  const reply = await world.call('alice', 'POST', '/accounts/my_account/logs/audit', {})
  expect([reply.status, pointersOf(reply)]).toEqual([405, ['method_not_allowed']])
})
