import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

const page = '/public/doc/'

/** Addresses that a page loads by itself. */
function loadedBy(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
}

test('the documentation is a page that loads only what this server has', async () => {
  const reply = await api.call(null, 'GET', page)
  expect([reply.status, reply.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const addresses = loadedBy(reply.text)
  expect(addresses).toContain('./swagger-ui-bundle.js')
  for (const address of addresses) {
    const { pathname, host } = new URL(address, `http://api.test/v3${page}`)
    expect(host).toBe('api.test')
    const loaded = await api.call(null, 'GET', pathname.replace('/v3', ''))
    expect([pathname, loaded.status]).toEqual([pathname, 200])
  }
})

test('its policy lets nothing else be loaded, sent or framed', async () => {
  const policy = String((await api.call(null, 'GET', page)).headers['content-security-policy'])
  for (const rule of policy.split('; ')) expect(rule).toMatch(/^[a-z-]+( 'self'| 'none'| 'unsafe-inline'| data:)+$/)
  expect(policy).toContain("default-src 'self'")
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
})

test('its examples call the server that was asked', async () => {
  const described = async (host?: string) =>
    String(
      (
        JSON.parse((await api.call(null, 'GET', '/public/swagger.json', undefined, host ? { host } : {})).text) as {
          info: { description: string }
        }
      ).info.description,
    )
  expect(await described()).toContain('API=http://api.test/v3\n')
  expect(await described('evil"}')).toContain('API=http://api.test/v3\n')
})

test('the script starts the reader on the description of this server', async () => {
  const { text, headers } = await api.call(null, 'GET', `${page}start.js`)
  expect(headers['content-type']).toMatch(/^text\/javascript/)
  expect(text).toContain("url: '../swagger.json'")
  expect(text).toContain('validatorUrl: null')
  expect(text).not.toMatch(/https?:\/\//)
})

test('the style sheet and the page name no other host', async () => {
  const style = await api.call(null, 'GET', `${page}swagger-ui.css`)
  expect(style.headers['content-type']).toMatch(/^text\/css/)
  expect(style.text).not.toMatch(/@import|url\(['"]?(https?:)?\/\//)
})

test('the address without its slash leads there, and the root to the console', async () => {
  const bare = await api.call(null, 'GET', '/public/doc')
  expect([bare.status, bare.headers['location']]).toEqual([302, '/v3/public/doc/'])
  const root = await api.server.inject({ method: 'GET', url: '/' })
  expect([root.statusCode, root.headers.location]).toEqual([303, '/login?to=%2F'])
})

test('only the files of the reader are served, not the package around them', async () => {
  for (const name of [
    'package.json',
    'index.html',
    '..%2fpackage.json',
    'swagger-ui-bundle.js.map',
    '%2e%2e/%2e%2e/package.json',
  ]) {
    expect([name, (await api.call(null, 'GET', `${page}${name}`)).status]).toEqual([name, 404])
  }
})
