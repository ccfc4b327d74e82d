import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ConnectionLimits } from '../../src/rest/connections.ts'
import { registryOf } from '../../src/rest/declare.ts'
import { unlimited } from '../../src/rest/rate-limit.ts'
import { buildApi } from '../../src/rest/server.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { converse, listenAlone, replyOf } from '../support/raw-http.ts'

let world: TestDatabase
/** Soon out of patience, and as usual. */
let server: Awaited<ReturnType<typeof buildApi>>
let patient: typeof server
let port = 0
let patientPort = 0

/** The addresses of the callers. */
const addresses: string[] = []

const limits = { headersMs: 300, requestMs: 600, silenceMs: 5000, lookMs: 50, connections: 3 }

function serverWith(connections?: ConnectionLimits): Promise<typeof server> {
  return buildApi({
    database: world.database,
    clock: { now: () => 0 },
    registry: registryOf([]),
    operations: [
      {
        ...{ id: 'echo', method: 'POST', path: '/echo', tag: 'tests', summary: 'Says it again.', answers: {} },
        access: 'open',
        handle: async ({ body }) => ({ status: 200, body: { body: body ?? null } }),
      },
    ],
    authenticate: async ({ ipAddress }) => {
      addresses.push(ipAddress)
      return null
    },
    collation: raw(''),
    requestsPerMinute: unlimited,
    publicUrl: undefined,
    trustedProxies: ['127.0.0.1'],
    ...(connections === undefined ? {} : { connections }),
    log: pino({ level: 'silent' }),
  })
}

beforeAll(async () => {
  world = await testDatabase()
  server = await serverWith(limits)
  patient = await serverWith()
  port = await listenAlone(server)
  patientPort = await listenAlone(patient)
})
afterAll(async () => {
  await server.close()
  await patient.close()
  await world.drop()
})

/** Sends the pieces with a pause after each until the server hangs up; how many it took. */
async function drip(pieces: readonly string[], pauseMs: number): Promise<{ sent: number; received: string }> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  let [sent, isOpen] = [0, true]
  const closed = once(socket, 'close').then(() => {
    isOpen = false
  })
  for (const piece of pieces) {
    if (!isOpen) break
    socket.write(piece)
    sent += 1
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, pauseMs))])
  }
  await closed
  return { sent, received: Buffer.concat(received).toString('latin1') }
}

const head = 'POST /v3/echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'

describe('whoever holds a connection without a request is hung up on', () => {
  test('having said nothing', async () => {
    expect((await drip([''], 10)).sent).toBe(1)
  })

  test('saying the headers drop by drop', async () => {
    const { sent } = await drip([head, ...Array<string>(400).fill('X: y\r\n')], 50)
    expect(sent).toBeLessThan(400)
  })

  test('saying the body drop by drop', async () => {
    const { sent, received } = await drip([`${head}Content-Length: 1000\r\n\r\n`, ...Array<string>(900).fill(' ')], 50)
    expect(sent).toBeLessThan(900)
    expect(received === '' || replyOf(received).status === 400).toBe(true)
  })

  test('and no more of them than so many are heard at once', async () => {
    const sockets = Array.from({ length: 6 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    )
    const closed = Promise.all(sockets.map((socket) => once(socket, 'close')))
    const dropped = await once(server.server, 'drop')
    expect(dropped).toBeDefined()
    await closed
    const answer = await converse(port, `${head}Connection: close\r\nContent-Length: 2\r\n\r\n{}`)
    expect(replyOf(answer).status).toBe(200)
  })
})

const statusesOf = (received: string) => [...received.matchAll(/^HTTP\/1\.1 (\d\d\d)/gm)].map(([, status]) => status)
const last = 'Connection: close\r\n'
/** A request that the next server could read otherwise hides another one. */
const hidden = 'GET /v3/secret HTTP/1.1\r\nHost: a\r\n\r\n'
const body = `0\r\n\r\n${hidden}`
const smuggled: readonly (readonly [string, string])[] = [
  ['two ways to tell the length', `${head}Content-Length: ${body.length}\r\nTransfer-Encoding: chunked\r\n\r\n${body}`],
  ['two lengths', `${head}Content-Length: 2\r\nContent-Length: ${body.length}\r\n\r\n{}${hidden}`],
  ['a length that is no number', `${head}Content-Length: 0x2\r\n\r\n{}${hidden}`],
  ['a length with a sign', `${head}Content-Length: +2\r\n\r\n{}${hidden}`],
  ['an encoding that is not the last', `${head}Transfer-Encoding: chunked, identity\r\n\r\n${body}`],
  ['an encoding before a colon in the distance', `${head}Transfer-Encoding : chunked\r\n\r\n${body}`],
  ['a folded header', `${head}Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n\r\n${body}`],
  ['a size of a chunk that is no number', `${head}Transfer-Encoding: chunked\r\n\r\nZ\r\n{}\r\n${body}`],
  ['a chunk longer than it says', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\n{}${hidden}`],
  ['a bare line feed', `${head.replaceAll('\r\n', '\n')}Content-Length: 2\n\n{}${hidden}`],
  ['a carriage return in a header', `${head}X: a\rTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}${hidden}`],
  ['a zero byte in a header', `${head}X: a\0b\r\nContent-Length: 2\r\n\r\n{}${hidden}`],
  ['two hosts', 'GET /v3/echo HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
  [
    'two hosts, thousands of headers apart',
    `GET /v3/echo HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(3000)}Host: b\r\n${last}\r\n`,
  ],
  ['more headers than anybody sends', `GET /v3/echo HTTP/1.1\r\nHost: a\r\n${'X: y\r\n'.repeat(1100)}${last}\r\n`],
  ['no host', 'GET /v3/echo HTTP/1.1\r\n\r\n'],
  ['HTTP without a version', 'GET /v3/echo\r\n\r\n'],
  ['chunks in HTTP/1.0', `${head.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n${body}`],
  ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['the name of another server as the address', `GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`],
  ['another protocol', `${head.replace('1.1', '3.7')}\r\n${hidden}`],
]

test.each(smuggled)('%s: refused, and what follows is not read', async (_what, bytes) => {
  const received = await converse(port, bytes)
  expect(statusesOf(received)).toEqual(['400'])
})

const sized = (text: string) => `Content-Length: ${text.length}\r\n`

test('requests in one go are answered one after another, each with its own body', async () => {
  const [first, second] = ['{"body":1}', '{"body":2}']
  const received = await converse(
    patientPort,
    `${head}${sized(first)}\r\n${first}${head}${sized(second)}${last}\r\n${second}`,
  )
  expect(received.match(/\{"body":\d\}/g)).toEqual([first, second])
})

const unusual: readonly (readonly [what: string, bytes: string, statuses: readonly string[]])[] = [
  ['the address of another server', `${head.replace('/v3', 'http://other.example/v3')}${last}\r\n`, ['200']],
  ['nothing but the address of another', `GET http://169.254.169.254/x HTTP/1.1\r\nHost: a\r\n${last}\r\n`, ['404']],
  ['HTTP/1.0 without a host', 'POST /v3/echo HTTP/1.0\r\n\r\n', ['200']],
  ['a wish to go on', `${head}${sized('{}')}Expect: 100-continue\r\n${last}\r\n{}`, ['100', '200']],
  ['a wish for something else', `${head}${sized('{}')}Expect: 200-yes\r\n${last}\r\n{}`, ['417']],
  ['a body that is announced too large', `${head}Content-Length: 9999999\r\n${last}\r\n`, ['413']],
  ['TRACE', `TRACE /v3/echo HTTP/1.1\r\nHost: a\r\nCookie: seen-again\r\n${last}\r\n`, ['405']],
  ['a tunnel', 'CONNECT 127.0.0.1:9 HTTP/1.1\r\nHost: a\r\n\r\n', []],
]

test.each(unusual)('%s leads nowhere else', async (_what, bytes, statuses) => {
  const received = await converse(patientPort, bytes)
  expect(statusesOf(received)).toEqual(statuses)
  expect(received).not.toContain('seen-again')
})

const forwarded: readonly (readonly [what: string, headers: string])[] = [
  ['says', 'X-Forwarded-For: 198.51.100.7\r\n'],
  ['says last, whatever its caller has said', 'X-Forwarded-For: 192.0.2.1\r\nX-Forwarded-For: 198.51.100.7\r\n'],
  ['says with a port', 'X-Forwarded-For: 198.51.100.7:4711\r\n'],
]

test.each(forwarded)('a caller is who the proxy %s', async (_what, headers) => {
  addresses.length = 0
  await converse(patientPort, `${head}${headers}${last}\r\n`)
  expect(addresses).toEqual(['198.51.100.7'])
})

test('who is cut off in the middle of a request was counted under their address', async () => {
  addresses.length = 0
  await converse(port, `${head}Transfer-Encoding: chunked\r\n\r\nZ\r\n`)
  expect(addresses).toEqual(['127.0.0.1'])
})

test('a request is answered once, also when its body turns out to be no HTTP', async () => {
  const received = await converse(port, 'POST /v3/%zz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\n\r\n{}')
  expect([...received.matchAll(/HTTP\/1\.1 \d\d\d/g)].map(([line]) => line)).toEqual(['HTTP/1.1 400'])
})
