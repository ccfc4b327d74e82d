import type { TlsOptions } from 'node:tls'
import { afterAll, expect, test } from 'vitest'
import { createAuthority, selfSigned } from '../../src/demo/targets/certificates.ts'
import type { ErrorTypeSymbol } from '../../src/domain/judging/error-types.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers, type Play, say } from '../support/nasty-server.ts'

const dayMs = 86_400_000
const names = ['localhost', '127.0.0.1']
const root = createAuthority('Test root')
const strangeRoot = createAuthority('Root nobody knows')
const good = root.issue({ names })
const page = say('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello')
const patientMs = 5000

const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const certificates: readonly (readonly [string, TlsOptions, ErrorTypeSymbol | 'ok'])[] = [
  ['good', good, 'ok'],
  ['good through an intermediate', root.intermediate('Middle').issue({ names }), 'ok'],
  [
    'expired',
    root.issue({ names, notBefore: Date.now() - 20 * dayMs, notAfter: Date.now() - dayMs }),
    'certificate_expired',
  ],
  ['not yet valid', root.issue({ names, notBefore: Date.now() + dayMs }), 'certificate_not_yet_valid'],
  ['for another host', root.issue({ names: ['other.example'] }), 'certificate_wrong_host'],
  ['self-signed', selfSigned({ names }), 'certificate_self_signed'],
  ['without its intermediate', root.intermediate('Middle', false).issue({ names }), 'certificate_intermediate_missing'],
  [
    'from an unknown authority',
    strangeRoot.intermediate('Strange middle').issue({ names }),
    'certificate_issuer_unknown',
  ],
]

test.each(certificates)('a certificate that is %s: %#', async (_what, options, verdict) => {
  let requests = 0
  const play: Play = (socket, request) => {
    requests += 1
    page(socket, request)
  }
  const port = await servers.tls(options, play)
  const result = await checker.check('https', `127.0.0.1:${port}/`, { timeout: patientMs })
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  expect(requests, 'a bad certificate stops the check before anything is sent').toBe(verdict === 'ok' ? 1 : 0)
  expect(result.phases?.tls).toBeGreaterThan(0)
  if (verdict === 'ok') return
  expect(result.evidence?.facts['certificate_valid_to']).toMatch(/GMT$/)
  const trusting = await checker.check('https', `127.0.0.1:${port}/`, { timeout: patientMs, verify_certificate: false })
  expect(verdictOf(trusting)).toBe('ok')
})

test('a certificate that ends within certificate_days fails in advance', async () => {
  const port = await servers.tls(root.issue({ names, notAfter: Date.now() + 10 * dayMs + 3_600_000 }), page)
  const address = `localhost:${port}/`
  expect(verdictOf(await checker.check('https', address, { certificate_days: 10 }))).toBe('ok')
  const result = await checker.check('https', address, { certificate_days: 11 })
  expect(verdictOf(result)).toBe('certificate_expires_soon')
  expect(result.errorMessage).toContain('in 10 days')
})

const handshakes: readonly (readonly [string, () => Promise<number>, ErrorTypeSymbol, number?])[] = [
  [
    'TLS 1.0 only',
    () => servers.tls({ ...good, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }, page),
    'tls_protocol_version',
  ],
  [
    'a client certificate wanted',
    () => servers.tls({ ...good, requestCert: true, rejectUnauthorized: true }, page),
    'tls_client_certificate_required',
  ],
  [
    'only a cipher nobody has',
    () => servers.tls({ ...good, maxVersion: 'TLSv1.2', ciphers: 'PSK-AES128-CBC-SHA' }, page),
    'tls_handshake_refused',
  ],
  ['a handshake that hangs', () => servers.tcp(() => {}), 'tls_timeout', 250],
  [
    'a close instead of a handshake',
    () => servers.tcp((socket) => socket.once('data', () => socket.end())),
    'tls_closed',
  ],
  [
    'a reset instead of a handshake',
    () => servers.tcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
    'tls_closed',
  ],
  ['a plain web server', () => servers.good((_request, response) => response.end('hello')), 'tls_not_spoken'],
  ['an SMTP banner', () => servers.tcp((socket) => socket.write('220 mail.example.com ESMTP\r\n')), 'tls_not_spoken'],
]

for (const [what, start, verdict, timeoutMs = patientMs] of handshakes) {
  test(`https meets ${what}`, async () => {
    const result = await checker.check('https', `127.0.0.1:${await start()}/`, { timeout: timeoutMs })
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  })
}

test('http asked of an https port fails', async () => {
  const port = await servers.tls(good, page)
  const result = await checker.check('http', `127.0.0.1:${port}/`, { timeout: patientMs })
  expect(['http_not_spoken', 'http_closed_before_response', 'http_reset_before_response']).toContain(verdictOf(result))
})

test('a server that speaks HTTP/2 only is up, and its page is read', async () => {
  const port = await servers.http2Only(good, 'hello over two')
  expect(verdictOf(await checker.check('https', `127.0.0.1:${port}/`, { content_regex: 'over two' }))).toBe('ok')
  const missing = await checker.check('https', `127.0.0.1:${port}/`, { content_regex: 'nothing' })
  expect(verdictOf(missing)).toBe('content_missing')
  expect(missing.evidence?.response_headers).toContain('HTTP/2 200')
  expect(missing.evidence?.content_type).toBe('text/plain')
})

test('an answer cut within TLS is down', async () => {
  const port = await servers.tls(good, say('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort'))
  expect(verdictOf(await checker.check('https', `127.0.0.1:${port}/`))).toBe('http_body_truncated')
})

test('a refused handshake is told by its reason; the text of the library is a detail', async () => {
  const port = await servers.tcp((socket) => socket.write('220 mail.example.com ESMTP\r\n'))
  const result = await checker.check('https', `127.0.0.1:${port}/`, { timeout: patientMs })
  expect([verdictOf(result), result.errorMessage]).toEqual(['tls_not_spoken', 'wrong version number'])
  expect(result.evidence?.facts['library_error']).toMatch(/SSL routines/)
  const refusing = await servers.tls({ ...good, maxVersion: 'TLSv1.2', ciphers: 'PSK-AES128-CBC-SHA' }, page)
  const refused = await checker.check('https', `127.0.0.1:${refusing}/`, { timeout: patientMs })
  expect(refused.errorMessage).toBe('the server sent the alert "handshake failure"')
})
