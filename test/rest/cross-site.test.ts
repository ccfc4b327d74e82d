import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { passwordOf } from '../support/people.ts'
import { pointersOf } from '../support/refused.ts'

let api: ApiWorld
let path = ''

beforeAll(async () => {
  api = await apiWorld()
  const service = { type_id: 'http', name: 'Sklep', address: 'shop.example.com' }
  const { body } = await api.call('alice', 'POST', '/services', service)
  path = `/services/${(body as { id: number }).id}/force_analysis`
})
afterAll(() => api.drop())

type Headers = Record<string, string>
const form: Headers = { 'content-type': 'application/x-www-form-urlencoded' }

const foreign: readonly (readonly [string, Headers])[] = [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['another host of the site', { 'sec-fetch-site': 'same-site', origin: 'http://www.api.test' }],
  ['an origin, without TLS', { origin: 'http://evil.example.com' }],
  ['a page without an origin', { origin: 'null' }],
  ['a form of another site', { ...form, origin: 'http://evil.example.com' }],
]

test.each(foreign)('a password that the browser remembers sets nothing off for a page of %s', async (_who, headers) => {
  const reply = await api.call('alice', 'POST', path, undefined, headers)
  expect([reply.status, pointersOf(reply)]).toEqual([403, ['cross_site_request']])
})

test.each<readonly [string, Headers]>([
  ['no browser', {}],
  ['a page of ours', { 'sec-fetch-site': 'same-origin', origin: 'http://elsewhere.example.com' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
  ['a page of the public address', { origin: 'http://api.test' }],
  ['a program that the browser asks us about', { 'sec-fetch-site': 'cross-site', 'content-type': 'application/json' }],
])('the same from %s is done', async (_who, headers) => {
  api.clock.advance(61_000)
  expect((await api.call('alice', 'POST', path, undefined, headers)).status).toBe(204)
})

test('a token is never sent by a browser alone, so any page may use it', async () => {
  api.clock.advance(61_000)
  const login = { username: 'alice', password: passwordOf('alice') }
  const { body } = await api.call(null, 'POST', '/sessions', login)
  const authorization = `Bearer ${(body as { token: string }).token}`
  const headers = { authorization, 'sec-fetch-site': 'cross-site', origin: 'https://panel.example.com' }
  expect((await api.call(null, 'POST', path, undefined, headers)).status).toBe(204)
})
