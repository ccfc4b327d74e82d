import type { IncomingMessage, RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { afterAll, expect, test } from 'vitest'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

interface Seen {
  readonly request: IncomingMessage
  readonly body: string
}

/** A server that remembers what it was asked, with the answer of `listener`. */
async function rememberingServer(listener: RequestListener): Promise<{ port: number; seen: Seen[] }> {
  const seen: Seen[] = []
  const port = await servers.good((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString('utf8')
    })
    request.on('end', () => {
      seen.push({ request, body })
      listener(request, response)
    })
  })
  return { port, seen }
}

const page: RequestListener = (_request, response) =>
  response.setHeader('Content-Type', 'text/html').end('<p>Sklep otwarty</p>')

test('method, content, content type, headers and credentials arrive as set', async () => {
  const { port, seen } = await rememberingServer(page)
  const result = await checker.check('http', `127.0.0.1:${port}/order?id=1`, {
    http_method: 'POST',
    content: '{"name":"żółw"}',
    content_type: 'application/json',
    request_headers: 'X-One: 1\r\nUser-Agent: Mine\r\n\r\nX-Two: 2',
    username: 'alice',
    password: 'sesame',
  })
  expect(verdictOf(result)).toBe('ok')
  const [{ request, body } = { request: null, body: '' }] = seen
  expect(request?.method).toBe('POST')
  expect(request?.url).toBe('/order?id=1')
  expect(body).toBe('{"name":"żółw"}')
  expect(request?.headers).toMatchObject({
    host: `127.0.0.1:${port}`,
    'content-type': 'application/json',
    'content-length': '18',
    'x-one': '1',
    'x-two': '2',
    'user-agent': 'Mine',
    authorization: `Basic ${Buffer.from('alice:sesame').toString('base64')}`,
  })
})

test('credentials in the address are used and never shown', async () => {
  const { port, seen } = await rememberingServer((_request, response) => response.writeHead(500).end())
  const result = await checker.check('http', `bob:p%40ss@127.0.0.1:${port}/`)
  expect(seen[0]?.request.headers.authorization).toBe(`Basic ${Buffer.from('bob:p@ss').toString('base64')}`)
  expect(result.evidence?.base_url).toBe(`http://127.0.0.1:${port}/`)
})

test('the setting port replaces the port of the address', async () => {
  const { port } = await rememberingServer(page)
  expect(verdictOf(await checker.check('http', '127.0.0.1:1/', { port }))).toBe('ok')
})

test('HEAD is up without a body', async () => {
  const port = await servers.good((_request, response) => response.setHeader('Content-Length', '500').end())
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/`, { http_method: 'HEAD' }))).toBe('ok')
})

test('accepted_statuses takes lists and ranges', async () => {
  const port = await servers.good((request, response) => response.writeHead(Number(request.url?.slice(1))).end())
  const verdictFor = async (status: number, accepted: string | null) =>
    verdictOf(await checker.check('http', `127.0.0.1:${port}/${status}`, { accepted_statuses: accepted }))
  expect(await verdictFor(204, null)).toBe('ok')
  expect(await verdictFor(304, null)).toBe('http_status_not_accepted')
  expect(await verdictFor(401, '200-299, 401')).toBe('ok')
  expect(await verdictFor(403, '200-299, 401')).toBe('http_client_error')
  expect(await verdictFor(503, '500-599')).toBe('ok')
  expect(await verdictFor(200, 'all')).toBe('setting_invalid')
})

test('content patterns look for text and for what must not be there', async () => {
  const { port } = await rememberingServer(page)
  const verdictFor = async (settings: Record<string, string>) =>
    verdictOf(await checker.check('http', `127.0.0.1:${port}/`, settings))
  expect(await verdictFor({ content_regex: 'Sklep (otwarty|czynny)' })).toBe('ok')
  expect(await verdictFor({ content_regex: 'zamknięty' })).toBe('content_missing')
  expect(await verdictFor({ negative_content_regex: '(?i)OTWARTY' })).toBe('content_forbidden')
  expect(await verdictFor({ negative_content_regex: 'zamknięty' })).toBe('ok')
  expect(await verdictFor({ content_regex: '(unclosed' })).toBe('setting_invalid')
})

test('a pattern that would explode does not hold the loop', async () => {
  const port = await servers.good((_request, response) => response.end('a'.repeat(100_000)))
  const result = await checker.check('http', `127.0.0.1:${port}/`, { content_regex: '(a+)+$' })
  expect(verdictOf(result)).toBe('ok')
})

test.each([
  ['a charset in the header', 'text/html; charset=iso-8859-2', iconv.encode('<p>żółw</p>', 'iso-8859-2')],
  ['a charset in the page', 'text/html', iconv.encode('<meta charset="windows-1250"><p>żółw</p>', 'windows-1250')],
  ['a byte order mark', 'text/html; charset=iso-8859-1', Buffer.from('\ufeffżółw', 'utf16le')],
  ['UTF-8 by its bytes', 'text/html', Buffer.from('<p>żółw</p>')],
])('patterns see the text by %s', async (_what, contentType, body) => {
  const port = await servers.good((_request, response) => response.setHeader('Content-Type', contentType).end(body))
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/`, { content_regex: 'żółw' }))).toBe('ok')
})

test('an answer slower than maximum_response_time is down, in time or not', async () => {
  const port = await servers.good((_request, response) => {
    setTimeout(() => response.end('late'), 80)
  })
  const result = await checker.check('http', `127.0.0.1:${port}/`, { maximum_response_time: 40 })
  expect(verdictOf(result)).toBe('response_too_slow')
  expect(result.responseTime).toBeGreaterThanOrEqual(79)
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/`, { maximum_response_time: 4000 }))).toBe('ok')
})

test('phases add up to the response time', async () => {
  const port = await servers.good((_request, response) => {
    setTimeout(() => response.end('late'), 50)
  })
  const { phases, responseTime } = await checker.check('http', `localhost:${port}/`)
  const sum = Object.values(phases ?? {}).reduce<number>((total, ms) => total + (ms ?? 0), 0)
  // They are parts of it: rounding may add a little, a busy machine only takes away.
  expect(sum).toBeLessThanOrEqual((responseTime ?? 0) + 1)
  expect(sum).toBeGreaterThanOrEqual(45)
  expect(phases?.first_byte).toBeGreaterThanOrEqual(45)
  expect(phases?.tls).toBeNull()
})

test('a failed check keeps the headers and the decoded page', async () => {
  const port = await servers.good((_request, response) => {
    response.writeHead(500, { 'Content-Type': 'text/html', 'Content-Encoding': 'gzip' }).end(gzipSync('<p>oops</p>'))
  })
  const { evidence, dataSize } = await checker.check('http', `127.0.0.1:${port}/shop/cart.php?x=1`)
  expect(evidence).toMatchObject({
    base_url: `http://127.0.0.1:${port}/shop/cart.php?x=1`,
    ip_address: '127.0.0.1',
    status_code: 500,
    content_type: 'text/html',
    file_name: 'cart.php',
  })
  expect(evidence?.response_headers).toMatch(/^HTTP\/1\.1 500 Internal Server Error\nContent-Type: text\/html\n/)
  expect(Buffer.from(evidence?.artifacts[0]?.bytes ?? []).toString()).toBe('<p>oops</p>')
  expect(dataSize).toBe(gzipSync('<p>oops</p>').length)
})

test('at most a megabyte of a page is kept', async () => {
  const port = await servers.good((_request, response) => {
    response.writeHead(500, { 'Content-Encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000, 'x')))
  })
  const { evidence } = await checker.check('http', `127.0.0.1:${port}/`)
  expect(evidence?.artifacts[0]?.bytes.length).toBe(1_048_576)
  expect(evidence?.facts['content_is_cut']).toBe(true)
})

test.each([
  ['a header with a line break in its name', { request_headers: 'Bad Name: x' }],
  ['a header without a colon', { request_headers: 'nothing' }],
  ['an unknown method', { http_method: 'FETCH' }],
  ['a timeout that is no number', { timeout: 'soon' }],
])('%s is our fault, not the target’s', async (_what, settings) => {
  const result = await checker.check('http', '127.0.0.1:1/', settings)
  expect(result.result).toBe('unknown')
  expect(verdictOf(result)).toBe('setting_invalid')
})

test('what was set in a cookie is for the visitor alone, not for those who look at the failure', async () => {
  const port = await servers.good((_request, response) => {
    response.writeHead(500, { 'Set-Cookie': ['session=abc; HttpOnly', 'theme=dark'], 'X-A': 'b' }).end()
  })
  const { evidence } = await checker.check('http', `127.0.0.1:${port}/`, {})
  expect(evidence?.response_headers).toContain('\nSet-Cookie: ***\nSet-Cookie: ***\nX-A: b')
  expect(JSON.stringify(evidence)).not.toMatch(/session=abc|dark/)
})

test.each([
  ['its type', { 'content-type': 'text/s3cret+w0rd; charset=s3cret+w0rd' }],
  ['its file name', { 'content-disposition': 'attachment; filename="s3cret+w0rd.txt"' }],
  ['its encoded file name', { 'content-disposition': "attachment; filename*=UTF-8''s3cret%2bw0rd.txt" }],
  ['its type, in Base64 without padding', { 'content-type': 'text/czNjcmV0K3cwcmQ' }],
])('a failed answer that repeats the password in %s does not show it', async (_where, headers) => {
  const port = await servers.good((_request, response) => response.writeHead(500, headers).end('failed'))
  const settings = { username: 'alice', password: 's3cret+w0rd' }
  const { evidence } = await checker.check('http', `127.0.0.1:${port}/`, settings)
  expect(JSON.stringify(evidence)).toContain('***')
  expect(JSON.stringify(evidence)).not.toMatch(/s3cret|czNjcmV0/)
})

test('a page that repeats its request repeats no password', async () => {
  const port = await servers.good((request, response) => {
    const said = `${request.headers.authorization} for ${Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')}`
    response
      .writeHead(500, { 'x-said': request.headers.authorization, location: '/?p=s3cret%20%C5%BC' })
      .end(`<p>${said} ${'s3cret ż'}`)
  })
  const settings = { username: 'alice', password: 's3cret ż' }
  for (const address of [`127.0.0.1:${port}/`, `alice:s3cret%20%C5%BC@127.0.0.1:${port}/`]) {
    const { evidence } = await checker.check('http', address, address.includes('@') ? {} : settings)
    const shown =
      JSON.stringify({ ...evidence, artifacts: [] }) + Buffer.from(evidence?.artifacts[0]?.bytes ?? '').toString()
    expect(shown).toContain('<p>Basic ***')
    expect(shown).not.toMatch(/s3cret|czNjcmV0|YWxpY2U6/)
  }
})
