import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { passwordOf } from '../support/people.ts'

/** The documentation page logs people in like any other application, without anybody having entered it. */
let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld()
})
afterAll(() => world.drop())

type Parameters = Readonly<Record<string, string>>

const own = 'http://api.test/v3/public/doc/oauth2-redirect.html'
const verifier = 'v'.repeat(43)
const wanted = {
  response_type: 'code',
  client_id: 'latarnik-documentation',
  redirect_uri: own,
  state: 'now',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
}

function open(parameters: Parameters) {
  return world.server.inject({ url: `/oauth/authorize?${new URLSearchParams(parameters)}` })
}

function post(url: string, form: Parameters, headers: Parameters = {}) {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return world.server.inject({
    ...{ method: 'POST', url, headers: { ...type, ...headers } },
    payload: new URLSearchParams(form).toString(),
  })
}

test('it gets a session by a code', async () => {
  const page = await open(wanted)
  const cookie = String(page.headers['set-cookie']).split(';', 1)[0] ?? ''
  const formToken = /name="form_token" value="([^"]*)"/.exec(page.payload)?.[1] ?? ''
  const login = { ...wanted, form_token: formToken, username: 'alice', password: passwordOf('alice'), code: '' }
  const answer = await post('/oauth/authorize', login, { cookie })
  const location = new URL(String(answer.headers.location))
  expect(`${location.origin}${location.pathname}`).toBe(own)
  const code = location.searchParams.get('code') ?? ''
  const exchange = { grant_type: 'authorization_code', client_id: wanted.client_id, redirect_uri: own }
  const reply = await post('/oauth/token', { ...exchange, code, code_verifier: verifier })
  const { access_token: token } = JSON.parse(reply.payload) as { access_token: string }
  const whoIs = await world.call(null, 'GET', '/accounts/my_account?fields=username', undefined, {
    authorization: `Bearer ${token}`,
  })
  expect(whoIs.body).toEqual({ username: 'alice' })
})

test('its page has the place that the answer comes back to, which loads nothing of others and is kept nowhere', async () => {
  const page = await world.server.inject({ url: new URL(own).pathname })
  expect(page.statusCode).toBe(200)
  expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  expect(page.headers['content-security-policy']).toContain("default-src 'self'")
  expect((await world.server.inject({ url: '/v3/public/doc/oauth2-redirect.js' })).statusCode).toBe(200)
  const start = await world.server.inject({ url: '/v3/public/doc/start.js' })
  expect(start.payload).toContain(`clientId: '${wanted.client_id}'`)
})

test('it is sent back to nobody else, and nobody else may be called so', async () => {
  for (const redirect_uri of ['https://evil.example.com/', own.replace('api.test', 'evil.test'), `${own}?x=1`]) {
    expect((await open({ ...wanted, redirect_uri })).statusCode).toBe(400)
  }
  const entered = { client_id: wanted.client_id, name: 'Evil', redirect_uris: ['https://evil.example.com/'] }
  const reply = await world.call('dora', 'POST', '/admin/oauth_clients', entered)
  expect([reply.status, reply.text]).toEqual([422, expect.stringContaining('value_is_not_unique')])
})
