import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, expect, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { createCookieJar } from '../../src/sensor/http/cookies.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers, say } from '../support/nasty-server.ts'

const root = createAuthority('Test root')
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { Location: location }).end()
}

/** `/3` leads to `/2`, `/1`, `/0`, which is the page. */
function countdown(request: IncomingMessage, response: ServerResponse): void {
  const left = Number(request.url?.slice(1))
  if (left > 0) redirect(response, 302, `/${left - 1}`)
  else response.end('arrived')
}

test('redirects are followed up to exactly the limit', async () => {
  const port = await servers.good(countdown)
  const verdictFor = async (hops: number, maximum: number) =>
    verdictOf(await checker.check('http', `127.0.0.1:${port}/${hops}`, { maximum_redirects: maximum }))
  expect(await verdictFor(0, 0)).toBe('ok')
  expect(await verdictFor(1, 0)).toBe('http_too_many_redirects')
  expect(await verdictFor(3, 3)).toBe('ok')
  expect(await verdictFor(4, 3)).toBe('http_too_many_redirects')
  expect(await verdictFor(10, 10)).toBe('ok')
})

test('the page shown is the one at the end', async () => {
  const port = await servers.good(countdown)
  const result = await checker.check('http', `127.0.0.1:${port}/2`, { content_regex: 'not here' })
  expect(verdictOf(result)).toBe('content_missing')
  expect(result.evidence?.base_url).toBe(`http://127.0.0.1:${port}/0`)
})

test('a loop is named as one', async () => {
  const port = await servers.good((request, response) => redirect(response, 302, request.url === '/a' ? '/b' : '/a'))
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/a`))).toBe('http_redirect_loop')
})

test('a site that sets a cookie and redirects to itself is up', async () => {
  const port = await servers.good((request, response) => {
    if (request.headers.cookie === 'seen=1') response.end('welcome')
    else response.writeHead(302, { Location: '/', 'Set-Cookie': 'seen=1; Path=/; HttpOnly' }).end()
  })
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/`, { content_regex: 'welcome' }))).toBe('ok')
})

test('a hop that hangs runs into the same one timer', async () => {
  const port = await servers.good((request, response) => {
    if (request.url === '/') redirect(response, 302, '/hangs')
  })
  const result = await checker.check('http', `127.0.0.1:${port}/`, { timeout: 1500 })
  expect(verdictOf(result)).toBe('http_first_byte_timeout')
  expect(result.responseTime).toBeGreaterThanOrEqual(1490)
})

test('without follow_redirects the redirect itself is judged', async () => {
  const port = await servers.good(countdown)
  const settings = { follow_redirects: false }
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/1`, settings))).toBe('http_status_not_accepted')
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/1`, { ...settings, accepted_statuses: '302' }))).toBe(
    'ok',
  )
})

test.each(['ftp://127.0.0.1/', 'javascript:alert(1)', 'http://[bad/'])(
  'a redirect to %s is not followed',
  async (location) => {
    const port = await servers.http(say(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`))
    expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/`))).toBe('http_redirect_invalid')
  },
)

test('a POST becomes a GET after 302 and stays a POST after 307', async () => {
  const seen: string[] = []
  const port = await servers.good((request, response) => {
    seen.push(`${request.method} ${request.url} ${request.headers['content-length'] ?? '-'}`)
    if (request.url === '/end') response.end()
    else redirect(response, Number(request.url?.slice(1)), '/end')
  })
  await checker.check('http', `127.0.0.1:${port}/302`, { http_method: 'POST', content: 'abc' })
  await checker.check('http', `127.0.0.1:${port}/307`, { http_method: 'POST', content: 'abc' })
  expect(seen).toEqual(['POST /302 3', 'GET /end -', 'POST /307 3', 'POST /end 3'])
})

test('credentials do not follow to another origin, neither on within it nor back', async () => {
  const seen: (readonly [authorization: string | undefined, cookie: string | undefined])[] = []
  const note = ({ headers }: IncomingMessage) => seen.push([headers.authorization, headers.cookie])
  let home = 0
  const away = await servers.good((request, response) => {
    note(request)
    redirect(response, 302, request.url === '/' ? '/further' : `http://127.0.0.1:${home}/back`)
  })
  home = await servers.good((request, response) => {
    note(request)
    if (request.url === '/back') response.end()
    else redirect(response, 302, `http://127.0.0.1:${away}/`)
  })
  const settings = { username: 'alice', password: 'sesame', request_headers: 'Cookie: secret=1' }
  expect(verdictOf(await checker.check('http', `127.0.0.1:${home}/`, settings))).toBe('ok')
  const none = [undefined, undefined]
  expect(seen).toEqual([[`Basic ${Buffer.from('alice:sesame').toString('base64')}`, 'secret=1'], none, none, none])
})

test.each([
  ['https://shop.example/', 'a=1', 'https://shop.example/cart', 'a=1'],
  ['https://shop.example/', 'a=1', 'https://other.example/', null],
  ['https://shop.example/', 'a=1', 'https://www.shop.example/', null],
  ['https://shop.example/', 'a=1; Domain=.Shop.example', 'https://www.shop.example/', 'a=1'],
  ['https://www.shop.example/', 'a=1; Domain=shop.example', 'https://shop.example/', 'a=1'],
  ['https://shop.example/', 'a=1; Domain=shop.example', 'https://workshop.example/', null],
  ['https://shop.example/', 'a=1; Domain=other.example', 'https://other.example/', null],
  ['https://shop.example/', 'a=1; Domain=example', 'https://other.example/', null],
  ['http://10.0.0.1/', 'a=1; Domain=0.0.1', 'http://11.0.0.1/', null],
  ['https://shop.example/', 'a=1; secure', 'https://shop.example/', 'a=1'],
  ['https://shop.example/', 'a=1; Path=/; Secure', 'http://shop.example/', null],
  ['https://localhost/', 'a=1; Secure', 'http://localhost/', null],
  ['https://shop.example/', 'a=1; Path=/cart', 'https://shop.example/cart/2', 'a=1'],
  ['https://shop.example/', 'a=1; Path=/cart', 'https://shop.example/', null],
  ['https://shop.example/', 'a=1; Max-Age=0', 'https://shop.example/', null],
  ['https://shop.co.uk/', 'a=1; Domain=co.uk', 'https://other.co.uk/', null],
  ['http://10.0.0.1/', 'a=1', 'http://10.0.0.1/cart', 'a=1'],
  ['http://[::1]/', 'a=1', 'http://[::1]/cart', 'a=1'],
  ['https://shop.example/', 'a', 'https://shop.example/', 'a'],
  ['https://shop.example/', '', 'https://shop.example/', null],
  ['https://shop.example/', '__Host-a=1; Domain=shop.example', 'https://shop.example/', null],
])('%s sets %s, which %s is sent as %j', (from, line, to, sent) => {
  const jar = createCookieJar()
  jar.keep(new URL(from), [line])
  expect(jar.header(new URL(to))).toBe(sent)
})

test('http leads to https, and its certificate counts', async () => {
  const page = say('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  const secure = await servers.tls(root.issue({ names: ['localhost'] }), page)
  const port = await servers.good((request, response) =>
    redirect(response, 301, `https://${request.url?.slice(1)}:${secure}/`),
  )
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/localhost`))).toBe('ok')
  expect(verdictOf(await checker.check('http', `127.0.0.1:${port}/127.0.0.1`))).toBe('certificate_wrong_host')
})
