import { once } from 'node:events'
import { get } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compressAnswers } from '../../src/rest/compression.ts'
import { sendProblems } from '../../src/rest/respond.ts'
import { type ApiWorld, apiWorld, authorizationOf } from '../support/api.ts'
import { listenAlone } from '../support/raw-http.ts'

const plain: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  undefined: (bytes) => bytes,
}

describe('answers of the API', () => {
  let api: ApiWorld
  beforeAll(async () => {
    api = await apiWorld()
    for (let number = 1; number <= 20; number += 1) {
      const body = { type_id: 'http', name: `Sklep ${number}`, address: 'shop.example.com' }
      expect((await api.call('alice', 'POST', '/services', body)).status).toBe(201)
    }
  })
  afterAll(() => api.drop())

  async function ask(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
    const authorization = authorizationOf('alice')
    const reply = await api.server.inject({ method, url: `/v3${path}`, headers: { authorization, ...headers } })
    return { status: reply.statusCode, headers: reply.headers, bytes: reply.rawPayload }
  }

  test.each([
    ['br', 'gzip, deflate, br'],
    ['br', 'gzip, deflate, br, zstd'],
    ['br', '*'],
    ['gzip', 'gzip'],
    ['gzip', 'br;q=0.5, gzip;q=0.8'],
    ['gzip', 'br;q=0, *'],
    [undefined, ''],
    [undefined, 'identity'],
    [undefined, 'identity, br;q=0.5'],
    [undefined, 'br;q=0, gzip;q=0'],
    [undefined, 'deflate'],
    [undefined, undefined],
  ])('are sent as %s to who accepts %j', async (encoding, accepted) => {
    const path = '/services'
    const whole = await ask(path)
    const reply = await ask(path, accepted === undefined ? {} : { 'accept-encoding': accepted })
    expect([reply.status, reply.headers['content-encoding']]).toEqual([200, encoding])
    expect(plain[String(encoding)]?.(reply.bytes)).toEqual(whole.bytes)
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
    expect(reply.headers['vary']).toBe('Accept-Encoding, Accept-Language, Authorization')
    if (encoding !== undefined) expect(reply.bytes.length).toBeLessThan(whole.bytes.length / 4)
  })

  test('have a weak tag when they are compressed; every form of it is honoured in every encoding', async () => {
    const whole = await ask('/services')
    const strong = String(whole.headers['etag'])
    expect(strong).toMatch(/^"/)
    let cases = 0
    for (const encoding of ['br', 'gzip', 'identity']) {
      const sent = encoding === 'identity' ? strong : `W/${strong}`
      const headers = { 'accept-encoding': encoding }
      expect((await ask('/services', headers)).headers['etag']).toBe(sent)
      for (const known of [strong, `W/${strong}`, `"other", W/${strong}`, '*']) {
        const again = await ask('/services', { ...headers, 'if-none-match': known })
        expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, sent])
        expect(again.headers['vary']).toBe(whole.headers['vary'])
        expect(again.headers['content-encoding']).toBeUndefined()
        cases += 1
      }
      expect((await ask('/services', { ...headers, 'if-none-match': '"other"' })).status).toBe(200)
    }
    expect(cases).toBe(12)
  })

  test('of less than 1 KB go as they are, with their strong tag', async () => {
    const reply = await ask('/services?fields=id&limit=3', { 'accept-encoding': 'br, gzip' })
    expect(reply.headers['content-encoding']).toBeUndefined()
    expect(reply.headers['etag']).toMatch(/^"/)
  })

  test('HEAD has the headers of GET and no body', async () => {
    const headers = { 'accept-encoding': 'br' }
    const [head, whole] = [await ask('/services', headers, 'HEAD'), await ask('/services', headers)]
    const itsOwn = { date: '', 'x-request-id': '' }
    expect({ ...head.headers, ...itsOwn }).toEqual({ ...whole.headers, ...itsOwn })
    expect(head.bytes.length).toBe(0)
  })

  test('that refuse are never compressed: they repeat what was sent', async () => {
    const reply = await ask(`/services?fields=${'nothing,'.repeat(200)}id`, { 'accept-encoding': 'br' })
    expect([reply.status, reply.headers['content-encoding']]).toEqual([422, undefined])
    expect(reply.bytes.length).toBeGreaterThan(1024)
  })

  test('the description and its reader are compressed too', async () => {
    for (const path of ['/public/swagger.json', '/public/doc/swagger-ui-bundle.js']) {
      const [whole, reply] = [await ask(path), await ask(path, { 'accept-encoding': 'br' })]
      expect([path, reply.headers['content-encoding']]).toEqual([path, 'br'])
      expect(brotliDecompressSync(reply.bytes).equals(whole.bytes)).toBe(true)
      expect(String(reply.headers['vary'])).toContain('Accept-Encoding')
    }
  })
})

describe('a body that comes in pieces', () => {
  const text = 'the same words again '.repeat(500)
  let server: FastifyInstance
  let port: number
  /** The pieces of `/live` are written by the test. */
  let live: PassThrough

  beforeAll(async () => {
    server = fastify()
    compressAnswers(server)
    server.setErrorHandler((_error, _request, reply) => sendProblems(reply, [{ error: 'internal_error' }], 'en'))
    const streamed = (type: string, headers: Record<string, string | number> = {}) => ({
      'Content-Type': type,
      ETag: '"digest"',
      'Accept-Ranges': 'bytes',
      'Content-Length': text.length,
      ...headers,
    })
    const add = (path: string, headers: Record<string, string | number>, status = 200) =>
      server.get(path, (_request, reply) =>
        reply
          .code(status)
          .headers(headers)
          .send(Readable.from([text])),
      )
    add('/text', streamed('text/html; charset=windows-1250'))
    add('/har', streamed('application/json'))
    add('/svg', streamed('image/svg+xml'))
    add('/picture', streamed('image/png'))
    add('/pdf', streamed('application/pdf'))
    add('/packed', streamed('text/html', { 'Content-Encoding': 'gzip' }))
    add('/part', streamed('text/html', { 'Content-Range': `bytes 0-9/${text.length}` }), 206)
    add('/secret', streamed('text/html', { 'Cache-Control': 'no-store' }))
    add('/untouched', streamed('text/html', { 'Cache-Control': 'public, no-transform' }))
    server.get('/failing', (_request, reply) => {
      const failing = new Readable({ read: () => failing.destroy(new Error('the disk is gone')) })
      return reply.headers(streamed('text/html')).send(failing)
    })
    for (const [path, type] of Object.entries({ events: 'text/event-stream', lines: 'application/x-ndjson' })) {
      server.get(`/${path}`, (_request, reply) => {
        live = new PassThrough()
        return reply.header('Content-Type', type).send(live)
      })
    }
    port = await listenAlone(server)
  })
  afterAll(() => server.close())

  const ask = (url: string) => server.inject({ url, headers: { 'accept-encoding': 'gzip' } })

  test.each(['/text', '/har', '/svg'])('%s is compressed as it goes; no range of it is offered', async (path) => {
    const reply = await ask(path)
    expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', etag: 'W/"digest"', vary: 'Accept-Encoding' })
    expect([reply.headers['content-length'], reply.headers['accept-ranges']]).toEqual([undefined, undefined])
    expect(gunzipSync(reply.rawPayload).toString()).toBe(text)
  })

  test.each(['/picture', '/pdf', '/packed', '/part', '/secret', '/untouched'])('%s goes as it is', async (path) => {
    const reply = await ask(path)
    expect(reply.payload).toBe(text)
    expect(reply.headers).toMatchObject({ etag: '"digest"', 'content-length': String(text.length) })
  })

  test('that cannot be read is answered with a problem that can', async () => {
    const reply = await ask('/failing')
    expect([reply.statusCode, reply.headers['content-encoding']]).toEqual([500, undefined])
    expect(reply.json()).toMatchObject([{ error: 'internal_error' }])
  })

  test.each(['/events', '/lines'])('%s passes each piece on at once', async (path) => {
    const request = get({ port, path, host: '127.0.0.1', headers: { 'accept-encoding': 'br, gzip' } })
    const arrived = once(request, 'response')
    await expect.poll(() => live?.writable).toBe(true)
    live.write('first\n')
    const [response] = await arrived
    expect(response.headers['content-encoding']).toBeUndefined()
    const [piece] = await once(response, 'data')
    expect(String(piece)).toBe('first\n')
    live.end()
    await once(response.resume(), 'end')
  })
})
