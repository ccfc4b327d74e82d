import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatMoment } from '../../src/domain/calendars/time.ts'
import { type ApiWorld, apiWorld, type Reply } from '../support/api.ts'
import type { Person } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

const lines: string[] = []
let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld({ log: pino({ level: 'trace' }, { write: (line: string) => lines.push(line) }) })
})
afterAll(() => world.drop())

interface Made {
  readonly id: number
  readonly key: string
}

type Method = Parameters<ApiWorld['call']>[1]

async function make(person: Person, body: object = {}): Promise<Made> {
  const reply = await world.call(person, 'POST', '/api_keys', { name: 'Key', scopes: ['read'], ...body })
  expect([reply.status, reply.text]).toEqual([201, expect.anything()])
  return reply.body as Made
}

function by(token: string, method: Method, path: string, body?: unknown): Promise<Reply> {
  return world.call(null, method, path, body, { authorization: `Bearer ${token}` })
}

async function read(id: number, person: Person = 'alice'): Promise<Readonly<Record<string, unknown>>> {
  return (await world.call(person, 'GET', `/api_keys/${id}`)).body as Readonly<Record<string, unknown>>
}

test('a key is shown once; what is kept of it is a digest and its first characters', async () => {
  const { id, key } = await make('alice', { name: 'Deployments', scopes: ['write', 'read', 'write'] })
  expect(key).toMatch(/^lat_[A-Za-z0-9_-]{43}$/)
  expect(await read(id)).toEqual({
    id,
    ...{ can_confirm_itself: false, client_id: null },
    owner_id: world.people.ids.alice,
    name: 'Deployments',
    scopes: ['read', 'write'],
    group_ids: null,
    tags: null,
    expires_at: null,
    last_used_at: null,
    previous_expires_at: null,
    prefix: key.slice(0, 12),
    created_at: formatMoment(world.clock.now()),
  })
  const stored = await world.database.query(sql`select api_keys::text as row from api_keys where id = ${id}`)
  expect(JSON.stringify(stored)).not.toContain(key.slice(12))
  expect((await by(key, 'GET', '/services')).status).toBe(200)
})

test('unknown, expired, revoked and cut keys are refused with invalid_token, whatever is wrong', async () => {
  const expiring = await make('alice', { expires_at: new Date(world.clock.now() + 60_000).toISOString() })
  const revoked = await make('alice')
  expect((await by(expiring.key, 'GET', '/services')).status).toBe(200)
  expect((await world.call('alice', 'DELETE', `/api_keys/${revoked.id}`)).status).toBe(204)
  world.clock.advance(60_000)
  const wrong = [
    expiring.key,
    revoked.key,
    `lat_${'x'.repeat(43)}`,
    expiring.key.slice(0, -1),
    `latt_${'x'.repeat(43)}`,
  ]
  const answers = await Promise.all(wrong.map((key) => by(key, 'GET', '/services')))
  for (const reply of answers) {
    expect([reply.status, pointersOf(reply)]).toEqual([401, ['invalid_token']])
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="Latarnik", error="invalid_token"')
    expect(reply.text).toBe(answers[0]?.text)
  }
})

test('a use is noted, and at most once a minute', async () => {
  const { id, key } = await make('alice')
  const first = formatMoment(world.clock.now())
  await by(key, 'GET', '/services')
  world.clock.advance(59_000)
  await by(key, 'GET', '/services')
  expect((await read(id))['last_used_at']).toBe(first)
  world.clock.advance(2000)
  await by(key, 'GET', '/services')
  expect((await read(id))['last_used_at']).toBe(formatMoment(world.clock.now()))
})

test('a rotated key works beside the new one for its time of grace, and not a second longer', async () => {
  const { id, key } = await make('alice')
  const reply = await world.call('alice', 'POST', `/api_keys/${id}/rotate`, { grace_seconds: 100 })
  const rotated = reply.answer
  expect([reply.status, rotated.prefix]).toEqual([200, rotated.key.slice(0, 12)])
  expect(await read(id)).toMatchObject({ prefix: rotated.prefix, previous_expires_at: rotated.previous_expires_at })
  world.clock.advance(99_000)
  expect((await by(key, 'GET', '/services')).status).toBe(200)
  world.clock.advance(1000)
  expect((await by(key, 'GET', '/services')).status).toBe(401)
  expect((await by(rotated.key, 'GET', '/services')).status).toBe(200)
  const again = await world.call('alice', 'POST', `/api_keys/${id}/rotate`, { grace_seconds: 0 })
  expect(again.status).toBe(200)
  expect((await by(rotated.key, 'GET', '/services')).status).toBe(401)
})

test('a key can do no more than its owner can now', async () => {
  const ofAdam = await make('adam', { scopes: ['read', 'write'] })
  expect((await by(ofAdam.key, 'POST', '/groups', { name: 'One' })).status).toBe(201)
  await world.call('alice', 'PUT', `/accounts/${world.people.ids.adam}`, { is_read_only: true })
  expect((await by(ofAdam.key, 'POST', '/groups', { name: 'Two' })).status).toBe(403)
  expect((await by(ofAdam.key, 'GET', '/groups')).status).toBe(200)
  await world.call('alice', 'PUT', `/accounts/${world.people.ids.adam}`, { is_read_only: false })
  const elsewhereOnly = { ip_whitelist: ['192.0.2.1'], ip_whitelist_enabled: true }
  await world.call('alice', 'PUT', `/user_data/${world.people.ids.adam}`, elsewhereOnly)
  expect(pointersOf(await by(ofAdam.key, 'GET', '/groups'))).toEqual(['ip_address_not_allowed'])
  await world.call('alice', 'PUT', `/user_data/${world.people.ids.adam}`, { ip_whitelist_enabled: false })
  const ofCharlie = await make('charlie')
  await world.call('dora', 'POST', `/admin/accounts/${world.people.ids.charlie}/block`)
  expect(pointersOf(await by(ofCharlie.key, 'GET', '/groups'))).toEqual(['account_blocked'])
})

test('read-only users make no keys, customers none for administration, and nobody one that has ended', async () => {
  const wanted = { name: 'Key', scopes: ['read'] }
  expect((await world.call('rita', 'POST', '/api_keys', wanted)).status).toBe(403)
  const faults = [
    [{ ...wanted, scopes: ['admin'] }, 'incorrect_value data.scopes[0]'],
    [{ ...wanted, scopes: [] }, 'value_too_short data.scopes'],
    [{ ...wanted, expires_at: new Date(world.clock.now()).toISOString() }, 'incorrect_value data.expires_at'],
    [{ ...wanted, group_ids: [987_654] }, 'incorrect_value data.group_ids[0]'],
    [{ ...wanted, tags: ['nobody has it'] }, 'incorrect_value data.tags[0]'],
  ] as const
  for (const [body, problem] of faults) {
    const reply = await world.call('alice', 'POST', '/api_keys', body)
    expect([reply.status, pointersOf(reply)]).toEqual([422, [problem]])
  }
})

test('a key makes, changes and rotates no key that opens more than itself', async () => {
  const later = new Date(world.clock.now() + 1_000_000).toISOString()
  const { key, id } = await make('alice', { scopes: ['read', 'account'], expires_at: later })
  const stronger = await make('alice', { scopes: ['read', 'write'] })
  const wanted = { name: 'Key', scopes: ['read'], expires_at: later }
  expect((await by(key, 'POST', '/api_keys', wanted)).status).toBe(201)
  const more = await by(key, 'POST', '/api_keys', { ...wanted, scopes: ['read', 'write'] })
  expect([more.status, pointersOf(more)]).toEqual([422, ['incorrect_value data.scopes[1]']])
  const longer = await by(key, 'POST', '/api_keys', { ...wanted, expires_at: null })
  expect([longer.status, pointersOf(longer)]).toEqual([422, ['incorrect_value data.expires_at']])
  expect((await by(key, 'PUT', `/api_keys/${id}`, { scopes: ['read', 'write', 'account'] })).status).toBe(422)
  expect((await by(key, 'PUT', `/api_keys/${stronger.id}`, { scopes: ['read'] })).status).toBe(403)
  expect((await by(key, 'POST', `/api_keys/${stronger.id}/rotate`)).status).toBe(403)
  expect((await by(key, 'POST', `/api_keys/${id}/rotate`)).status).toBe(200)
})

test('a key rotates no key that outlives it, and an access token rotates none', async () => {
  const scopes = ['read', 'account']
  const soon = new Date(world.clock.now() + 600_000).toISOString()
  const brief = await make('alice', { scopes, expires_at: soon })
  const lasting = await make('alice', { scopes })
  const rotate = (token: string, id: number, seconds = 60) =>
    by(token, 'POST', `/api_keys/${id}/rotate`, { grace_seconds: seconds })
  const refused = await rotate(brief.key, lasting.id)
  expect([refused.status, pointersOf(refused)]).toEqual([403, ['forbidden']])
  const tokenOf = async ({ id, key }: Made) => {
    const reply = await tokenRequest({ ...grant, client_id: String(id), client_secret: key })
    return reply.json<{ access_token: string }>().access_token
  }
  const token = await tokenOf(lasting)
  for (const { id } of [lasting, brief]) expect((await rotate(token, id)).status).toBe(403)
  expect((await rotate(await tokenOf(brief), brief.id)).status).toBe(403)
  expect((await rotate(lasting.key, lasting.id)).status).toBe(200)
  expect((await rotate(lasting.key, lasting.id)).status).toBe(403)
  world.clock.advance(59_000)
  expect((await by(token, 'GET', '/services')).status).toBe(200)
  world.clock.advance(1000)
  expect(pointersOf(await by(token, 'GET', '/services'))).toEqual(['invalid_token'])
})

test('a key that only reads gets no value that gives a right to change', async () => {
  const mark = { managed_key: 'nightly', managed_by: 'latarnik', managed_state: { name: 'abc' } }
  const created = await world.call('alice', 'POST', '/services', { type_id: 'heartbeat', name: 'Nightly', ...mark })
  const path = `/services/${(created.body as Made).id}?fields=ping_url,badge_token,managed_state,set_secrets`
  expect((await world.call('alice', 'POST', `/services/${(created.body as Made).id}/badge_token`)).status).toBe(201)
  const [reader, writer] = [await make('alice'), await make('alice', { scopes: ['read', 'write'] })]
  expect((await by(reader.key, 'GET', path)).body).toEqual({
    ...{ ping_url: null, badge_token: null, managed_state: null, set_secrets: null },
  })
  expect((await by(writer.key, 'GET', path)).body).toEqual({
    ping_url: expect.any(String),
    badge_token: expect.any(String),
    managed_state: mark.managed_state,
    set_secrets: [],
  })
})

test('a key proves nothing of the person: the mailbox that resets the password stays', async () => {
  const { key } = await make('alice', { scopes: ['account'] })
  const reply = await by(key, 'PUT', '/user_data/my_user_data', { email_address: 'thief@example.com' })
  expect([reply.status, pointersOf(reply)]).toEqual([422, ['missing_value data.current_password']])
})

test('keys are their owner’s: strangers and sub-accounts find none, the main account may revoke those of its people', async () => {
  const { id } = await make('adam')
  for (const person of ['charlie', 'bob', 'rita'] as const)
    expect((await world.call(person, 'GET', `/api_keys/${id}`)).status).toBeGreaterThan(401)
  expect((await world.call('alice', 'PUT', `/api_keys/${id}`, { scopes: ['account'] })).status).toBe(403)
  expect((await world.call('alice', 'POST', `/api_keys/${id}/rotate`)).status).toBe(403)
  expect((await world.call('alice', 'DELETE', `/api_keys/${id}`)).status).toBe(204)
})

test('an administrator has keys too', async () => {
  const { key } = await make('dora', { scopes: ['admin'] })
  expect((await by(key, 'GET', '/admin/accounts')).status).toBe(200)
  expect(pointersOf(await by(key, 'GET', '/service_types'))).toEqual(['insufficient_scope'])
})

test('a key for tags keeps its services tagged, and puts new ones only with a tag of its own', async () => {
  const service = { type_id: 'http', name: 'Tagged', address: 'tagged.example.com', tags: ['mine', 'other'] }
  const created = await world.call('alice', 'POST', '/services', service)
  const { id } = created.body as Made
  const { key } = await make('alice', { scopes: ['read', 'write'], tags: ['MINE'] })
  expect((await by(key, 'PUT', `/services/${id}`, { name: 'Renamed' })).status).toBe(204)
  expect((await by(key, 'PUT', `/services/${id}`, { tags: ['mine'] })).status).toBe(204)
  const lost = await by(key, 'PUT', `/services/${id}`, { tags: ['other'] })
  expect([lost.status, pointersOf(lost)]).toEqual([422, ['incorrect_value data.tags']])
  const { tags: _tags, ...untagged } = service
  expect(pointersOf(await by(key, 'POST', '/services', untagged))).toEqual(['incorrect_value data.tags'])
  const own = await by(key, 'POST', '/services', { ...service, address: 'new.example.com' })
  expect(own.status).toBe(201)
  const seen = (await by(key, 'GET', '/services?fields=id&sort=id')).body as readonly Made[]
  expect(seen.map((one) => one.id)).toEqual([id, (own.body as Made).id])
  expect((await by(key, 'GET', `/services/${id}?embed=owner,group`)).body).toMatchObject({ owner: null, group: null })
})

test('a key for a group moves no service out of it, and makes none elsewhere', async () => {
  const group = (await world.call('alice', 'POST', '/groups', { name: 'Inside' })).body as Made
  const { key } = await make('alice', { scopes: ['read', 'write'], group_ids: [group.id] })
  const service = { type_id: 'http', name: 'Inside', address: 'inside.example.com' }
  expect(pointersOf(await by(key, 'POST', '/services', service))).toEqual(['incorrect_value data.group_id'])
  const made = await by(key, 'POST', '/services', { ...service, group_id: group.id })
  expect(made.status).toBe(201)
  const path = `/services/${(made.body as Made).id}`
  const moved = await by(key, 'PUT', path, { group_id: world.people.sharedGroupId })
  expect(pointersOf(moved)).toEqual(['incorrect_value data.group_id'])
  expect(pointersOf(await by(key, 'POST', '/groups', { name: 'More' }))).toEqual(['forbidden'])
  expect(((await by(key, 'GET', '/groups')).body as readonly Made[]).map(({ id }) => id)).toEqual([group.id])
})

function tokenRequest(form: Readonly<Record<string, string>>, authorization?: string) {
  return world.server.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(authorization === undefined ? {} : { authorization }),
    },
    payload: new URLSearchParams(form).toString(),
  })
}

const grant = { grant_type: 'client_credentials' }

test('client credentials give a short-lived token with some of the scopes', async () => {
  const { id, key } = await make('alice', { scopes: ['read', 'write'] })
  const basic = (client: string) => `Basic ${Buffer.from(`${client}:${key}`).toString('base64')}`
  for (const client of [String(id), key.slice(0, 12)]) {
    const reply = await tokenRequest({ ...grant, scope: 'read' }, basic(client))
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    const token = reply.json<{ access_token: string }>()
    expect(token).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' })
    expect((await by(token.access_token, 'GET', '/services')).status).toBe(200)
    expect(pointersOf(await by(token.access_token, 'POST', '/groups', { name: 'x' }))).toEqual(['insufficient_scope'])
    const notExchanged = await tokenRequest({ ...grant, client_id: client, client_secret: token.access_token })
    expect(notExchanged.statusCode).toBe(401)
  }
  const posted = await tokenRequest({ ...grant, client_id: String(id), client_secret: key })
  const { access_token: token } = posted.json<{ access_token: string }>()
  expect(posted.json()).toMatchObject({ scope: 'read write' })
  await world.call('alice', 'PUT', `/api_keys/${id}`, { scopes: ['read'] })
  expect(pointersOf(await by(token, 'POST', '/groups', { name: 'x' }))).toEqual(['insufficient_scope'])
  world.clock.advance(3_600_000)
  expect(pointersOf(await by(token, 'GET', '/services'))).toEqual(['invalid_token'])
  const again = await tokenRequest({ ...grant, client_id: String(id), client_secret: key })
  await world.call('alice', 'DELETE', `/api_keys/${id}`)
  expect(pointersOf(await by(again.json<{ access_token: string }>().access_token, 'GET', '/services'))).toEqual([
    'invalid_token',
  ])
})

test('the token endpoint refuses as RFC 6749 says', async () => {
  const { id, key } = await make('alice')
  const own = { client_id: String(id), client_secret: key }
  const wrong = await tokenRequest({ ...grant, ...own, client_secret: `lat_${'x'.repeat(43)}` })
  expect([wrong.statusCode, wrong.json()]).toEqual([401, { error: 'invalid_client' }])
  expect(wrong.headers['www-authenticate']).toBe('Basic realm="Latarnik"')
  const refused = [
    [{ ...grant }, 401, 'invalid_client'],
    [{ ...grant, ...own, client_id: '999999' }, 401, 'invalid_client'],
    [{ ...grant, ...own, scope: 'read write' }, 400, 'invalid_scope'],
    [{ ...grant, ...own, scope: 'everything' }, 400, 'invalid_scope'],
    [{ ...own, grant_type: 'password' }, 400, 'invalid_request'],
  ] as const
  for (const [form, status, error] of refused) {
    const reply = await tokenRequest(form)
    expect([reply.statusCode, reply.json()]).toEqual([status, { error }])
  }
})

test('no key and no token comes into the log', async () => {
  const { id, key } = await make('alice')
  await by(key, 'GET', '/services')
  await by(key, 'POST', '/groups', { name: 'x' })
  const reply = await tokenRequest({ ...grant, client_id: String(id), client_secret: key })
  const { access_token: token } = reply.json<{ access_token: string }>()
  await by(token, 'GET', '/nowhere')
  await by(`${key}x`, 'GET', '/services')
  const log = lines.join('')
  for (const secret of [key, token]) expect(log).not.toContain(secret.slice(13))
})
