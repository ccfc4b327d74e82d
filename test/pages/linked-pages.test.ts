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
  return { ...reply, cookie: `${cookie}; latarnik_reader=${cookieIn(reply.headers['set-cookie'], 'latarnik_reader')}` }
}

describe('the pages that mails link to', () => {
  test('ask for a login and come back', async () => {
    const asked = await get(analysis)
    expect([asked.status, asked.headers['location']]).toEqual([303, `/login?to=${encodeURIComponent(analysis)}`])
    expect((await get(String(asked.headers['location']))).text).toContain(`name="to" value="${analysis}"`)
    const { status, headers } = await logIn('alice', analysis)
    expect([status, headers['location']]).toEqual([303, analysis])
    expect(String(headers['set-cookie'])).toMatch(/^latarnik_reader=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  test('show what the stations saw, why, and what was kept', async () => {
    const { cookie } = await logIn('alice', analysis)
    const page = await get(analysis, cookie)
    expect(page.status).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; /,
    )
    const kept = `${analysis}/checks/${world.people.sensorIds[0]}/content`
    for (const part of ['Failure', 'What the sensors saw', 'What it means', `href="${kept}"`]) {
      expect(page.text).toContain(part)
    }
    const content = await get(kept, cookie)
    expect([content.status, content.text]).toEqual([200, world.history.pageBytes.toString()])
    expect(content.headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment;/),
      'content-security-policy': "sandbox; default-src 'none'",
    })
  })

  test('show how a service is, in the language of the browser, whatever it is called', async () => {
    const name = '</title><script>alert(1)</script>'
    await world.call('alice', 'PUT', service, { name })
    const { cookie } = await logIn('alice', service)
    const reply = await world.server.inject({ url: service, headers: { cookie, 'accept-language': 'pl' } })
    expect(reply.statusCode).toBe(200)
    expect(reply.payload).toContain('&lt;script&gt;')
    expect(reply.payload).not.toContain('<script')
    expect(reply.payload).toContain('Ostatnie nieudane sprawdzenie')
    expect(reply.payload).toContain(`href="${analysis}"`)
  })

  test('show nothing to whom the service does not belong, and say it as of a service that is not there', async () => {
    const { cookie } = await logIn('charlie', service)
    const [hidden, missing] = [await get(service, cookie), await get('/services/987654', cookie)]
    expect([hidden.status, missing.status]).toEqual([404, 404])
    expect(hidden.text).toBe(missing.text)
    const kept = `${analysis}/checks/${world.people.sensorIds[0]}/content`
    expect((await get(kept, cookie)).status).toBe(404)
  })

  test('do not open for a wrong password, nor for a form of another site', async () => {
    const wrong = await logIn('alice', service, 'something else')
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([422, expect.not.stringContaining('latarnik_reader')])
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
    '/services/1/../../x',
    '/v3/sessions',
  ])('do not lead to %s', async (to) => {
    expect((await logIn('alice', to)).headers['location']).toBe('/')
  })

  test('open nothing else: the API takes no cookie', async () => {
    const { cookie } = await logIn('alice', service)
    expect((await get('/v3/services', cookie)).status).toBe(401)
  })

  test('are left by logging out, which ends the session', async () => {
    const { cookie } = await logIn('alice', service)
    const form = await get(service, cookie)
    const form_token = /name="form_token" value="([^"]+)"/.exec(form.text)?.[1] ?? ''
    expect((await post('/logout', {}, cookie)).status).toBe(403)
    expect((await get(service, cookie)).status).toBe(200)
    expect((await post('/logout', { form_token }, cookie)).status).toBe(200)
    expect((await get(service, cookie)).status).toBe(303)
    const authorization = `Bearer ${cookieIn(cookie, 'latarnik_reader')}`
    expect((await world.call(null, 'GET', '/sessions/my_session', undefined, { authorization })).status).toBe(401)
  })
})
