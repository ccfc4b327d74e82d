import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'
import { type Person, passwordOf } from '../support/people.ts'

let world: FurnishedWorld
let service: string
let analysis: string
beforeAll(async () => {
  world = await furnishedWorld()
  service = `/services/${world.serviceIds.shared}`
  analysis = `${service}/analyses/${world.history.failureId}`
})
afterAll(() => world.drop())

const cookieIn = (header: string | string[] | number | undefined, name: string) =>
  new RegExp(`${name}=([^;]*)`).exec(String(header))?.[1] ?? ''

async function get(url: string, cookie = '') {
  const { statusCode, headers, payload } = await world.server.inject({ url, headers: { cookie, accept: 'text/html' } })
  return { status: statusCode, headers, text: payload }
}

async function post(url: string, fields: Readonly<Record<string, string>>, cookie: string, site = 'same-origin') {
  const { statusCode, headers, payload } = await world.server.inject({
    ...{ method: 'POST', url, payload: new URLSearchParams(fields).toString() },
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
  })
  return { status: statusCode, headers, text: payload }
}

/** The form's token, in the cookie and in the field. */
async function formOf(url: string) {
  const { headers } = await get(url)
  const token = cookieIn(headers['set-cookie'], 'latarnik_form')
  return { cookie: `latarnik_form=${token}`, form_token: token }
}

async function logIn(person: Person, to: string, password = passwordOf(person)) {
  const { cookie, form_token } = await formOf(`/login?to=${encodeURIComponent(to)}`)
  const reply = await post('/login', { form_token, to, username: person, password }, cookie)
  return {
    ...reply,
    cookie: `${cookie}; latarnik_console=${cookieIn(reply.headers['set-cookie'], 'latarnik_console')}`,
  }
}

describe('the console', () => {
  test('asks for a login and comes back to where somebody wanted to go, filters included', async () => {
    const wanted = '/services?status.summary=failure&query=shop'
    const asked = await get(wanted)
    expect([asked.status, asked.headers['location']]).toEqual([303, `/login?${new URLSearchParams({ to: wanted })}`])
    const { status, headers } = await logIn('alice', wanted)
    expect([status, headers['location']]).toEqual([303, wanted])
    expect(String(headers['set-cookie'])).toMatch(/^latarnik_console=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('is one document for all its paths: nothing inline, nothing from elsewhere, in nobody’s frame', async () => {
    const { cookie } = await logIn('alice', service)
    const texts = new Set<string>()
    for (const path of ['/', '/services', service, analysis, `${service}/failures/1`, '/stations', '/account']) {
      const page = await get(path, cookie)
      expect([path, page.status]).toEqual([path, 200])
      texts.add(page.text)
      const policy = String(page.headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
    }
    expect(texts.size).toBe(1)
    const [text = ''] = texts
    expect(text).not.toMatch(/<script(?![^>]* src="\/console\/)|<style|https?:\/\//)
  })

  test('has files whose names change with them, compressed for whoever takes that', async () => {
    const { cookie } = await logIn('alice', service)
    const { text } = await get('/', cookie)
    const script = /<script type="module" src="([^"]+)"/.exec(text)?.[1] ?? ''
    const file = await world.server.inject({ url: script, headers: { 'accept-encoding': 'br, gzip' } })
    expect(file.statusCode).toBe(200)
    expect(file.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
    })
    expect((await get('/console/first-files.json', cookie)).status).toBe(404)
    expect((await get('/console/../package.json', cookie)).status).toBe(404)
  })

  test('gives the token to its own page alone', async () => {
    const { cookie } = await logIn('alice', service)
    const ask = (headers: Readonly<Record<string, string>>) =>
      world.server.inject({ url: '/console/session', headers: { cookie, ...headers } })
    const own = await ask({ 'x-latarnik-console': '1', 'sec-fetch-site': 'same-origin' })
    expect([own.statusCode, own.json(), own.headers['cache-control']]).toEqual([
      200,
      { token: cookieIn(cookie, 'latarnik_console') },
      'no-store',
    ])
    for (const headers of [{}, { 'x-latarnik-console': '1', 'sec-fetch-site': 'cross-site' }]) {
      const { statusCode, payload } = await ask(headers as Readonly<Record<string, string>>)
      expect([statusCode, payload]).toEqual([403, expect.not.stringContaining('token')])
    }
    const nobody = await world.server.inject({ url: '/console/session', headers: { 'x-latarnik-console': '1' } })
    expect(nobody.json()).toEqual({ token: null })
  })

  test('is not found at other paths', async () => {
    const { cookie } = await logIn('alice', service)
    for (const path of ['/nothing', '/servicesx', '/v3x'])
      expect([path, (await get(path, cookie)).status]).toEqual([path, 404])
  })

  test('does not open for a wrong password, nor for a form of another site', async () => {
    const wrong = await logIn('alice', service, 'something else')
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([422, expect.not.stringContaining('latarnik_console')])
    expect(wrong.text).toContain('role="alert"')
    const { cookie, form_token } = await formOf('/login')
    const fields = { to: service, username: 'alice', password: passwordOf('alice') }
    expect((await post('/login', { ...fields, form_token }, cookie, 'cross-site')).status).toBe(403)
    expect((await post('/login', { ...fields, form_token: 'x'.repeat(43) }, cookie)).status).toBe(403)
  })

  test.each([
    'https://evil.example.com',
    '//evil.example.com',
    '/\\evil.example.com',
    '/services/../v3/x',
    '/v3/sessions',
    '/%2F/evil.example.com',
    'javascript:alert(1)',
  ])('a login does not lead to %s', async (to) => {
    expect((await logIn('alice', to)).headers['location']).toBe('/')
  })

  test('opens nothing else: the API takes no cookie', async () => {
    const { cookie } = await logIn('alice', service)
    expect((await get('/v3/services', cookie)).status).toBe(401)
  })

  test('is left by logging out, which ends the session; other sites cannot do that', async () => {
    const { cookie } = await logIn('alice', service)
    const leave = (headers: Readonly<Record<string, string>>) =>
      world.server.inject({ method: 'DELETE', url: '/console/session', headers: { cookie, ...headers } })
    expect((await leave({})).statusCode).toBe(403)
    expect((await leave({ 'x-latarnik-console': '1', 'sec-fetch-site': 'same-site' })).statusCode).toBe(403)
    const authorization = `Bearer ${cookieIn(cookie, 'latarnik_console')}`
    const session = () => world.call(null, 'GET', '/sessions/my_session', undefined, { authorization })
    expect((await session()).status).toBe(200)
    const left = await leave({ 'x-latarnik-console': '1', 'sec-fetch-site': 'same-origin' })
    expect([left.statusCode, String(left.headers['set-cookie'])]).toEqual([204, expect.stringContaining('Max-Age=0')])
    expect((await session()).status).toBe(401)
  })
})

describe('an address where nothing is', () => {
  const ask = async (url: string, accept?: string, method: 'GET' | 'POST' = 'GET') => {
    const headers = { 'accept-language': 'en', ...(accept === undefined ? {} : { accept }) }
    const { statusCode, headers: answered, payload } = await world.server.inject({ method, url, headers })
    return { status: statusCode, type: String(answered['content-type']).replace(/;.*/, ''), text: payload }
  }
  const browser = 'text/html,application/xhtml+xml,*/*;q=0.8'

  test('shows people a page that leads to the start, with the address as text', async () => {
    const page = await ask('/nonsense/%3Cb%3E?token=secret', browser)
    expect(page).toMatchObject({ status: 404, type: 'text/html' })
    expect(page.text).toContain('There is no such page')
    expect(page.text).toMatch(/href="[^"]*\/"/)
    expect(page.text).not.toContain('<b>')
    expect(page.text).not.toContain('secret')
  })

  test.each([
    ['/nonsense', undefined, 'GET'],
    ['/nonsense', 'application/json', 'GET'],
    ['/nonsense', browser, 'POST'],
    ['/v3/nonsense', browser, 'GET'],
  ] as const)('answers %s for %s by %s with a problem', async (url, accept, method) => {
    const reply = await ask(url, accept, method)
    expect(reply).toMatchObject({ status: 404, type: 'application/json' })
    expect(JSON.parse(reply.text)).toMatchObject([{ error: 'not_found' }])
  })
})
