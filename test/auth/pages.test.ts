import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiWorld, apiWorld } from '../support/api.ts'

const back = 'https://panel.example.com/back'
let world: ApiWorld
beforeAll(async () => {
  world = await apiWorld({
    clients: [{ client_id: 'panel', name: 'Panel', redirect_uris: [back], is_implicit_flow_allowed: true }],
  })
})
afterAll(() => world.drop())

const loginForm = `/oauth/authorize?${new URLSearchParams({ response_type: 'token', client_id: 'panel', redirect_uri: back })}`

test('no page for people is framed, guessed at, or names its address to another', async () => {
  const pages = [
    loginForm,
    '/oauth/authorize',
    '/password?token=x',
    '/activate?token=x',
    '/email?token=x',
    '/v3/public/doc/',
    '/v3/public/doc/oauth2-redirect.html',
  ]
  const activation = '/v3/accounts/1/activate?token=x'
  for (const url of [...pages, activation]) {
    const { headers } = await world.server.inject({ url, headers: { accept: 'text/html' } })
    expect([url, headers['content-type'], headers]).toEqual([
      url,
      expect.stringMatching(/^text\/html/),
      expect.objectContaining({
        'x-content-type-options': 'nosniff',
        'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin)$/),
      }),
    ])
    expect([url, headers['content-security-policy']]).toEqual([url, expect.stringContaining("frame-ancestors 'none'")])
  }
})

describe('programs in browsers', () => {
  const origin = 'https://panel.example.com'

  test.each(['/v3/accounts/my_account', '/v3/no/such/path', '/oauth/token', '/.well-known/oauth-authorization-server'])(
    'may read %s from any origin, without cookies',
    async (url) => {
      const { headers } = await world.server.inject({ url, headers: { origin } })
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      expect(headers['access-control-expose-headers']).toContain('X-Total-Count')
    },
  )

  test.each(['/v3/services', '/oauth/token'])('may ask before they send a token to %s', async (url) => {
    const asked = { origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' }
    const reply = await world.server.inject({ method: 'OPTIONS', url, headers: asked })
    expect(reply.statusCode).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': expect.stringContaining('Authorization'),
    })
  })

  test('may not read pages for people', async () => {
    for (const url of [loginForm, '/password?token=x']) {
      const { headers } = await world.server.inject({ url, headers: { origin } })
      expect(headers['access-control-allow-origin']).toBeUndefined()
    }
  })
})
