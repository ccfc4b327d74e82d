import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { deviceOf } from '../support/own-passkey.ts'
import type { SoftAuthenticator } from '../support/passkeys.ts'

/** A passkey logs in to other applications, too, in the form of `/oauth/authorize`. */

const back = 'https://panel.example.com/back'
const client = { client_id: 'panel', name: 'Panel', redirect_uris: [back], is_implicit_flow_allowed: true }
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const implicit = { response_type: 'token', client_id: 'panel', redirect_uri: back, state: 's' }
const withCode = { ...implicit, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }

let world: ApiWorld
let device: SoftAuthenticator
beforeAll(async () => {
  world = await apiWorld({ clients: [client] })
  device = await deviceOf(world, 'bob')
  // Its passkeys are the only second factor: it has no code.
  const headers = { authorization: `Bearer ${await tokenByPasskey()}` }
  const body = { current_password: 'bob may come in' }
  const enabled = await world.call(null, 'POST', '/accounts/my_account/2fa/enable', body, headers)
  expect([enabled.status < 300, enabled.text]).toEqual([true, expect.anything()])
})
afterAll(() => world.drop())

async function tokenByPasskey(): Promise<string> {
  const options = (await world.call(null, 'POST', '/sessions/passkey/options')).body as { challenge: string }
  const reply = await world.call(null, 'POST', '/sessions/passkey', { response: device.answer(options) })
  return (reply.body as { token: string }).token
}

type Form = Readonly<Record<string, string>>

function post(url: string, form: Form, cookie: string) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie, 'accept-language': 'en' }
  return world.server.inject({ method: 'POST', url, headers, payload: new URLSearchParams(form).toString() })
}

/** The hidden fields of the form for passkeys, and the cookie of its page. */
async function passkeyForm(parameters: Form) {
  const page = await world.server.inject({ url: `/oauth/authorize?${new URLSearchParams(parameters)}` })
  const [, fields = ''] = /<form class="passkey"([\s\S]*?)<\/form>/.exec(page.payload) ?? []
  const hidden = [...fields.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const cookie = /^latarnik_form=[^;]+/.exec(String(page.headers['set-cookie']))?.[0] ?? ''
  return { form: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])), cookie }
}

async function challengeFor(form: Form, cookie: string): Promise<{ readonly challenge: string }> {
  const reply = await post('/oauth/authorize/options', { form_token: form['form_token'] ?? '' }, cookie)
  expect(reply.statusCode).toBe(200)
  return (JSON.parse(reply.payload) as { options: { challenge: string } }).options
}

async function logIn(parameters: Form, twist: Parameters<SoftAuthenticator['answer']>[1] = {}) {
  const { form, cookie } = await passkeyForm(parameters)
  const response = JSON.stringify(device.answer(await challengeFor(form, cookie), twist))
  return post('/oauth/authorize', { ...form, response }, cookie)
}

const whoIs = async (token: string | null) => {
  const headers = { authorization: `Bearer ${token}` }
  return (await world.call(null, 'GET', '/accounts/my_account?fields=username', undefined, headers)).body
}

test('a passkey gives a code, which becomes a session that needs no further factor', async () => {
  const reply = await logIn(withCode)
  const to = new URL(String(reply.headers.location))
  expect([reply.statusCode, to.origin, to.searchParams.get('state')]).toEqual([303, 'https://panel.example.com', 's'])
  const exchange = {
    ...{ grant_type: 'authorization_code', code: to.searchParams.get('code') ?? '', code_verifier: verifier },
    ...{ client_id: 'panel', redirect_uri: back },
  }
  const token = JSON.parse((await post('/oauth/token', exchange, '')).payload) as { access_token: string }
  expect(await whoIs(token.access_token)).toEqual({ username: 'bob' })
})

test('a passkey gives a token in the fragment where the client may have one', async () => {
  const to = new URL(String((await logIn(implicit)).headers.location))
  expect(await whoIs(new URLSearchParams(to.hash.slice(1)).get('access_token'))).toEqual({ username: 'bob' })
})

test('a wrong answer, a challenge used twice, and a form of another browser get nothing', async () => {
  const forged = await logIn(withCode, { isForged: true })
  expect([forged.statusCode, forged.payload]).toEqual([401, expect.stringContaining('role="alert"')])
  expect((await logIn(withCode, { origin: 'https://evil.test' })).statusCode).toBe(401)
  const { form, cookie } = await passkeyForm(withCode)
  const response = JSON.stringify(device.answer(await challengeFor(form, cookie)))
  expect((await post('/oauth/authorize', { ...form, response }, cookie)).statusCode).toBe(303)
  expect((await post('/oauth/authorize', { ...form, response }, cookie)).statusCode).toBe(401)
  expect((await post('/oauth/authorize', { ...form, response }, '')).statusCode).toBe(403)
  expect((await post('/oauth/authorize/options', { form_token: form['form_token'] ?? '' }, '')).statusCode).toBe(403)
  expect((await post('/oauth/authorize', { ...form, response: '{' }, cookie)).statusCode).toBe(401)
})

test('a blocked account gets nothing by its passkey', async () => {
  const { bob } = world.people.ids
  await world.database.execute(sql`update accounts set is_blocked = true where id = ${bob}`)
  const reply = await logIn(withCode)
  expect([reply.statusCode, reply.headers.location]).toEqual([401, undefined])
  await world.database.execute(sql`update accounts set is_blocked = false where id = ${bob}`)
})
