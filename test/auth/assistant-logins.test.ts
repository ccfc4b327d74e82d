import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientOfRegistration, parseRegistrationPolicy } from '../../src/auth/oauth/client-registration.ts'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { type Person, passwordOf } from '../support/people.ts'

/** Assistants log in by OAuth: they register themselves, get tokens for `/mcp` alone, and refresh them. */

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld({ clients: [{ client_id: 'known', name: 'Known', redirect_uris: ['https://known.test/'] }] })
})
afterAll(() => world.drop())

type Values = Readonly<Record<string, string>>
type Json = Readonly<Record<string, unknown>>

const back = 'http://127.0.0.1:7777/callback'
const resource = 'http://api.test/mcp'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

async function register(body: unknown, on = world): Promise<{ readonly status: number; readonly body: Json }> {
  const headers = { 'content-type': 'application/json' }
  const reply = await on.server.inject({
    method: 'POST',
    url: '/oauth/register',
    headers,
    payload: JSON.stringify(body),
  })
  return { status: reply.statusCode, body: JSON.parse(reply.payload) as Json }
}

const registered = async (uris: readonly string[] = [back], name = 'Assistant') =>
  String((await register({ client_name: name, redirect_uris: uris })).body['client_id'])

const wanted = (clientId: string, more: Values = {}): Values => ({
  ...{ response_type: 'code', client_id: clientId, redirect_uri: back, state: 's', resource },
  ...{ code_challenge: challenge, code_challenge_method: 'S256', ...more },
})

const open = (parameters: Values) => world.server.inject(`/oauth/authorize?${new URLSearchParams(parameters)}`)
const form = (url: string, fields: readonly (readonly [string, string])[], cookie = '') =>
  world.server.inject({
    ...{
      method: 'POST',
      url,
      payload: new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString(),
    },
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
  })

/** The address to which a login leads. */
async function logIn(parameters: Values, person: Person = 'bob', granted: readonly string[] = []): Promise<URL> {
  const page = await open(parameters)
  // The form of the password; that of a passkey follows it.
  const [first = ''] = page.payload.split('</form>')
  const hidden = [...first.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const fields = hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')] as const)
  const cookie = /^latarnik_form=[^;]+/.exec(String(page.headers['set-cookie']))?.[0] ?? ''
  const answer = [...granted.map((scope) => ['grant', scope] as const), ['username', person] as const]
  const reply = await form('/oauth/authorize', [...fields, ...answer, ['password', passwordOf(person)]], cookie)
  expect(reply.statusCode).toBe(303)
  return new URL(String(reply.headers.location))
}

async function token(fields: Values): Promise<{ readonly status: number; readonly body: Json }> {
  const reply = await form('/oauth/token', Object.entries(fields))
  return { status: reply.statusCode, body: JSON.parse(reply.payload) as Json }
}

const exchange = (clientId: string, code: string, more: Values = {}) =>
  token({
    ...{ grant_type: 'authorization_code', code, client_id: clientId, redirect_uri: back, code_verifier: verifier },
    ...more,
  })

interface Login {
  readonly clientId: string
  readonly access: string
  readonly refresh: string
}

async function login(person: Person = 'bob', granted: readonly string[] = []): Promise<Login> {
  const clientId = await registered()
  const code = (await logIn(wanted(clientId), person, granted)).searchParams.get('code') ?? ''
  const { body } = await exchange(clientId, code, { resource })
  return { clientId, access: String(body['access_token']), refresh: String(body['refresh_token']) }
}

const refreshed = ({ clientId, refresh }: Login, more: Values = {}) =>
  token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh, ...more })

async function toolsOf(access: string): Promise<readonly string[] | number> {
  const reply = await world.server.inject({
    ...{ method: 'POST', url: '/mcp', payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' } },
    headers: { authorization: `Bearer ${access}`, accept: 'application/json, text/event-stream' },
  })
  if (reply.statusCode !== 200) return reply.statusCode
  const data = /^data: (.*)$/m.exec(reply.payload)?.[1] ?? reply.payload
  const told = JSON.parse(data) as { readonly result: { readonly tools: readonly { readonly name: string }[] } }
  return told.result.tools.map(({ name }) => name)
}

describe('a client that registers itself', () => {
  test('gets an id with which it is known, and keeps only the addresses that it may have', async () => {
    const uris = [back, 'https://evil.example.com/', 'https://assistants.example.com/back', 'javascript:alert(1)']
    const { status, body } = await register({ client_name: 'Claude\u202e <b>Code</b>\n', redirect_uris: uris })
    expect([status, body]).toEqual([
      201,
      {
        client_id: expect.stringMatching(/^self\.[\w-]+$/),
        client_name: 'Claude bCodeb',
        redirect_uris: [back, 'https://assistants.example.com/back'],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ])
    const { payload } = await world.server.inject('/.well-known/oauth-authorization-server')
    expect(JSON.parse(payload)).toMatchObject({ registration_endpoint: 'http://api.test/oauth/register' })
  })

  test.each([
    ['an address elsewhere', { redirect_uris: ['https://evil.example.com/'] }, 'invalid_redirect_uri'],
    ['a host that begins alike', { redirect_uris: ['http://127.0.0.1.evil.example.com/'] }, 'invalid_redirect_uri'],
    ['a name before the host', { redirect_uris: ['http://127.0.0.1:1@evil.example.com/'] }, 'invalid_redirect_uri'],
    ['a permitted host without TLS', { redirect_uris: ['http://assistants.example.com/'] }, 'invalid_redirect_uri'],
    ['another port', { redirect_uris: ['https://assistants.example.com:8443/'] }, 'invalid_redirect_uri'],
    ['a scheme of programs', { redirect_uris: ['intent://back'] }, 'invalid_redirect_uri'],
    ['no address', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['too long an address', { redirect_uris: [`${back}?${'x'.repeat(1500)}`] }, 'invalid_redirect_uri'],
    ['no list', { redirect_uris: back }, 'invalid_client_metadata'],
    ['no object', [back], 'invalid_client_metadata'],
  ])('is refused with %s', async (_, body, error) => {
    expect(await register(body)).toMatchObject({ status: 400, body: { error } })
  })

  test('cannot be made up for an address that registration refuses', async () => {
    const forged = `self.${Buffer.from(JSON.stringify(['Known', 'https://evil.example.com/'])).toString('base64url')}`
    const page = await open(wanted(forged, { redirect_uri: 'https://evil.example.com/' }))
    expect([page.statusCode, page.headers.location]).toEqual([400, undefined])
  })

  test('is unknown once the operator allows no registration', async () => {
    const clientId = await registered()
    const none = parseRegistrationPolicy('off') ?? expect.fail()
    expect(clientOfRegistration(clientId, none)).toBeNull()
    const closed = await apiWorld({ clientRegistration: none })
    expect((await register({ redirect_uris: [back] }, closed)).status).toBe(400)
    const { payload } = await closed.server.inject('/.well-known/oauth-authorization-server')
    expect(payload).not.toContain('registration_endpoint')
    await closed.drop()
    const without = await apiWorld({ servesAssistants: false })
    const reply = await without.server.inject({ method: 'POST', url: '/oauth/register', payload: {} })
    expect(reply.statusCode).toBe(404)
    await without.drop()
  })

  test('takes any free port of its machine, and no other path', async () => {
    const clientId = await registered()
    expect((await open(wanted(clientId, { redirect_uri: back.replace('7777', '40123') }))).statusCode).toBe(200)
    for (const other of [`${back}/more`, back.replace('127.0.0.1', 'localhost'), back.replace('http', 'https')])
      expect([other, (await open(wanted(clientId, { redirect_uri: other }))).statusCode]).toEqual([other, 400])
  })
})

describe('the login page of an assistant', () => {
  test('says that the name is unproven, and grants nothing but reading by itself', async () => {
    const page = await open(wanted(await registered([back], 'Nice <Tool>')))
    expect(page.payload).toContain('Nice Tool asks to use your account for an assistant.')
    expect(page.payload).toContain('It gave itself this name.')
    expect(
      [...page.payload.matchAll(/name="grant" value="(\w+)"( checked)?/g)].map(([, name, on]) => [name, on]),
    ).toEqual(['write', 'notifications', 'reports'].map((name) => [name, undefined]))
    const narrow = await open(wanted(await registered(), { scope: 'read write openid' }))
    expect(narrow.payload).toContain('value="write"')
    expect(narrow.payload).not.toContain('value="reports"')
    const known = await open(wanted('known', { redirect_uri: 'https://known.test/' }))
    expect(known.payload).toContain('Known asks to use your account for an assistant.')
    expect(known.payload).not.toContain('It gave itself this name.')
  })

  test.each([
    ['of another server', { resource: 'https://other.example.com/mcp' }, 'invalid_target'],
    ['with more to its path', { resource: `${resource}/x` }, 'invalid_target'],
  ])('refuses a resource %s', async (_, more, error) => {
    const location = new URL(String((await open(wanted(await registered(), more))).headers.location))
    expect(location.searchParams.get('error')).toBe(error)
  })

  test('gives a registered client no session, even if it names no resource', async () => {
    const clientId = await registered()
    const { resource: _none, ...without } = wanted(clientId)
    const code = (await logIn(without)).searchParams.get('code') ?? ''
    expect((await exchange(clientId, code)).body).toMatchObject({ scope: 'read', refresh_token: expect.any(String) })
  })
})

describe('the tokens', () => {
  test('open what the person granted, at /mcp and nowhere else', async () => {
    const reader = await login('bob')
    const names = await toolsOf(reader.access)
    expect(names).toContain('list_services')
    expect(names).not.toContain('suspend_service')
    expect(await toolsOf((await login('bob', ['write', 'admin'])).access)).toContain('suspend_service')
    const authorization = `Bearer ${reader.access}`
    for (const path of ['/services', '/accounts/my_account', '/api_keys', '/event_stream', '/metrics/services'])
      expect([path, (await world.call(null, 'GET', path, undefined, { authorization })).status]).toEqual([path, 401])
    expect(await toolsOf(reader.refresh)).toBe(401)
  })

  test('belong to a key that the person sees, narrows and ends', async () => {
    const { access, ...rest } = await login('carol', ['write'])
    const { body } = await world.call('carol', 'GET', '/api_keys?sort=-id&limit=1')
    const [key] = body as readonly Json[]
    expect(key).toMatchObject({ name: 'Assistant', scopes: ['read', 'write'], can_confirm_itself: false })
    expect(key).toMatchObject({ client_id: rest.clientId, prefix: '' })
    await world.call('carol', 'PUT', `/api_keys/${key?.['id']}`, { scopes: ['read'] })
    expect(await toolsOf(access)).not.toContain('suspend_service')
    expect((await world.call('carol', 'DELETE', `/api_keys/${key?.['id']}`)).status).toBe(204)
    expect(await toolsOf(access)).toBe(401)
    expect((await refreshed({ access, ...rest })).body).toEqual({ error: 'invalid_grant' })
  })

  test('are not given for another verifier, client, address or resource', async () => {
    const clientId = await registered()
    const other = await registered([back], 'Other')
    const bad: readonly Values[] = [
      { code_verifier: 'w'.repeat(43) },
      { client_id: other },
      { redirect_uri: 'http://127.0.0.1:7778/callback' },
    ]
    for (const more of bad) {
      const code = (await logIn(wanted(clientId))).searchParams.get('code') ?? ''
      expect((await exchange(clientId, code, more)).body).toEqual({ error: 'invalid_grant' })
      expect((await exchange(clientId, code)).body).toEqual({ error: 'invalid_grant' })
    }
    const code = (await logIn(wanted(clientId))).searchParams.get('code') ?? ''
    const elsewhere = await exchange(clientId, code, { resource: 'http://api.test/other' })
    expect(elsewhere.body).toEqual({ error: 'invalid_target' })
  })

  test('end when their code comes a second time', async () => {
    const clientId = await registered()
    const code = (await logIn(wanted(clientId))).searchParams.get('code') ?? ''
    const { body } = await exchange(clientId, code)
    expect(await toolsOf(String(body['access_token']))).toContain('list_services')
    expect((await exchange(clientId, code)).status).toBe(400)
    expect(await toolsOf(String(body['access_token']))).toBe(401)
  })

  test('end with the password under which they were given', async () => {
    const one = await login('bob')
    const change = { new_password: passwordOf('bob'), current_password: passwordOf('bob') }
    expect((await world.call('bob', 'POST', '/accounts/my_account/change_password', change)).status).toBe(204)
    expect(await toolsOf(one.access)).toBe(401)
    expect((await refreshed(one)).status).toBe(400)
  })
})

describe('a refresh token', () => {
  test('gets new tokens after the access token has ended, with no more scopes than before', async () => {
    const one = await login('bob', ['write'])
    world.clock.advance(3_600_000)
    expect(await toolsOf(one.access)).toBe(401)
    expect((await refreshed(one, { scope: 'read reports' })).body).toEqual({ error: 'invalid_scope' })
    const { body } = await refreshed(one, { scope: 'read', resource })
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' })
    expect(await toolsOf(String(body['access_token']))).not.toContain('suspend_service')
    const next = await refreshed({ ...one, refresh: String(body['refresh_token']) })
    expect(await toolsOf(String(next.body['access_token']))).toContain('suspend_service')
  })

  test('is for its client alone, and for thirty days', async () => {
    const one = await login('bob')
    const other = await registered([back], 'Other')
    expect((await refreshed({ ...one, clientId: other })).body).toEqual({ error: 'invalid_grant' })
    expect((await refreshed({ ...one, clientId: 'known' })).body).toEqual({ error: 'invalid_grant' })
    expect((await refreshed({ ...one, refresh: one.access })).body).toEqual({ error: 'invalid_grant' })
    world.clock.advance(30 * 86_400_000)
    expect((await refreshed(one)).body).toEqual({ error: 'invalid_grant' })
  })

  test('may be sent twice at once; later, a second time ends the whole login', async () => {
    const one = await login('bob')
    const answers = await Promise.all([refreshed(one), refreshed(one), refreshed(one)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const [first] = answers
    const access = String(first?.body['access_token'])
    expect(await toolsOf(access)).toContain('list_services')
    world.clock.advance(60_000)
    expect((await refreshed(one)).body).toEqual({ error: 'invalid_grant' })
    expect(await toolsOf(access)).toBe(401)
    expect((await refreshed({ ...one, refresh: String(first?.body['refresh_token']) })).status).toBe(400)
  })

  test('is an API key that is not replaced by another: that would open more than the login', async () => {
    const one = await login('bob')
    const [key] = (await world.call('bob', 'GET', `/api_keys?client_id=${one.clientId}`)).body as { id: number }[]
    expect((await world.call('bob', 'POST', `/api_keys/${key?.id}/rotate`)).status).toBe(403)
    expect(Array.isArray(await toolsOf(one.access))).toBe(true)
  })

  test('of an account that is blocked opens nothing', async () => {
    const one = await login('charlie')
    await world.database.execute(sql`update accounts set is_blocked = true where username = 'charlie'`)
    expect((await refreshed(one)).body).toEqual({ error: 'invalid_grant' })
  })
})

test('an account has twenty logins of assistants; a further one ends the oldest, and keys of people stay', async () => {
  const made = await world.call('alice', 'POST', '/api_keys', { name: 'Mine', scopes: ['read'] })
  expect(made.status).toBe(201)
  const logins: Login[] = []
  for (let count = 0; count < 22; count++) {
    world.clock.advance(1000)
    logins.push(await login('alice'))
  }
  const states = await Promise.all(logins.map(async ({ access }) => typeof (await toolsOf(access)) !== 'number'))
  expect(states).toEqual(logins.map((_, place) => place >= 2))
  expect((await world.call('alice', 'GET', '/api_keys?name=Mine')).body).toHaveLength(1)
})

test('only digests are stored', async () => {
  const one = await login('bob')
  const stored = JSON.stringify([
    await world.database.query(sql`select * from api_key_tokens`),
    await world.database.query(sql`select * from api_keys`),
  ])
  for (const secret of [one.access, one.refresh]) expect(stored).not.toContain(secret)
})
