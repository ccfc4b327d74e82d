import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Provider } from '../../src/auth/oidc/provider.ts'

/** Identity tokens that a provider should not send, and the clocks of both. */

const [clientId, clientSecret] = ['latarnik', 'a secret of the two of them, long enough to sign']
const callback = 'http://api.test/auth/oidc/callback'

let server: Server
let issuer: string
let own: { readonly privateKey: KeyObject; readonly publicKey: KeyObject }
let published: KeyObject
/** The name under which it is published. */
let kid: string | undefined
/** The next identity token. */
let token = ''

const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

function tokenOf(claims: object, header: object = { alg: 'RS256' }, key: KeyObject = own.privateKey): string {
  const text = `${json(header)}.${json(claims)}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

function answerOf(path: string): unknown {
  if (path === '/token') return { access_token: 'a', token_type: 'Bearer', id_token: token }
  if (path === '/jwks') return { keys: [{ ...published.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid }] }
  return {
    ...{
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    },
    ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

beforeAll(async () => {
  own = generateKeyPairSync('rsa', { modulusLength: 2048 })
  server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answerOf(request.url ?? '')))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})
beforeEach(() => {
  published = own.publicKey
  kid = undefined
})

type Claims = Readonly<Record<string, unknown>>

/** Logs in with the token that `make` makes from the claims that would be right. */
async function logIn(make: (claims: Claims) => string, provider = new Provider({ issuer, clientId, clientSecret })) {
  const { url, journey } = await provider.begin(callback, '')
  const seconds = Math.floor(Date.now() / 1000)
  const nonce = new URL(url).searchParams.get('nonce')
  token = make({ iss: issuer, aud: clientId, sub: 's-1', nonce, iat: seconds, exp: seconds + 300 })
  return provider.finish(`${callback}?${new URLSearchParams({ code: 'c', state: journey.state })}`, journey)
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

test('the right one logs in, also where the clocks differ by a few seconds', async () => {
  expect(await logIn(tokenOf)).toMatchObject({ issuer, subject: 's-1' })
  const ahead = { iat: inSeconds(15), nbf: inSeconds(15) }
  expect(await logIn((claims) => tokenOf({ ...claims, ...ahead }))).toMatchObject({ subject: 's-1' })
  const behind = { iat: inSeconds(-315), exp: inSeconds(-15) }
  expect(await logIn((claims) => tokenOf({ ...claims, ...behind }))).toMatchObject({ subject: 's-1' })
})

test.each<[string, (claims: Claims) => string]>([
  ['the nonce of another login', (claims) => tokenOf({ ...claims, nonce: 'another' })],
  ['no nonce', ({ nonce, ...claims }) => tokenOf(claims)],
  ['another issuer', (claims) => tokenOf({ ...claims, iss: 'https://login.example.com' })],
  ['another client', (claims) => tokenOf({ ...claims, aud: 'other' })],
  ['several clients, and no word for whom it was made', (claims) => tokenOf({ ...claims, aud: [clientId, 'other'] })],
  ['an end long ago', (claims) => tokenOf({ ...claims, exp: inSeconds(-120) })],
  ['a beginning in the future', (claims) => tokenOf({ ...claims, nbf: inSeconds(120) })],
  ['no subject', ({ sub, ...claims }) => tokenOf(claims)],
  ['no signature', (claims) => `${json({ alg: 'none' })}.${json(claims)}.`],
  [
    'the secret of the client as its key',
    (claims) => {
      const text = `${json({ alg: 'HS256' })}.${json(claims)}`
      return `${text}.${createHmac('sha256', clientSecret).update(text).digest('base64url')}`
    },
  ],
  [
    'the key of somebody else',
    (claims) => tokenOf(claims, { alg: 'RS256' }, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey),
  ],
  [
    'changed claims',
    (claims) => {
      const [header, , signature] = tokenOf(claims).split('.')
      return `${header}.${json({ ...claims, sub: 'boss' })}.${signature}`
    },
  ],
])('one with %s is refused', async (_what, make) => {
  await expect(logIn(make)).rejects.toThrow()
})

test.each([
  ['with a name', 'new'],
  ['without a name', undefined],
])('a key %s that the provider replaces at once fails one login, and no second one', async (_how, name) => {
  const provider = new Provider({ issuer, clientId, clientSecret })
  expect(await logIn(tokenOf, provider)).toMatchObject({ subject: 's-1' })
  const next = generateKeyPairSync('rsa', { modulusLength: 2048 })
  published = next.publicKey
  kid = name
  const signed = (claims: Claims) => tokenOf(claims, { alg: 'RS256', kid }, next.privateKey)
  await expect(logIn(signed, provider)).rejects.toThrow()
  expect(await logIn(signed, provider)).toMatchObject({ subject: 's-1' })
})
