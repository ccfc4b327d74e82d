import { createHash, X509Certificate } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createAuthority, selfSigned } from '../../src/demo/targets/certificates.ts'
import type { CheckResult } from '../../src/sensor/protocol.ts'
import { createPageChecker, describeWithBrowser, type PageChecker } from '../support/browser.ts'
import { verdictOf } from '../support/check.ts'
import { createNastyServers, say, sayAndReset } from '../support/nasty-server.ts'

// Starting a browser on a machine under load takes its time.
vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 })

const servers = createNastyServers()
let checker: PageChecker
const names = ['localhost', '127.0.0.1']
const root = createAuthority('Test root')
const strangeRoot = createAuthority('Root nobody knows').intermediate('Strange middle')
const good = root.issue({ names })

function keyDigest(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}

/** A site of pages and files by path; whatever is not there is a 404. */
function site(files: Readonly<Record<string, string | RequestListener>>): Promise<number> {
  return servers.good((request, response) => {
    const file = files[new URL(request.url ?? '', 'http://site').pathname]
    if (file === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>')
    else if (typeof file === 'string') html(response, file)
    else file(request, response)
  })
}

function html(response: ServerResponse, body: string, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
}

function artifactOf(result: CheckResult, typeId: string): string {
  const artifact = result.evidence?.artifacts.find((candidate) => candidate.typeId === typeId)
  return Buffer.from(artifact?.bytes ?? []).toString('latin1')
}

describeWithBrowser('a page check', () => {
  beforeAll(() => {
    checker = createPageChecker({
      evidencePatienceMs: 30_000,
      certificateAuthorities: [root.certificate],
      // The browser takes no authority of ours; it can be told to trust this one key.
      launch: { extraArguments: [`--ignore-certificate-errors-spki-list=${keyDigest(good.cert)}`] },
    })
  })
  afterAll(async () => {
    servers.closeAll()
    await checker.stop()
  })

  test('is ok for a page that loads, with its time, its parts and its size', async () => {
    const image = Buffer.alloc(100_000, 1)
    const port = await site({
      '/': '<title>Shop</title><h1>Welcome</h1><img src="/photo">',
      '/photo': (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(image),
    })
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`)
    expect(verdictOf(result)).toBe('ok')
    expect(result.dataSize).toBeGreaterThan(image.length)
    const { dns, connect, tls, first_byte: firstByte, transfer } = result.phases ?? {}
    expect([dns, tls]).toEqual([null, null])
    const sum = (connect ?? 0) + (firstByte ?? 0) + (transfer ?? 0)
    expect(Math.abs(sum - (result.responseTime ?? 0))).toBeLessThan(1)
    expect(result.evidence).toBeNull()
  })

  test('the response time ends with the load event, whatever comes after it', async () => {
    const port = await site({
      '/': '<script>onload = () => setTimeout(() => fetch("/slow"), 0)</script><p>text</p><img src="/image">',
      '/image': (_request, response) => setTimeout(() => response.writeHead(404).end(), 300),
      '/slow': () => {},
    })
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`, { timeout: 20_000 })
    expect(verdictOf(result)).toBe('ok')
    expect(result.responseTime).toBeGreaterThanOrEqual(300)
  })

  test('a failure leaves the page, the archive and the screenshot', async () => {
    const port = await site({
      '/': (_request, response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Back soon</h1>'),
    })
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`)
    expect(verdictOf(result)).toBe('http_server_error')
    expect(artifactOf(result, 'content')).toBe('<h1>Back soon</h1>')
    expect(artifactOf(result, 'screenshot').slice(0, 3)).toBe('\xff\xd8\xff')
    expect(JSON.parse(artifactOf(result, 'har')).log.entries[0].response.status).toBe(503)
    expect(result.evidence).toMatchObject({ status_code: 503, ip_address: '127.0.0.1', content_type: 'text/html' })
    expect(result.evidence?.response_headers).toMatch(/^HTTP\/1.1 503 Service Unavailable\n/)
  })

  test.each([
    ['HTTP/1.0', 'HTTP/1.0 503 Gone fishing'],
    ['HTTP/1.1', 'HTTP/1.1 503 Gone fishing'],
  ])('the first line of the headers is what the server said: %s', async (_name, line) => {
    const port = await servers.http(say(`${line}\r\nContent-Type: text/plain\r\nX-A: b\r\n\r\nback soon`))
    const result = await checker.check('fullpage', `127.0.0.1:${port}/`)
    expect(result.evidence?.response_headers).toBe(`${line}\nContent-Type: text/plain\nX-A: b`)
    expect(JSON.parse(artifactOf(result, 'har')).log.entries[0].response.httpVersion).toBe(line.slice(0, 8))
  })

  test('HTTP/2 is told by its name', async () => {
    const port = await servers.http2Only(good, 'page')
    const result = await checker.check('fullpagehttps', `127.0.0.1:${port}/`, { content_regex: 'not there' })
    expect([verdictOf(result), result.evidence?.response_headers?.split('\n')[0]]).toEqual([
      'content_missing',
      'HTTP/2 200',
    ])
  })

  test('the status of the page where scripts and refresh headers lead is judged', async () => {
    const port = await site({
      '/script': '<script>location = "/gone"</script>',
      '/refresh': (_request, response) => html(response, 'wait', { refresh: '0; url=/gone' }),
      '/late': '<script>onload = () => { location = "/slow-to-come" }</script>',
      '/slow-to-come': (_request, response) => setTimeout(() => response.writeHead(500).end('oops'), 2000),
      '/there': '<script>location = "/end"</script>',
      '/end': '<p>the end</p>',
    })
    const verdicts = ['script', 'refresh', 'late', 'there'].map(async (path) =>
      verdictOf(await checker.check('fullpage', `127.0.0.1:${port}/${path}`, { content_regex: 'the end' })),
    )
    expect(await Promise.all(verdicts)).toEqual(['http_client_error', 'http_client_error', 'http_server_error', 'ok'])
  })

  test.each([
    ['a word that a script writes', { content_regex: 'made by script' }, 'ok'],
    ['a word of the source', { content_regex: '<!-- build 7 -->' }, 'ok'],
    ['a word that is not there', { content_regex: 'Bestellung' }, 'content_missing'],
    ['no forbidden word', { negative_content_regex: 'Fatal error' }, 'ok'],
    ['a forbidden word that a script writes', { negative_content_regex: 'made by \\w+' }, 'content_forbidden'],
    ['a forbidden word of the source', { negative_content_regex: 'build \\d' }, 'content_forbidden'],
  ] as const)('%s: %o → %s', async (_name, settings, verdict) => {
    const port = await site({
      '/': '<!-- build 7 --><p id="p"></p><script>p.textContent = ["made", "by", "script"].join(" ")</script>',
    })
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${port}/`, settings))).toBe(verdict)
  })

  test('the page may not be larger than permitted', async () => {
    const port = await site({ '/': `<p>${'x'.repeat(50_000)}</p>` })
    const checkWith = (maximum: number) =>
      checker.check('fullpage', `127.0.0.1:${port}/`, { maximum_page_size: maximum })
    expect(verdictOf(await checkWith(100_000))).toBe('ok')
    expect(verdictOf(await checkWith(40_000))).toBe('page_too_large')
  })

  test('the page may not be slower than permitted', async () => {
    const port = await site({ '/': (_request, response) => setTimeout(() => html(response, 'slow'), 300) })
    const checkWith = (maximum: number) =>
      checker.check('fullpage', `127.0.0.1:${port}/`, { maximum_response_time: maximum })
    expect(verdictOf(await checkWith(20_000))).toBe('ok')
    expect(verdictOf(await checkWith(200))).toBe('response_too_slow')
  })

  test('what the page consists of may be missing unless it must not be', async () => {
    const port = await site({
      '/': '<p>text</p><img src="/missing.png"><script src="http://127.0.0.1:9/x.js"></script>',
    })
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${port}/`))).toBe('ok')
    const strict = await checker.check('fullpage', `127.0.0.1:${port}/`, { fail_on_resource_errors: true })
    expect(verdictOf(strict)).toBe('page_resource_failed')
    expect(strict.errorMessage).toContain('/missing.png: status 404')
  })

  test('headers and credentials go to the host of the service, and to no other', async () => {
    const seen = new Map<string, IncomingMessage['headers']>()
    const note: RequestListener = (request, response) => {
      seen.set(request.url ?? '', request.headers)
      response.writeHead(200, { 'access-control-allow-origin': '*' }).end()
    }
    const elsewhere = await servers.good(note)
    const port = await site({
      '/': (request, response) => {
        note(request, response)
      },
      '/page': (request, response) => {
        seen.set('/page', request.headers)
        html(response, `<img src="/own"><img src="http://127.0.0.1:${elsewhere}/other"><img src="/away">`)
      },
      '/own': note,
      '/away': (_request, response) =>
        response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/redirected` }).end(),
    })
    const settings = { request_headers: 'X-Key: open sesame\nUser-Agent: Visitor', username: 'ala', password: 's3cret' }
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${port}/page`, settings))).toBe('ok')
    const basic = `Basic ${Buffer.from('ala:s3cret').toString('base64')}`
    for (const path of ['/page', '/own'])
      expect(seen.get(path)).toMatchObject({ 'x-key': 'open sesame', authorization: basic, 'user-agent': 'Visitor' })
    for (const path of ['/other', '/redirected']) {
      expect(seen.get(path)).toBeDefined()
      expect(seen.get(path)).not.toHaveProperty('x-key')
      expect(seen.get(path)).not.toHaveProperty('authorization')
    }
  })

  test('no artifact tells the password', async () => {
    const port = await site({
      '/': (request, response) =>
        response
          .writeHead(500, { 'content-type': 'text/html', 'set-cookie': 'session=abc', 'x-echo': 's3cret/+&' })
          .end(`<p>${request.headers.authorization}</p><p>s3cret/+&amp;</p><a href="?k=s3cret%2F%2B%26">x</a>`),
    })
    const settings = { username: 'ala', password: 's3cret/+&' }
    const result = await checker.check('fullpage', `127.0.0.1:${port}/?key=s3cret%2F%2B%26`, settings)
    expect(verdictOf(result)).toBe('http_server_error')
    const shown = [
      artifactOf(result, 'har'),
      artifactOf(result, 'content'),
      JSON.stringify({ ...result.evidence, artifacts: [] }),
    ]
    expect(shown.join('\n')).toContain('***')
    for (const text of shown) expect(text).not.toMatch(/s3cret|session=abc|YWxhOnMzY3JldC8r/)
  })

  test('a phone is what the site sees, over its network', async () => {
    let agent = ''
    const port = await site({
      '/': (request, response) => {
        agent = request.headers['user-agent'] ?? ''
        html(response, '<p id="w"></p><script>w.textContent = "width " + innerWidth</script>')
      },
    })
    const slow = await checker.check('mobilepage', `127.0.0.1:${port}/`, { network: '3g', device: 'iPhone 13' })
    expect([verdictOf(slow), agent]).toEqual(['ok', expect.stringMatching(/iPhone.*Latarnik$/)])
    expect(slow.responseTime).toBeGreaterThanOrEqual(300)
    const fast = { network: 'none', content_regex: 'width (9\\d\\d|4\\d\\d)' }
    expect(verdictOf(await checker.check('mobilepage', `127.0.0.1:${port}/`, fast))).toBe('ok')
    expect(agent).toContain('Pixel 7')
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${port}/`))).toBe('ok')
    expect(agent).not.toMatch(/Headless|Mobile/)
  })

  test.each([
    ['nobody vouches for', strangeRoot.issue({ names }), 'certificate_issuer_unknown'],
    ['signed itself', selfSigned({ names }), 'certificate_self_signed'],
    ['expired', root.issue({ names, notBefore: 1e12, notAfter: 1.1e12 }), 'certificate_expired'],
    ['is for another host', root.issue({ names: ['other.example'] }), 'certificate_wrong_host'],
  ] as const)('a certificate that %s: %#', async (_name, certificate, verdict) => {
    const port = await servers.tls(certificate, say('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'))
    const result = await checker.check('fullpagehttps', `127.0.0.1:${port}/`)
    expect(verdictOf(result)).toBe(verdict)
    expect(result.evidence?.facts['certificate_valid_to']).toMatch(/GMT$/)
  })

  test('a page over TLS is ok, with the time of the handshake', async () => {
    const port = await servers.tls(good, say('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage'))
    const result = await checker.check('fullpagehttps', `127.0.0.1:${port}/`, { content_regex: '^page$' })
    expect(`${verdictOf(result)} ${result.errorMessage}`).toBe('ok null')
    expect(result.phases?.tls).toBeGreaterThan(0)
    const { validTo } = new X509Certificate(good.cert)
    expect(result.expiry).toMatchObject({ kind: 'certificate', name: names[0], endsAt: Date.parse(validTo) })
  })

  test('a page in plain text has no certificate, and of redirects over TLS the nearest end counts', async () => {
    const plain = await site({ '/': 'page' })
    expect((await checker.check('fullpage', `127.0.0.1:${plain}/`)).expiry).toBeUndefined()
    const leading = `HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:${plain}/\r\nContent-Length: 0\r\n\r\n`
    const port = await servers.tls(good, say(leading))
    const led = await checker.check('fullpagehttps', `127.0.0.1:${port}/`)
    expect([verdictOf(led), led.expiry?.kind]).toEqual(['ok', 'certificate'])
  })

  test.each([
    ['there is no such name', 'no-such-name.invalid/', 'name_not_found'],
    ['the address is none', 'exa mple/', 'address_invalid'],
  ] as const)('%s: %s → %s', async (_name, address, verdict) => {
    expect(verdictOf(await checker.check('fullpage', address))).toBe(verdict)
  })

  test('nobody listens: connection_refused', async () => {
    const gone = createNastyServers()
    const port = await gone.tcp(() => {})
    gone.closeAll()
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${port}/`))).toBe('connection_refused')
  })

  test.each([
    ['closes at once', say(''), 'http_closed_before_response'],
    ['resets', sayAndReset(''), 'connection_reset'],
    ['sends too little', say('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'), 'http_body_truncated'],
    ['answers 404', say('HTTP/1.1 404 Nope\r\nContent-Length: 2\r\n\r\nno'), 'http_client_error'],
  ] as const)('a server that %s: %s', async (_name, play, verdict) => {
    const port = await servers.http(play)
    expect(verdictOf(await checker.check('fullpage', `127.0.0.1:${port}/`))).toBe(verdict)
  })
})
