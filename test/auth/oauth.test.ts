import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { codeOf } from '../support/credentials.ts'
import { type Person, passwordOf } from '../support/people.ts'

const back = 'https://panel.example.com/back?from=latarnik'
const client = {
  client_id: 'panel',
  name: 'Panel <b>"&',
  redirect_uris: [back, 'http://127.0.0.1:7777/', 'com.example.app:/back', 'http://[::1]:7777/'],
  is_implicit_flow_allowed: true,
}
const codesOnly = { client_id: 'codes', name: 'Codes', redirect_uris: [back] }

let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld({ clients: [client, codesOnly] })
})
afterAll(() => world.drop())

type Parameters = Readonly<Record<string, string>>

interface Response {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly payload: string
}

const implicit = { response_type: 'token', client_id: 'panel', redirect_uri: back, state: 'a b&c=d#é' }
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')
const withCode = { ...implicit, response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256' }

const addressOf = (parameters: Parameters) => `/oauth/authorize?${new URLSearchParams(parameters)}`
const open = (parameters: Parameters, headers: Parameters = {}) =>
  world.server.inject({ url: addressOf(parameters), headers })

function post(url: string, form: Parameters, headers: Parameters = {}): Promise<Response> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = new URLSearchParams(form).toString()
  return world.server.inject({ method: 'POST', url, headers: { ...type, ...headers }, payload })
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** The form as a browser without JavaScript would send it back. */
async function formOf(parameters: Parameters): Promise<{ fields: Parameters; cookie: string }> {
  const page = await open(parameters)
  expect(page.statusCode).toBe(200)
  const hidden = [...page.payload.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const cookie = /^latarnik_form=[^;]+/.exec(String(page.headers['set-cookie']))?.[0] ?? ''
  return { fields: Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, unescaped(value)])), cookie }
}

async function logIn(parameters: Parameters, person: Person, more: Parameters = {}): Promise<Response> {
  const { fields, cookie } = await formOf(parameters)
  const credentials = { username: person, password: passwordOf(person), code: '' }
  return post('/oauth/authorize', { ...fields, ...credentials, ...more }, { cookie })
}

const locationOf = (response: Response) => new URL(String(response.headers.location))
const whoIs = (token: string | null) =>
  world.call(null, 'GET', '/accounts/my_account?fields=username', undefined, { authorization: `Bearer ${token}` })

describe('the login form', () => {
  test('works without scripts, is not framed, leaks no address and names the client as text', async () => {
    const page = await open(implicit, { 'accept-language': 'pl' })
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(String(page.headers['content-security-policy']).split('; ')).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[A-Za-z0-9+/=]{44}'$/),
      "script-src 'self'",
      "connect-src 'self'",
      "form-action 'self' https://panel.example.com",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ])
    expect(String(page.headers['set-cookie'])).toMatch(/^latarnik_form=[\w-]{43}; .*HttpOnly; SameSite=Lax$/)
    expect(page.payload).toContain('<html lang="pl">')
    expect(page.payload).toContain('Panel &lt;b&gt;&quot;&amp;')
    // One script asks for passkeys; its form is hidden without it, and the password needs none.
    expect(page.payload.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(/^<script type="module" src="\/console\//),
    ])
    expect(page.payload).toMatch(/<form class="passkey"[^>]* hidden>/)
    expect(page.payload).not.toMatch(/javascript:|\son\w+=|style="/)
    expect((await open(implicit, { 'accept-language': 'en' })).payload).toContain('<html lang="en">')
    const style = /<style>([\s\S]*)<\/style>/.exec(page.payload)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(page.headers['content-security-policy']).toContain(`'sha256-${hash}'`)
  })

  test.each([
    ['com.example.app:/back', 'com.example.app:'],
    ['http://127.0.0.1:7777/', 'http://127.0.0.1:7777'],
    ['http://[::1]:7777/', 'http:'],
  ])('lets the answer redirect to %s', async (redirect_uri, source) => {
    const page = await open({ ...implicit, redirect_uri })
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${source};`)
  })

  test.each([
    ['an unknown client', { client_id: 'other' }],
    ['no client', { client_id: '' }],
    ['a client of odd letters', { client_id: 'a\u0000b' }],
    ['another address', { redirect_uri: 'https://evil.example.com/' }],
    ['a longer address', { redirect_uri: `${back}/more` }],
    ['an address in other letters', { redirect_uri: back.replace('panel.', 'PANEL.') }],
    ['a beginning of the address', { redirect_uri: 'https://panel.example.com/' }],
    ['a host that begins alike', { redirect_uri: back.replace('.com/', '.com.evil.example/') }],
    ['a name before the host', { redirect_uri: back.replace('//', '//evil.example@') }],
    ['the host as a name', { redirect_uri: back.replace('.com/', '.com@evil.example/') }],
    ['a host after a backslash', { redirect_uri: back.replace('//', '//evil.example\\\\@') }],
    ['a fragment', { redirect_uri: `${back}#x` }],
    ['a port', { redirect_uri: back.replace('.com/', '.com:443/') }],
    ['another scheme', { redirect_uri: back.replace('https', 'http') }],
    ['percent signs', { redirect_uri: back.replace('back', 'b%61ck') }],
    ['a step up', { redirect_uri: back.replace('back', 'x/../back') }],
    ['a slash at the end', { redirect_uri: back.replace('back', 'back/') }],
    ['a line end', { redirect_uri: `${back}\r\nSet-Cookie: a=b` }],
    ['another port of this machine', { redirect_uri: 'http://127.0.0.1:7778/' }],
    ['another name of this machine', { redirect_uri: 'http://localhost:7777/' }],
    ['no address', { redirect_uri: '' }],
  ])('is an error page for %s, and never redirects', async (_, change) => {
    const { fields, cookie } = await formOf(implicit)
    const replies = [
      await open({ ...implicit, ...change }),
      await open({ ...implicit, ...change, response_type: 'nonsense' }),
      await post(
        '/oauth/authorize',
        { ...fields, ...change, username: 'bob', password: passwordOf('bob') },
        { cookie },
      ),
    ]
    for (const reply of replies) {
      expect(reply.statusCode).toBe(400)
      expect(reply.headers.location).toBeUndefined()
      expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(reply.payload).toContain('This link does not work')
    }
  })

  test.each([
    ['an unknown response type', { ...implicit, response_type: 'id_token' }, 'unsupported_response_type'],
    ['no code challenge', { ...withCode, code_challenge: '' }, 'invalid_request'],
    ['the implicit flow', { ...implicit, client_id: 'codes' }, 'unauthorized_client'],
    ['a plain challenge', { ...withCode, code_challenge_method: 'plain' }, 'invalid_request'],
  ] as const)('tells the client of %s', async (_, parameters, error) => {
    const reply = await open(parameters)
    expect(reply.statusCode).toBe(303)
    const location = locationOf(reply)
    const values =
      parameters.response_type === 'code' ? location.searchParams : new URLSearchParams(location.hash.slice(1))
    expect(values.get('error')).toBe(error)
    expect(values.get('state')).toBe(implicit.state)
    expect(values.get('iss')).toBe('http://api.test')
  })

  test('a repeated parameter is refused', async () => {
    const reply = await world.server.inject({ url: `${addressOf(implicit)}&state=other` })
    expect(String(reply.headers.location)).toContain('error=invalid_request')
  })

  test('gives back a denial when the person cancels', async () => {
    const { payload } = await open(implicit)
    const cancel = new URL(unescaped(/<a href="([^"]+)">Cancel/.exec(payload)?.[1] ?? ''))
    expect(new URLSearchParams(cancel.hash.slice(1)).get('error')).toBe('access_denied')
  })

  test('stays with a message when the password is wrong, and keeps the name but not the password', async () => {
    const reply = await logIn(implicit, 'bob', { username: 'bob"><b>', password: 'a wrong one' })
    expect(reply.statusCode).toBe(401)
    expect(reply.payload).toContain('The username or the password is not correct.')
    expect(reply.payload).toContain('value="bob&quot;&gt;&lt;b&gt;"')
    expect(reply.payload).not.toContain('a wrong one')
    await world.database.execute(sql`update accounts set is_blocked = true where username = 'charlie'`)
    expect((await logIn(implicit, 'charlie')).payload).toContain('The account is blocked.')
  })

  test('is taken only from the browser that it was served to', async () => {
    const { fields, cookie } = await formOf(implicit)
    const sent: Parameters = { ...fields, username: 'bob', password: passwordOf('bob') }
    const other = await formOf(implicit)
    const bare = { ...sent, form_token: '' }
    const forged = [
      await post('/oauth/authorize', sent),
      await post('/oauth/authorize', bare, { cookie }),
      await post('/oauth/authorize', sent, { cookie: other.cookie }),
      await post('/oauth/authorize', sent, { cookie, 'sec-fetch-site': 'cross-site' }),
    ]
    for (const reply of forged) {
      expect(reply.statusCode).toBe(403)
      expect(reply.headers.location).toBeUndefined()
    }
    expect(
      (await post('/oauth/authorize', sent, { cookie, 'sec-fetch-site': 'same-origin', origin: 'null' })).statusCode,
    ).toBe(303)
  })

  test('counts guesses against the limit of attempts', async () => {
    const { fields, cookie } = await formOf(implicit)
    const guess = { ...fields, username: 'carol', password: 'a guess' }
    const headers = { cookie }
    const replies = await Promise.all(Array.from({ length: 102 }, () => post('/oauth/authorize', guess, headers)))
    const late = replies.find(({ statusCode }) => statusCode === 429)
    expect(late?.headers['retry-after']).toBeDefined()
    expect(late?.payload).toContain('Too many requests.')
    world.clock.advance(60_000)
  })
})

describe('the implicit flow', () => {
  test('returns a token in the fragment that is a session like any other', async () => {
    const reply = await logIn(implicit, 'bob')
    expect(reply.statusCode).toBe(303)
    const location = locationOf(reply)
    expect(`${location.origin}${location.pathname}${location.search}`).toBe(back)
    const values = new URLSearchParams(location.hash.slice(1))
    expect(Object.fromEntries(values)).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: '3600',
      state: implicit.state,
      iss: 'http://api.test',
    })
    expect((await whoIs(values.get('access_token'))).body).toEqual({ username: 'bob' })
    const [logged] = await world.database.query(
      sql`select method, success from authentications order by id desc limit 1`,
    )
    expect(logged).toEqual({ method: 'oauth', success: true })
  })

  test('is closed to a client that does not declare it, also behind a form that was open before', async () => {
    const { fields, cookie } = await formOf(implicit)
    const login = { username: 'bob', password: passwordOf('bob'), code: '' }
    const reply = await post('/oauth/authorize', { ...fields, ...login, client_id: 'codes' }, { cookie })
    expect(locationOf(reply).hash).toContain('error=unauthorized_client')
    expect(locationOf(reply).hash).not.toContain('access_token')
    expect((await open({ ...withCode, client_id: 'codes' })).statusCode).toBe(200)
    const own = {
      client_id: 'latarnik-documentation',
      redirect_uri: 'http://api.test/v3/public/doc/oauth2-redirect.html',
    }
    expect(String((await open({ ...implicit, ...own })).headers.location)).toContain('error=unauthorized_client')
  })

  test('leaves the state out when there was none', async () => {
    const { state: _none, ...parameters } = implicit
    expect(String((await logIn(parameters, 'bob')).headers.location)).not.toContain('state')
  })

  test('asks for the code of the second factor', async () => {
    const { alice } = world.people.ids
    await world.call('alice', 'POST', '/accounts/my_account/2fa/setup')
    const code = await codeOf(world.database, alice, world.clock.now())
    expect((await world.call('alice', 'POST', '/accounts/my_account/2fa/verify', { code })).status).toBe(200)
    world.clock.advance(60_000)
    expect((await logIn(implicit, 'alice')).statusCode).toBe(401)
    expect((await logIn(implicit, 'alice', { code: '1' })).statusCode).toBe(401)
    const right = await codeOf(world.database, alice, world.clock.now())
    expect((await logIn(implicit, 'alice', { code: ` ${right} ` })).statusCode).toBe(303)
  })

  test('serves the clients that an administrator has entered', async () => {
    await world.database.execute(sql`
      insert into oauth_clients (distribution_id, client_id, name, redirect_uris, is_implicit_flow_allowed)
      select id, 'entered', 'Entered', '{https://entered.example.com/,"javascript:alert(1)"}', true from distributions`)
    const parameters = { ...implicit, client_id: 'entered', redirect_uri: 'https://entered.example.com/' }
    expect((await logIn(parameters, 'bob')).statusCode).toBe(303)
    expect((await open({ ...parameters, redirect_uri: 'javascript:alert(1)' })).statusCode).toBe(400)
  })
})

describe('the authorization code', () => {
  const exchange = (code: string, more: Parameters = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      redirect_uri: back,
      client_id: 'panel',
      code_verifier: verifier,
      ...more,
    })
  const codeFor = async (person: Person) => locationOf(await logIn(withCode, person)).searchParams.get('code') ?? ''

  test('comes back in the query and becomes a session with its verifier', async () => {
    const location = locationOf(await logIn(withCode, 'bob'))
    expect(location.searchParams.get('from')).toBe('latarnik')
    expect(location.searchParams.get('state')).toBe(implicit.state)
    expect(location.searchParams.get('iss')).toBe('http://api.test')
    expect(location.hash).toBe('')
    const reply = await exchange(location.searchParams.get('code') ?? '')
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'cache-control': 'no-store',
      'content-type': expect.stringMatching(/^application\/json/),
    })
    const token = JSON.parse(reply.payload) as { access_token: string }
    expect(token).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600 })
    expect((await whoIs(token.access_token)).body).toEqual({ username: 'bob' })
  })

  test('that comes twice was stolen: its session ends', async () => {
    const code = await codeFor('bob')
    const { access_token: token } = JSON.parse((await exchange(code)).payload) as { access_token: string }
    expect((await exchange(code)).statusCode).toBe(400)
    expect((await whoIs(token)).status).toBe(401)
  })

  test('exchanged by many at once leaves no session behind', async () => {
    const code = await codeFor('bob')
    const replies = await Promise.all(Array.from({ length: 6 }, () => exchange(code)))
    expect(replies.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(1)
    const tokens = replies.flatMap(({ statusCode, payload }) =>
      statusCode === 200 ? [(JSON.parse(payload) as { access_token: string }).access_token] : [],
    )
    for (const token of tokens) expect((await whoIs(token)).status).toBe(401)
  })

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }],
    ['a short verifier', { code_verifier: 'v' }],
    ['another client', { client_id: 'entered' }],
    ['another address', { redirect_uri: 'http://127.0.0.1:7777/' }],
  ])('is spoiled by %s', async (_, change) => {
    const code = await codeFor('bob')
    const reply = await exchange(code, change)
    expect(reply.statusCode).toBe(400)
    expect(JSON.parse(reply.payload)).toEqual({ error: 'invalid_grant' })
    expect((await exchange(code)).statusCode).toBe(400)
  })

  test('lives a minute, and no longer than the password', async () => {
    const old = await codeFor('bob')
    world.clock.advance(60_000)
    expect((await exchange(old)).statusCode).toBe(400)
    const code = await codeFor('bob')
    const change = { new_password: passwordOf('bob'), current_password: passwordOf('bob') }
    expect((await world.call('bob', 'POST', '/accounts/my_account/change_password', change)).status).toBe(204)
    expect((await exchange(code)).statusCode).toBe(400)
    expect(JSON.stringify(await world.database.query(sql`select * from oauth_codes`))).not.toContain(code)
  })

  test.each([
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
    ['nothing known', { code: 'x'.repeat(43) }, 'invalid_grant'],
  ])('with %s is refused', async (_, change, error) => {
    const reply = await exchange('y'.repeat(43), change)
    expect(reply.statusCode).toBe(400)
    expect(JSON.parse(reply.payload)).toEqual({ error })
  })

  test('needs all its parameters, in a form', async () => {
    const payload = JSON.stringify({ grant_type: 'authorization_code' })
    const headers = { 'content-type': 'application/json' }
    const replies = [
      await post('/oauth/token', { grant_type: 'authorization_code' }),
      await world.server.inject({ method: 'POST', url: '/oauth/token', headers, payload }),
    ]
    for (const reply of replies) expect(JSON.parse(reply.payload)).toEqual({ error: 'invalid_request' })
  })
})

describe('a token', () => {
  const tokenBy = async () =>
    new URLSearchParams(locationOf(await logIn(implicit, 'bob')).hash.slice(1)).get('access_token') ?? ''

  test('is taken from the header alone, not from an address that lies in logs and histories', async () => {
    const token = await tokenBy()
    for (const name of ['access_token', 'token', 'authorization']) {
      const reply = await world.server.inject(`/v3/accounts/my_account?${name}=${token}`)
      expect([name, reply.statusCode, reply.payload.includes(token)]).toEqual([name, 401, false])
    }
  })

  test.each(['/sessions/my_session', '/auth_token'])('ends for good with DELETE %s', async (path) => {
    const token = await tokenBy()
    const authorization = `Bearer ${token}`
    expect((await world.call(null, 'DELETE', path, undefined, { authorization })).status).toBe(204)
    expect((await whoIs(token)).status).toBe(401)
  })
})
