import { describe, expect, test } from 'vitest'
import { StatusPageRig } from '../support/status-page-rig.ts'
import { documentSchemas } from '../support/statuspage-schemas.ts'

/** The answers to visitors who may not see a page, and the powers of other sites over pages. */

const rig = new StatusPageRig()
const { component, incident, visit } = rig

const put = (body: object) => rig.world.call('alice', 'PUT', `/status_pages/${rig.id}`, body)

async function furnish(): Promise<readonly string[]> {
  const part = await component({ name: 'Secret part', status: 'operational' })
  const id = await incident({
    name: 'Secret incident',
    body: 'Secret words',
    component_ids: [part],
    is_published: true,
  })
  return [
    ...['', '/', '/history.html', `/incidents/${id}.html`, '/incidents/0.html', '/history.rss', '/history.atom'],
    ...['/maintenance.ics', '/banner.svg', '/banner.html', '/markdown', '/favicon.ico', '/robots.txt', '/logos/x.svg'],
    ...Object.keys(documentSchemas).map((name) => `/api/v2/${name}.json`),
    ...['/subscribe', '/subscribe/browser', '/subscribe/worker.js', '/subscribe/browser.js'],
    ...['/subscribe/manage?token=x', '/subscribe/leave?token=x', '/subscribe/confirm?token=x'],
    ...['//history.rss', '/%2e/history.rss', '/history%2erss', '/history.rss/', '?key=x', '/?key[]=x'],
  ]
}

const accesses = [
  ['password', { password: 'open sesame' }],
  ['link', {}],
  ['addresses', { allowed_addresses: ['198.51.100.0/24'] }],
  ['login', {}],
] as const

describe.each(accesses)('a page by %s', (access, more) => {
  test('gives strangers nothing below any of its paths, whatever they ask with', async () => {
    const paths = await furnish()
    await put({ access, ...more })
    const { world, slug } = rig
    world.clock.advance(31_000)
    const nowhere = (await world.server.inject({ url: '/status/nowhere-at-all' })).payload
    const asks = [{}, { accept: 'text/markdown' }, { 'x-forwarded-for': '198.51.100.7', 'if-none-match': '*' }]
    for (const path of paths)
      for (const headers of asks)
        for (const method of ['GET', 'HEAD'] as const) {
          const reply = await world.server.inject({ method, url: `/status/${slug}${path}`, headers })
          const isForm = access === 'password' && /^\/?(\?.*)?$/.test(path)
          expect([path, method, reply.statusCode]).toEqual([path, method, isForm ? 403 : 404])
          expect(reply.headers).toMatchObject({ 'cache-control': 'private, no-store' })
          expect(reply.headers).not.toHaveProperty('etag')
          expect(reply.payload).not.toMatch(/Secret|Sklep/)
          if (!isForm && method === 'GET') expect([path, reply.payload]).toEqual([path, nowhere])
        }
  })
})

test('a password opens one page, and a stranger cookie beside it closes none', async () => {
  await put({ access: 'password', password: 'open sesame' })
  const other = { slug: `${rig.slug}-other`, title: 'Other', access: 'password', password: 'open sesame' }
  await rig.world.call('alice', 'POST', '/status_pages', other)
  rig.world.clock.advance(31_000)
  const enter = (url: string, payload: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    return rig.world.server.inject({ method: 'POST', url, payload, headers })
  }
  expect((await enter(`/status/${rig.slug}//evil.example`, 'password=open+sesame')).statusCode).toBe(404)
  const { headers } = await enter(`/status/${rig.slug}?to=//evil.example`, 'password=open+sesame&to=//evil.example')
  expect(headers['location']).toBe(`/status/${rig.slug}`)
  const pass = String(headers['set-cookie']).split(';')[0] ?? ''
  const stranger = `latarnik_page=${'a'.repeat(43)}`
  for (const cookie of [pass, `${stranger}; ${pass}`, `${pass}; ${stranger}`, `x=1;${pass};y=2`])
    expect([cookie, (await visit('', { cookie })).status]).toEqual([cookie, 200])
  for (const cookie of [stranger, `${pass}a`, pass.replace('latarnik_page', 'other_latarnik_page')])
    expect([cookie, (await visit('', { cookie })).status]).toEqual([cookie, 403])
  const there = await rig.world.server.inject({ url: `/status/${other.slug}`, headers: { cookie: pass } })
  expect(there.statusCode).toBe(403)
})

test('other sites frame the banner of a public page alone, and load nothing of a hidden one', async () => {
  const policies = async (path: string) => {
    const { status, headers } = await visit(path)
    const [, frames] = /frame-ancestors ([^;]+)/.exec(String(headers['content-security-policy'])) ?? []
    return [status, frames, headers['cross-origin-resource-policy'], headers['access-control-allow-origin']]
  }
  expect(await policies('')).toEqual([200, "'none'", 'cross-origin', '*'])
  expect(await policies('/banner.html')).toEqual([200, '*', 'cross-origin', '*'])
  await put({ access: 'addresses', allowed_addresses: ['127.0.0.0/8'] })
  expect(await policies('')).toEqual([200, "'none'", 'same-origin', undefined])
  expect(await policies('/banner.html')).toEqual([200, "'self'", 'same-origin', undefined])
  const { url } = (await rig.world.call('alice', 'POST', `/status_pages/${rig.id}/link`)).answer
  await put({ access: 'link' })
  // Somebody with the link may show the banner elsewhere.
  expect(await policies(`/banner.html${new URL(url).search}`)).toEqual([200, '*', 'cross-origin', '*'])
})

/** Headers by which a stranger could make a shared cache keep something else. */
const poisons = {
  ...{ host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example;proto=https' },
  ...{
    'x-forwarded-proto': 'https',
    'x-forwarded-port': '666',
    'x-forwarded-prefix': '/evil',
    'x-host': 'evil.example',
  },
  ...{
    'x-original-url': '/login',
    'x-rewrite-url': '/login',
    'x-http-method-override': 'POST',
    origin: 'http://evil.example',
  },
  ...{
    'accept-language': 'pl',
    range: 'bytes=0-3',
    cookie: 'latarnik_console=x; latarnik_page=x',
    authorization: 'Bearer x',
  },
}

test('a public page is the same whatever a request says of hosts, proxies, languages and visitors', async () => {
  const paths = (await furnish()).filter(
    (path) => !/subscribe|markdown|favicon|robots|logos|incidents\/0|%2e|\/\/|rss\/|\[/.test(path),
  )
  expect(paths.length).toBeGreaterThan(15)
  rig.world.clock.advance(31_000)
  for (const path of paths) {
    const ask = (headers: Record<string, string>) =>
      rig.world.server.inject({ url: `/status/${rig.slug}${path}`, headers: { host: 'api.test', ...headers } })
    const plain = await ask({})
    expect([path, plain.statusCode, plain.headers['vary']]).toEqual([path, 200, 'Accept, Accept-Encoding'])
    expect(plain.payload).not.toContain('evil')
    for (const [name, value] of Object.entries(poisons)) {
      const { statusCode, headers, payload } = await ask({ [name]: value })
      expect([path, name, statusCode, headers['set-cookie']]).toEqual([path, name, 200, undefined])
      expect([path, name, headers['etag'], payload === plain.payload]).toEqual([
        path,
        name,
        plain.headers['etag'],
        true,
      ])
    }
  }
})

test('a script of any site may ask a page with a tag, and learns by that of no hidden one', async () => {
  const ask = (slug: string, path: string) => {
    const headers = {
      origin: 'http://other.example',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'if-none-match',
    }
    return rig.world.server.inject({ method: 'OPTIONS', url: `/status/${slug}${path}`, headers })
  }
  const told = async (slug: string) => {
    const { statusCode, headers } = await ask(slug, '/api/v2/status.json')
    const { 'access-control-allow-origin': origin, 'access-control-allow-headers': names } = headers
    return [statusCode, origin, names, headers['access-control-allow-credentials'], headers['set-cookie']]
  }
  expect(await told(rig.slug)).toEqual([204, '*', 'Accept, If-None-Match', undefined, undefined])
  expect((await visit('/api/v2/status.json')).headers).toMatchObject({ 'access-control-expose-headers': 'ETag' })
  await put({ access: 'login' })
  expect(await told(rig.slug)).toEqual(await told('nowhere-at-all'))
  expect((await visit('/api/v2/status.json')).headers).not.toHaveProperty('access-control-allow-origin')
})
