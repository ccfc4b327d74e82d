import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiWorld } from '../support/api.ts'
import { assistantWith, keyOf, mcpUrl } from '../support/assistant.ts'
import { type FurnishedWorld, furnishedWorld } from '../support/furnished.ts'

let world: FurnishedWorld
let url: string
let key: string
beforeAll(async () => {
  world = await furnishedWorld()
  url = await mcpUrl(world)
  key = await keyOf(world, 'alice')
})
afterAll(() => world.drop())

type Values = Readonly<Record<string, unknown>>

const accept = 'application/json, text/event-stream'
const listing = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

function post(headers: Record<string, string>, body: unknown = listing): Promise<Response> {
  const payload = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(url, {
    method: 'POST',
    headers: { accept, 'content-type': 'application/json', ...headers },
    body: payload,
  })
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('nobody comes in without a bearer token; the refusal leads to the metadata', async () => {
  const challenge =
    'Bearer realm="Latarnik", resource_metadata="http://api.test/.well-known/oauth-protected-resource/mcp"'
  const basic = `Basic ${Buffer.from('alice:alice may come in').toString('base64')}`
  const { token } = (await world.call(null, 'POST', '/sessions', { username: 'alice', password: 'alice may come in' }))
    .answer
  for (const headers of [{}, { authorization: basic }, { cookie: `latarnik_session=${token}` }]) {
    const answer = await post(headers)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, challenge])
    expect(await answer.json()).toMatchObject([{ error: 'missing_credentials' }])
  }
  expect((await post(bearer(token))).status).toBe(200)
})

test('unknown and expired keys are refused, also in the middle of a conversation', async () => {
  const body = { expires_at: new Date(world.clock.now() + 60_000).toISOString() }
  const assistant = await assistantWith(world, await keyOf(world, 'alice', body))
  expect((await assistant.call('list_services')).isError).toBe(false)
  world.clock.advance(60_000)
  await expect(assistant.call('list_services')).rejects.toThrow(/401|invalid_token/)
  const answer = await post(bearer(`lat_${'x'.repeat(43)}`))
  expect(answer.status).toBe(401)
  expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token", resource_metadata="')
})

test('the metadata says where tokens come from', async () => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const { payload, headers } = await world.server.inject({ url: path })
    expect(headers['cache-control']).toBe('no-store')
    expect(JSON.parse(payload)).toMatchObject({
      resource: 'http://api.test/mcp',
      authorization_servers: ['http://api.test'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['read', 'write', 'notifications', 'reports'],
    })
  }
  const { payload, headers } = await world.server.inject({ url: '/.well-known/oauth-authorization-server' })
  expect(headers['cache-control']).toBe('no-store')
  expect(JSON.parse(payload)).toMatchObject({
    issuer: 'http://api.test',
    token_endpoint: 'http://api.test/oauth/token',
  })
})

test('a token of client credentials opens as much as it was asked for', async () => {
  const { id, key: secret } = (
    await world.call('alice', 'POST', '/api_keys', { name: 'OAuth', scopes: ['read', 'write'] })
  ).answer
  const form = { grant_type: 'client_credentials', scope: 'read', client_id: String(id), client_secret: secret }
  const { payload } = await world.server.inject({
    ...{ method: 'POST', url: '/oauth/token', payload: new URLSearchParams(form).toString() },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  const { access_token: token } = JSON.parse(payload) as { readonly access_token: string }
  const assistant = await assistantWith(world, token)
  expect((await assistant.call('list_services')).result['total']).toBe(2)
  expect((await assistant.call('resume_service', { suspension_id: 1 })).problems).toEqual(['insufficient_scope'])
})

test.each([
  ['http://api.test', 200],
  ['http://localhost:6274', 200],
  ['http://127.0.0.1:3000', 200],
  ['http://[::1]:3000', 200],
  ['https://evil.example.com', 403],
  ['http://api.test.evil.example.com', 403],
  ['http://localhost.evil.example.com', 403],
  ['http://127.0.0.1.evil.example.com', 403],
  ['null', 403],
  ['nonsense', 403],
])('a page of %s gets %d', async (origin, status) => {
  const answer = await post({ ...bearer(key), origin })
  expect(answer.status).toBe(status)
  expect(answer.headers.get('access-control-allow-origin')).toBe(status === 200 ? origin : null)
  const asking = await fetch(url, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST' } })
  expect(asking.status).toBe(status === 200 ? 204 : 403)
})

test('a page that led its own name to us is refused although the host of its request is its own', async () => {
  const { statusCode } = await world.server.inject({
    ...{ method: 'POST', url: '/mcp', payload: listing },
    headers: { ...bearer(key), host: 'evil.example.com', origin: 'http://evil.example.com', accept },
  })
  expect(statusCode).toBe(403)
})

test('there are no sessions: only POST has an answer', async () => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const answer = await fetch(url, { method, headers: { ...bearer(key), accept } })
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS'])
  }
  const answer = await post(bearer(key))
  expect(answer.headers.get('mcp-session-id')).toBeNull()
})

test('messages that are too large, no JSON or several at once are refused', async () => {
  const statusOf = async (body: unknown, headers = {}) => (await post({ ...bearer(key), ...headers }, body)).status
  expect(await statusOf(JSON.stringify({ ...listing, params: { x: 'x'.repeat(70_000) } }))).toBe(413)
  expect(await statusOf('{')).toBe(400)
  expect(await statusOf('')).toBe(400)
  expect(await statusOf([listing, listing])).toBe(400)
  expect(await statusOf('['.repeat(100) + ']'.repeat(100))).toBe(400)
  expect(await statusOf(listing, { 'content-type': 'text/plain' })).toBe(415)
  expect(await statusOf({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe(202)
})

test('nobody subscribes, so no stream stays open', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const params = { _meta: meta, notifications: { toolsListChanged: true } }
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' }
  const answer = await post({ ...bearer(key), ...headers }, { ...listing, method: 'subscriptions/listen', params })
  expect(await answer.text()).toContain('"error"')
})

test('objects of another account cannot be reached with any tool', async () => {
  const charlie = await assistantWith(world, await keyOf(world, 'charlie'))
  const { shared } = world.serviceIds
  const change_id = world.history.changeIds.failure
  const given: Readonly<Record<string, Values>> = {
    read_service: { service_id: shared },
    explain_failure: { service_id: shared, change_id },
    list_checks: { service_id: shared, analysis_id: world.history.failureId },
    read_service_level: { service_id: shared },
    list_status_changes: { service_id: shared },
    read_report: { report_id: world.furtherIds['reports'] },
    suspend_service: { service_id: shared, end_time: '2026-12-01T00:00:00Z' },
    acknowledge_failure: { service_id: shared, change_id },
    correct_history: {
      ...{ service_id: shared, status: 'ok', start_time: '2026-11-21T08:00:00Z', end_time: '2026-11-21T08:30:00Z' },
    },
    create_report: {
      ...{ template_id: world.furtherIds['report_templates'] },
      ...{ from: '2026-11-20T00:00:00Z', to: '2026-11-21T00:00:00Z' },
    },
    resume_service: { suspension_id: world.plannedIds.suspensions },
  }
  for (const [name, of] of Object.entries(given)) {
    const { isError, problems, text } = await charlie.call(name, of)
    expect([name, isError, text.includes('Sklep')]).toEqual([name, true, false])
    expect([name, problems.map((problem) => problem.split(' ')[0])]).toEqual([
      ...[name, [expect.stringMatching(/^(not_found|not_existing_object|incorrect_value|forbidden)$/)]],
    ])
  }
  const { text } = await charlie.call('list_services')
  expect(text).not.toContain('Sklep')
})

test('a narrowed key sees its groups alone', async () => {
  const narrowed = await assistantWith(world, await keyOf(world, 'alice', { group_ids: [world.groupIds.shared] }))
  const { shared, private: own } = world.serviceIds
  expect((await narrowed.call('list_services')).result).toMatchObject({ total: 1, items: [{ id: shared }] })
  expect((await narrowed.call('read_service', { service_id: own })).problems).toEqual(['not_found'])
  expect((await narrowed.call('list_report_templates')).problems).toEqual(['api_key_is_narrowed'])
  const { tools } = await narrowed.client.listTools()
  expect(tools.map(({ name }) => name)).toContain('suspend_service')
  expect(tools.map(({ name }) => name)).not.toContain('create_report')
})

test('an administrator has no tools', async () => {
  const { token } = (await world.call(null, 'POST', '/sessions', { username: 'dora', password: 'dora may come in' }))
    .answer
  const dora = await assistantWith(world, token)
  expect((await dora.client.listTools()).tools).toEqual([])
  expect((await dora.call('list_services')).problems).toEqual(['forbidden'])
})

test('a client of the older protocol reads, and writes in two steps', async () => {
  const older = await assistantWith(world, key, { isOlder: true, answer: () => ({ action: 'decline' }) })
  expect(older.client.getNegotiatedProtocolVersion()).not.toBe('2026-07-28')
  expect((await older.call('list_services')).result['total']).toBe(2)
  const given = { service_id: world.serviceIds.private, end_time: '2026-12-01T00:00:00Z' }
  const { result } = await older.call('suspend_service', given)
  expect(result).toMatchObject({ done: false, confirmation_token: expect.any(String) })
  const done = await older.call('suspend_service', { ...given, confirmation_token: result['confirmation_token'] })
  expect(done.result['done']).toBe(true)
})

test('so does a client of the first SDK', async () => {
  const client = new OlderClient({ name: 'test', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(key) } })
  // The types of the first SDK know no exact optional members.
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('explain_failure')
  const { structuredContent } = await client.callTool({
    name: 'explain_failure',
    arguments: { service_id: world.serviceIds.shared },
  })
  expect(structuredContent).toMatchObject({ found: { service: { name: { untrusted: 'Sklep Łódź' } } } })
  await client.close()
})

test('messages and their operations count as requests of the account', async () => {
  const limited = await apiWorld({ requestsPerMinute: { anonymous: 1000, account: 6 } })
  try {
    const assistant = await assistantWith(limited, await keyOf(limited, 'bob'))
    const answers = []
    for (let count = 0; count < 4; count += 1) answers.push(await assistant.call('list_groups').catch(String))
    expect(answers.some((answer) => /429|too_many_requests/.test(JSON.stringify(answer)))).toBe(true)
  } finally {
    await limited.drop()
  }
})

test('where the operator has switched it off there is nothing', async () => {
  const quiet = await apiWorld({ servesAssistants: false })
  try {
    const token = await keyOf(quiet, 'alice')
    const { statusCode } = await quiet.server.inject({ method: 'POST', url: '/mcp', headers: bearer(token) })
    expect(statusCode).toBe(404)
    expect((await quiet.server.inject({ url: '/.well-known/oauth-protected-resource/mcp' })).statusCode).toBe(404)
  } finally {
    await quiet.drop()
  }
})
