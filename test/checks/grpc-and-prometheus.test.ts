import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import { Server, ServerCredentials, status } from '@grpc/grpc-js'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createAuthority, selfSigned } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers, sayAndHold } from '../support/nasty-server.ts'

const root = createAuthority('Test root')
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

describe('gRPC', () => {
  const check = (port: number, settings: object = {}) =>
    checker.check('grpc', `127.0.0.1:${port}`, { timeout: 3000, ...settings })
  const bytes = (buffer: Buffer) => buffer
  const health = {
    Check: {
      ...{ path: '/grpc.health.v1.Health/Check', requestStream: false, responseStream: false },
      ...{ requestSerialize: bytes, requestDeserialize: bytes, responseSerialize: bytes, responseDeserialize: bytes },
    },
  }
  const states: Readonly<Record<string, number>> = { '': 1, 'shop.Orders': 1, 'shop.Ill': 2, 'shop.Unsure': 0 }

  /** A server of the usual library, with the health service as its protocol file has it. */
  async function grpcServer(issued?: { cert: string; key: string }): Promise<number> {
    const server = new Server()
    server.addService(health, {
      Check: (call: { request: Buffer }, answer: (error: object | null, value?: Buffer) => void) => {
        const name = call.request.length === 0 ? '' : call.request.toString('utf8', 2)
        const state = states[name]
        if (name === 'locked') answer({ code: status.UNAUTHENTICATED, details: 'who?' })
        else if (state === undefined) answer({ code: status.NOT_FOUND, details: 'unknown service' })
        else answer(null, state === 0 ? Buffer.alloc(0) : Buffer.from([8, state]))
      },
    })
    const credentials =
      issued === undefined
        ? ServerCredentials.createInsecure()
        : ServerCredentials.createSsl(null, [
            { private_key: Buffer.from(issued.key), cert_chain: Buffer.from(issued.cert) },
          ])
    const port = await new Promise<number>((bound, failed) =>
      server.bindAsync('127.0.0.1:0', credentials, (error, at) => (error === null ? bound(at) : failed(error))),
    )
    onTestFinished(() => server.forceShutdown())
    return port
  }

  test.each([
    [null, 'ok'],
    ['shop.Orders', 'ok'],
    ['shop.Ill', 'not_serving'],
    ['shop.Unsure', 'not_serving'],
    ['shop.Nobody', 'not_serving'],
    ['locked', 'login_required'],
  ])('the health of %j: %s', async (service_name, verdict) => {
    const result = await check(await grpcServer(), { service_name })
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  })

  test('over TLS, once the certificate is good', async () => {
    const good = await grpcServer(root.issue({ names: ['127.0.0.1'] }))
    const result = await check(good, { tls: 'tls' })
    expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
    expect(verdictOf(await check(await grpcServer(selfSigned({ names: ['127.0.0.1'] })), { tls: 'tls' }))).toBe(
      'certificate_self_signed',
    )
  })

  test('a server without the health service, or of plain HTTP/2, is told', async () => {
    const bare = new Server()
    const port = await new Promise<number>((bound) =>
      bare.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_error, at) => bound(at)),
    )
    onTestFinished(() => bare.forceShutdown())
    expect(verdictOf(await check(port))).toBe('protocol_refused')
    const web = createSecureServer(root.issue({ names: ['127.0.0.1'] }), (_request, response) => response.end('hello'))
    await new Promise<void>((listening) => web.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void web.close())
    const address = web.address()
    const at = typeof address === 'object' && address !== null ? address.port : 0
    expect(verdictOf(await check(at, { tls: 'tls' }))).toBe('protocol_not_spoken')
  })

  test.each([
    ['HTTP/1.1 400 Bad Request\r\n\r\n', 'protocol_not_spoken'],
    ['', 'protocol_answer_timeout'],
  ])('a server that says %j: %s', async (said, verdict) => {
    const port = await servers.tcp((socket) => void socket.once('data', () => void socket.write(said)))
    expect(verdictOf(await check(port, { timeout: 800 }))).toBe(verdict)
  })

  test('a server that hangs up is told', async () => {
    const port = await servers.tcp((socket) => void socket.once('data', () => socket.destroy()))
    expect(verdictOf(await check(port))).toBe('protocol_closed')
  })
})

describe('Prometheus', () => {
  const vector = (...values: readonly string[]) => ({
    status: 'success',
    data: { resultType: 'vector', result: values.map((value) => ({ metric: { job: 'x' }, value: [1.5, value] })) },
  })
  const scalar = { status: 'success', data: { resultType: 'scalar', result: [1.5, '7'] } }

  async function answering(answer: unknown, code = 200) {
    const asked: { path: string; body: string; authorization: string | undefined }[] = []
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      asked.push({ path: `${request.method} ${request.url}`, body, authorization: request.headers.authorization })
      response.writeHead(code, { 'content-type': 'application/json' })
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    onTestFinished(() => void server.close())
    const address = server.address()
    return { asked, port: typeof address === 'object' && address !== null ? address.port : 0 }
  }

  const check = (port: number, settings: object = {}, path = '') =>
    checker.check('prometheus', `127.0.0.1:${port}${path}`, { timeout: 3000, ...settings })
  const seven = { expected_value: '7' }

  test.each([
    [vector('7'), 200, seven, 'ok'],
    [vector('7', '8'), 200, seven, 'ok'],
    [vector('8'), 200, seven, 'value_differs'],
    [vector('8'), 200, { ...seven, comparison: '>' }, 'ok'],
    [vector('NaN'), 200, { ...seven, comparison: '>' }, 'value_differs'],
    [scalar, 200, seven, 'ok'],
    [vector(), 200, seven, 'value_missing'],
    [vector(), 200, {}, 'ok'],
    [{ status: 'error', errorType: 'bad_data', error: 'parse error' }, 400, {}, 'query_refused'],
    ['unauthorized', 401, {}, 'login_refused'],
    ['<html>', 200, {}, 'protocol_not_spoken'],
    ['{"status":"success","data":{"result":[[[[', 200, {}, 'protocol_not_spoken'],
    [{ status: 'success', data: null }, 200, {}, 'protocol_not_spoken'],
    ['bad gateway', 502, {}, 'protocol_refused'],
    [' '.repeat(3_000_000), 200, {}, 'protocol_answer_too_large'],
  ] as const)('%j with status %i, wanted %j: %s', async (answer, code, settings, verdict) => {
    const { port } = await answering(answer, code)
    const result = await check(port, settings)
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  })

  test('the query is asked below the path, with the login', async () => {
    const { asked, port } = await answering(vector('7'))
    await check(port, { promql: 'sum(up{job="x"}) > 1', username: 'me', password: 'p' }, '/prom/')
    expect(asked).toEqual([
      {
        path: 'POST /prom/api/v1/query',
        body: 'query=sum%28up%7Bjob%3D%22x%22%7D%29+%3E+1',
        authorization: `Basic ${Buffer.from('me:p').toString('base64')}`,
      },
    ])
  })

  test('an answer that drips, or none, ends in time', async () => {
    const port = await servers.http(sayAndHold('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{'))
    expect(verdictOf(await check(port, { timeout: 600 }))).toBe('http_body_timeout')
  })
})
