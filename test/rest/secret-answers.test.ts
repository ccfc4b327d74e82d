import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'
import { passwordOf } from '../support/people.ts'

let api: ApiWorld

beforeAll(async () => {
  api = await apiWorld()
})
afterAll(() => api.drop())

test('no cache keeps an answer with a secret that the call made', async () => {
  const login = { username: 'alice', password: passwordOf('alice') }
  const replies = {
    session: await api.call(null, 'POST', '/sessions', login),
    token: await api.call(null, 'POST', '/auth_token', login),
    key: await api.call('alice', 'POST', '/api_keys', { name: 'Key', scopes: ['read'] }),
    tag: await api.call('alice', 'POST', '/tags', { name: 'shop' }),
  }
  const told = Object.entries(replies).map(([name, { status, headers }]) => [name, status, headers['cache-control']])
  expect(told).toEqual([
    ['session', 201, 'no-store'],
    ['token', 201, 'no-store'],
    ['key', 201, 'no-store'],
    ['tag', 201, 'private, no-cache'],
  ])
})
