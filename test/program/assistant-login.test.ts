import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Balancer, startBalancer } from '../support/balancer.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type Launched, launch, stop, temporaryDirectory } from './launch.ts'

/** Clients of the protocol's own SDK log in by OAuth, while a balancer gives every connection to another process. */

const password = 'alice owns this'
const directory = temporaryDirectory()
const launched: Launched[] = []
let database: TestDatabase
let balancer: Balancer
let server: string

beforeAll(async () => {
  database = await testDatabase()
  balancer = await startBalancer()
  server = balancer.url.href.replace(/\/$/, '')
  const variables = {
    ...{ DATABASE_URL: database.url, DATA_DIR: directory.path, ROLES: 'api', PUBLIC_URL: server },
    ...{ ACCOUNT_USERNAME: 'alice', ACCOUNT_PASSWORD: password },
  }
  for (let count = 0; count < 3; count++) {
    const one = launch(variables)
    launched.push(one)
    balancer.ports.add(Number(new URL(await one.ready()).port))
  }
}, 180_000)

afterAll(async () => {
  await Promise.all(launched.map(stop))
  await balancer.close()
  await database.drop()
  directory.remove()
}, 60_000)

/** A new connection each time, so that the balancer takes the next process. */
const apart: typeof fetch = (input, init = {}) =>
  fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), connection: 'close' } })

type Stored = Readonly<Record<string, unknown>>

/** Keeps what a client must keep; the browser of a person follows the address to which it is sent. */
function provider() {
  const kept: { client?: Stored; tokens?: Stored; verifier?: string; address?: URL } = {}
  const own = {
    redirectUrl: 'http://127.0.0.1:40123/callback',
    clientMetadata: {
      client_name: 'SDK',
      redirect_uris: ['http://127.0.0.1:40123/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => 'a state',
    clientInformation: () => kept.client,
    saveClientInformation: (client: Stored) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: Stored) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (address: URL) => {
      kept.address = address
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
  }
  // The two versions of the SDK name the same members.
  return { kept, own: own as unknown as OAuthClientProvider }
}

/** The person logs in and grants changes; returns the parameters with which the browser comes back. */
async function logIn(address: URL): Promise<URLSearchParams> {
  const page = await apart(address)
  const text = await page.text()
  const hidden = [...text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)]
  const form = new URLSearchParams({ username: 'alice', password, grant: 'write' })
  for (const [, name = '', value = ''] of hidden) form.set(name, value.replaceAll('&amp;', '&'))
  const cookie = page.headers.get('set-cookie')?.split(';')[0] ?? ''
  const reply = await apart(`${server}/oauth/authorize`, {
    ...{ method: 'POST', body: form, headers: { cookie }, redirect: 'manual' },
  })
  expect([reply.status, text.includes('SDK')]).toEqual([303, true])
  return new URL(reply.headers.get('location') ?? '').searchParams
}

/** Tools of these names are offered, and the services of the account can be listed. */
async function use(client: Pick<Client, 'listTools' | 'callTool'>): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['list_services', 'suspend_service']))
  const { structuredContent } = await client.callTool({ name: 'list_services', arguments: {} })
  expect(structuredContent).toMatchObject({ items: [] })
}

const url = () => new URL(`${server}/mcp`)

test('the SDK finds the way, registers itself, logs in, and refreshes its tokens at any process', async () => {
  const { kept, own } = provider()
  const connect = () => new StreamableHTTPClientTransport(url(), { authProvider: own, fetch: apart })
  const first = connect()
  const before = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await expect(before.connect(first)).rejects.toThrow(UnauthorizedError)
  expect(kept.client).toMatchObject({ client_id: expect.stringMatching(/^self\./) })
  expect(Object.fromEntries(kept.address?.searchParams ?? [])).toMatchObject({
    ...{ response_type: 'code', code_challenge_method: 'S256', resource: `${server}/mcp`, state: 'a state' },
  })
  const back = await logIn(kept.address ?? expect.fail())
  await first.finishAuth(back)
  const tokens = kept.tokens
  expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'read write', refresh_token: expect.any(String) })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(connect())
  for (let round = 0; round < 3; round++) await use(client)
  // A client whose access token has ended.
  kept.tokens = { ...tokens, access_token: `latt_${'x'.repeat(43)}` }
  await use(client)
  expect(kept.tokens).not.toEqual(tokens)
  expect(kept.tokens).toMatchObject({ access_token: expect.stringMatching(/^latt_/), scope: 'read write' })
  await client.close()
}, 60_000)

test('so does the older SDK', async () => {
  const { kept, own } = provider()
  // Its provider has the same members, with types of its own.
  type OlderProvider = NonNullable<ConstructorParameters<typeof OlderTransport>[1]>['authProvider']
  const connect = () =>
    new OlderTransport(url(), { authProvider: own as unknown as NonNullable<OlderProvider>, fetch: apart })
  const first = connect()
  await expect(new OlderClient({ name: 'test', version: '1' }).connect(first)).rejects.toThrow('Unauthorized')
  const back = await logIn(kept.address ?? expect.fail())
  await first.finishAuth(back.get('code') ?? '')
  const client = new OlderClient({ name: 'test', version: '1' })
  await client.connect(connect())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('suspend_service')
  expect((await client.callTool({ name: 'list_services', arguments: {} })).structuredContent).toMatchObject({
    total: 0,
  })
  const refused = await client.callTool({ name: 'suspend_service', arguments: { service_id: 1, end_time: '-1' } })
  expect(refused.isError).toBe(true)
  await client.close()
}, 60_000)

test('a change is confirmed at another process than the one that asked', async () => {
  const basic = { authorization: `Basic ${Buffer.from(`alice:${password}`).toString('base64')}` }
  const post = async (path: string, body: object) => {
    const headers = { ...basic, 'content-type': 'application/json' }
    const reply = await apart(`${server}/v3${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(reply.status).toBe(201)
    return (await reply.json()) as { readonly id: number; readonly key: string }
  }
  const service = await post('/services', { type_id: 'ping', name: 'Shop', address: '127.0.0.1' })
  const { key } = await post('/api_keys', { name: 'Assistant', scopes: ['read', 'write'] })
  const questions: string[] = []
  const options = {
    capabilities: { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: '2026-07-28' } },
  } as const
  const client = new Client({ name: 'test', version: '1' }, options)
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message)
    return { action: 'accept', content: { confirm: true } }
  })
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(url(), { requestInit, fetch: apart }))
  const given = { service_id: service.id, end_time: new Date(Date.now() + 3_600_000).toISOString() }
  for (let round = 1; round <= 4; round++) {
    const { structuredContent } = await client.callTool({ name: 'suspend_service', arguments: given })
    expect([structuredContent, questions.length]).toEqual([{ done: true, id: expect.any(Number) }, round])
  }
  await client.close()
}, 60_000)
