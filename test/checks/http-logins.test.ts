import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { createTokens } from '../../src/sensor/http/token.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const root = createAuthority('Test root')
const clients = createAuthority('Client root')
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const clientId = 'the client'
const clientSecret = 'p@ss:w+ord'

interface Endpoint {
  readonly url: string
  readonly asked: { authorization: string | undefined; body: string }[]
}

type Answer = (response: ServerResponse, number: number) => void

const grants: Answer = (response, number) =>
  response
    .setHeader('Content-Type', 'application/json')
    .end(JSON.stringify({ access_token: `token-${number}`, token_type: 'Bearer', expires_in: 3600 }))

async function tokenEndpoint(answer: Answer = grants): Promise<Endpoint> {
  const asked: Endpoint['asked'] = []
  const port = await servers.good((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8')
    })
    request.on('end', () => {
      asked.push({ authorization: request.headers.authorization, body })
      answer(response, asked.length)
    })
  })
  return { url: `http://127.0.0.1:${port}/oauth/token`, asked }
}

async function api(isAccepted: (request: IncomingMessage) => boolean = () => true) {
  const seen: (string | undefined)[] = []
  const port = await servers.good((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(isAccepted(request) ? 200 : 401).end(`you sent ${request.headers.authorization}`)
  })
  return { address: `127.0.0.1:${port}/`, seen }
}

function oauth(url: string, more: Readonly<Record<string, string | number>> = {}) {
  return { oauth_token_url: url, oauth_client_id: clientId, oauth_client_secret: clientSecret, ...more }
}

test('a bearer token is sent and never shown', async () => {
  const { address, seen } = await api(() => false)
  const result = await checker.check('http', address, { bearer_token: 'abc.def~ghi' })
  expect(seen).toEqual(['Bearer abc.def~ghi'])
  expect(verdictOf(result)).toBe('http_client_error')
  const content = result.evidence?.artifacts.map(({ bytes }) => Buffer.from(bytes).toString('utf8'))
  expect(content).toEqual(['you sent Bearer ***'])
})

test('a token is asked for once and kept, by the form of RFC 6749', async () => {
  const endpoint = await tokenEndpoint()
  const { address, seen } = await api()
  const settings = oauth(endpoint.url, { oauth_scope: 'read write' })
  for (let round = 0; round < 3; round += 1)
    expect(verdictOf(await checker.check('http', address, settings))).toBe('ok')
  expect(seen).toEqual(Array(3).fill('Bearer token-1'))
  const basic = Buffer.from('the+client:p%40ss%3Aw%2Bord').toString('base64')
  expect(endpoint.asked).toEqual([
    { authorization: `Basic ${basic}`, body: 'grant_type=client_credentials&scope=read+write' },
  ])
  await checker.check('http', address, { ...settings, oauth_client_authentication: 'body' })
  const form = Object.fromEntries(new URLSearchParams(endpoint.asked[1]?.body))
  expect(form).toMatchObject({ client_id: clientId, client_secret: clientSecret })
  expect(endpoint.asked[1]?.authorization).toBeUndefined()
})

test('a remembered token that is refused is fetched anew, once; a new one that is refused is a failure', async () => {
  const endpoint = await tokenEndpoint()
  let valid = 'Bearer token-1'
  const { address, seen } = await api(({ headers }) => headers.authorization === valid)
  const settings = oauth(endpoint.url)
  expect(verdictOf(await checker.check('http', address, settings))).toBe('ok')
  valid = 'Bearer token-2'
  expect(verdictOf(await checker.check('http', address, settings))).toBe('ok')
  expect(seen).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2'])
  valid = 'none'
  const result = await checker.check('http', address, settings)
  expect(verdictOf(result)).toBe('http_client_error')
  expect(seen.slice(3)).toEqual(['Bearer token-2', 'Bearer token-3'])
  const content = result.evidence?.artifacts.map(({ bytes }) => Buffer.from(bytes).toString('utf8'))
  expect(content).toEqual(['you sent Bearer ***'])
  expect(verdictOf(await checker.check('http', address, settings))).toBe('http_client_error')
  expect(seen.slice(5)).toEqual(['Bearer token-4'])
})

test('a token is renewed before its end', async () => {
  let now = 0
  const tokens = createTokens(() => now)
  const endpoint = await tokenEndpoint((response, number) =>
    response.end(JSON.stringify({ access_token: `token-${number}`, expires_in: 100 })),
  )
  const { dialler, tls } = (await import('../../src/sensor/equipment.ts')).createEquipment({ allow: 'all' })
  const demands = { url: endpoint.url, clientId, clientSecret, scope: null, authentication: 'header' } as const
  const get = (serviceId = 1) =>
    tokens.get({ serviceId, demands }, { dialler, tls, timeoutMs: 5000, moreMs: () => 0 }).then(({ text }) => text)
  expect([await get(), await get()]).toEqual(['token-1', 'token-1'])
  now = 89_000
  expect(await get()).toBe('token-1')
  now = 90_001
  expect(await get()).toBe('token-2')
  expect(await get(2), 'each service has its own').toBe('token-3')
})

const broken: readonly (readonly [string, Answer | 'closed' | 'silent', verdict: string, message: RegExp])[] = [
  ['a closed port', 'closed', 'token_endpoint_failed', /refused/i],
  ['silence', 'silent', 'token_endpoint_timeout', /not finished within/],
  ['its own error', (response) => response.writeHead(503).end('down'), 'token_endpoint_failed', /status 503/],
  [
    'a refusal',
    (response) =>
      response.writeHead(401).end(`{"error":"invalid_client","error_description":"${clientSecret} is wrong"}`),
    'token_refused',
    /status 401, invalid_client, \*\*\* is wrong/,
  ],
  ['a page', (response) => response.end('<html>login</html>'), 'token_answer_invalid', /no access_token/],
  ['a redirect', (response) => response.writeHead(302, { Location: '/' }).end(), 'token_answer_invalid', /status 302/],
  [
    'another kind of token',
    (response) => response.end('{"access_token":"x","token_type":"mac"}'),
    'token_answer_invalid',
    /"mac", not Bearer/,
  ],
  [
    'a token that splits the header',
    (response) => response.end('{"access_token":"x\\r\\nX-Evil: 1"}'),
    'token_answer_invalid',
    /no access_token/,
  ],
  [
    'half an answer',
    (response) => response.writeHead(200, { 'Content-Length': '500' }).end('{'),
    'token_endpoint_failed',
    /./,
  ],
]

test.each(broken)('a token endpoint with %s is a failure of its own: %s', async (_what, answer, verdict, message) => {
  const { address, seen } = await api()
  const url =
    answer === 'closed'
      ? 'http://127.0.0.1:1/token'
      : (await tokenEndpoint(answer === 'silent' ? () => undefined : answer)).url
  const result = await checker.check('http', address, oauth(url, { timeout: answer === 'silent' ? 400 : 10_000 }))
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  expect(result.errorMessage).toMatch(message)
  expect(result.errorMessage).toContain(`token endpoint ${url}: `)
  expect(seen).toEqual([])
})

test('a token endpoint that this station may not dial says nothing about the target', async () => {
  const shared = createChecker({ allow: ['127.0.0.0/30'] })
  const { address } = await api()
  const result = await shared.check('http', address, oauth('http://127.0.0.99/token'))
  expect([result.result, verdictOf(result)]).toEqual(['unknown', 'sensor_address_refused'])
})

test('the time of the token endpoint is not the target’s', async () => {
  const endpoint = await tokenEndpoint((response, number) => void setTimeout(() => grants(response, number), 300))
  const { address } = await api()
  const result = await checker.check('http', address, oauth(endpoint.url, { maximum_response_time: 250 }))
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  expect(result.responseTime).toBeLessThan(250)
})

test('neither token nor client certificate follows a redirect to another host', async () => {
  const endpoint = await tokenEndpoint()
  const strangers = await api()
  const home = await servers.good((_request, response) =>
    response.writeHead(302, { Location: `http://localhost:${strangers.address.split(':')[1]}` }).end(),
  )
  expect(verdictOf(await checker.check('http', `127.0.0.1:${home}/`, oauth(endpoint.url)))).toBe('ok')
  expect(strangers.seen).toEqual([undefined])
})

interface Visitors {
  readonly address: string
  readonly names: (string | undefined)[]
}

/** Lets in whom the client authority knows. */
async function guarded(maxVersion: 'TLSv1.2' | 'TLSv1.3'): Promise<Visitors> {
  const names: (string | undefined)[] = []
  const options = { ...root.issue({ names: ['127.0.0.1'] }), ca: clients.certificate, maxVersion }
  const server = createServer({ ...options, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    const { socket } = request as IncomingMessage & {
      readonly socket: { getPeerCertificate(): { subject?: { CN?: string } } }
    }
    names.push(socket.getPeerCertificate().subject?.CN)
    response.end('come in')
  })
  servers.adopt(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}/`, names }
}

function certificateSettings(authority: typeof clients) {
  const { cert, key } = authority.issue({ names: ['station.example'] })
  return { client_certificate: String(cert), client_key: String(key), timeout: 5000 }
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)(
  'a client certificate opens the door, another does not: %s',
  async (version) => {
    const { address, names } = await guarded(version)
    const known = await checker.check('https', address, certificateSettings(clients))
    expect(verdictOf(known), known.errorMessage ?? '').toBe('ok')
    expect(names).toHaveLength(1)
    const stranger = await checker.check('https', address, certificateSettings(createAuthority('Strange root')))
    // Node.js closes the connection where others send an alert; see the next test.
    expect(verdictOf(stranger)).toMatch(/^(tls_closed|http_closed_before_response|http_reset_before_response)$/)
    const nobody = await checker.check('https', address, { timeout: 5000 })
    expect(verdictOf(nobody)).toMatch(/^tls_(client_certificate_required|handshake_refused)$/)
    expect(names).toHaveLength(1)
  },
)

test('the alert of a server that refuses the client certificate is named', async () => {
  const fatal = 2
  for (const alert of [42, 44, 45, 46, 48]) {
    const port = await servers.tcp((socket) => {
      socket.once('data', () => socket.end(Buffer.from([21, 3, 3, 0, 2, fatal, alert])))
    })
    const result = await checker.check('https', `127.0.0.1:${port}/`, certificateSettings(clients))
    expect(verdictOf(result), `alert ${alert}: ${result.errorMessage}`).toBe('tls_client_certificate_refused')
  }
})

test('a key that does not fit is a fault of the setting', async () => {
  const { address } = await guarded('TLSv1.3')
  const settings = { ...certificateSettings(clients), client_key: certificateSettings(clients).client_key }
  const result = await checker.check('https', address, settings)
  expect([result.result, verdictOf(result)]).toEqual(['unknown', 'setting_invalid'])
})
