import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers, say, sayAndHold } from '../support/nasty-server.ts'

const root = createAuthority('Test root')
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

async function serving(serve: (socket: WebSocket, request: IncomingMessage) => void, isSecure = false) {
  const http = isSecure ? createSecureServer(root.issue({ names: ['127.0.0.1'] })) : createServer()
  const server = new WebSocketServer({ server: http })
  server.on('connection', (socket, request) => {
    socket.on('error', () => socket.terminate())
    serve(socket, request)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  onTestFinished(() => {
    for (const socket of server.clients) socket.terminate()
    http.close()
  })
  return (http.address() as AddressInfo).port
}

const check = (port: number, settings: object = {}, path = '/') =>
  checker.check('websocket', `127.0.0.1:${port}${path}`, { timeout: 3000, ...settings })

test('a server that switches is up, and is asked as the settings say', async () => {
  const asked: IncomingMessage[] = []
  const port = await serving((_socket, request) => void asked.push(request))
  const request_headers = 'Origin: https://shop.example\nSec-WebSocket-Protocol: graphql-ws, soap'
  const headers = { request_headers, username: 'me', password: 'pässword' }
  const result = await check(port, headers, '/live?room=1')
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  expect(asked[0]?.url).toBe('/live?room=1')
  const protocols = { 'sec-websocket-protocol': 'graphql-ws,soap' }
  expect(asked[0]?.headers).toMatchObject({ origin: 'https://shop.example', host: `127.0.0.1:${port}`, ...protocols })
  expect(asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('me:pässword').toString('base64')}`)
})

test.each([
  ['^pong: żar$', 'ok'],
  ['^pang', 'message_missing'],
])('the message that answers is held to %j: %s', async (expected_answer_regex, verdict) => {
  const port = await serving((socket) => {
    socket.send('welcome')
    socket.on('message', (data) => socket.send(`pong: ${data}`))
  })
  const result = await check(port, { text_to_send: 'żar', expected_answer_regex, timeout: 1500 })
  expect(verdictOf(result)).toBe(verdict)
  expect(result.errorMessage ?? '').not.toContain('welcome')
})

test('a message that never comes is told as that', async () => {
  const port = await serving(() => undefined)
  expect(verdictOf(await check(port, { text_to_send: 'x', timeout: 500 }))).toBe('message_missing')
})

test('over TLS the certificate counts before anything is said', async () => {
  const port = await serving((socket) => void socket.send('hello'), true)
  const settings = { timeout: 3000, expected_answer_regex: '^hello$' }
  expect(verdictOf(await checker.check('websocket_tls', `127.0.0.1:${port}`, settings))).toBe('ok')
  const stranger = createChecker()
  expect(verdictOf(await stranger.check('websocket_tls', `127.0.0.1:${port}`, settings))).toMatch(/^certificate_/)
  stranger.stop()
})

test.each([
  ['a page', say('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'), 'websocket_refused', 'status 200'],
  ['a refusal', say('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'), 'websocket_refused', 'status 403'],
  ['a redirect', say('HTTP/1.1 302 Found\r\nLocation: ws://10.0.0.1/\r\n\r\n'), 'websocket_refused', 'status 302'],
  [
    'a wrong key',
    sayAndHold(
      'HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n',
    ),
    'protocol_not_spoken',
    /Accept/,
  ],
  ['no HTTP', say('220 mail\r\n'), 'protocol_not_spoken', /./],
  ['nothing', say(''), 'protocol_closed', /./],
  ['silence', () => undefined, 'protocol_answer_timeout', /./],
] as const)('a server that answers with %s: %s', async (_what, play, verdict, message) => {
  const result = await check(await servers.http(play), { timeout: 700 })
  expect([verdictOf(result), result.errorMessage]).toEqual([verdict, expect.stringMatching(message)])
})

test('messages without end and without bounds end the check in time', async () => {
  const endless = await serving((socket) => {
    const timer = setInterval(() => {
      for (let count = 0; count < 200; count += 1) socket.send('spam')
    }, 5)
    socket.on('close', () => clearInterval(timer))
  })
  const started = performance.now()
  expect(verdictOf(await check(endless, { expected_answer_regex: 'ham', timeout: 2000 }))).toBe('content_missing')
  expect(performance.now() - started).toBeLessThan(15_000)
  const large = await serving((socket) => void socket.send('x'.repeat(2_000_000)))
  expect(verdictOf(await check(large, { expected_answer_regex: 'ham' }))).toBe('protocol_answer_too_large')
})

test('a server that hangs up in the middle is told', async () => {
  const port = await serving((socket) => void socket.close(1011, 'tired'))
  expect(verdictOf(await check(port, { expected_answer_regex: 'x' }))).toBe('protocol_closed')
})
