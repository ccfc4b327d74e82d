import { deflateRawSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import type { ErrorTypeSymbol } from '../../src/domain/judging/error-types.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers, drip, flood, type Play, say, sayAndHold, sayAndReset } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'
const gzipped = gzipSync('a page that is long enough to be cut in the middle of its compressed form '.repeat(20))
const patientMs = 5000
const hastyMs = 250

function sized(body: Buffer, headers: string): Buffer {
  return Buffer.concat([Buffer.from(`${head}${headers}Content-Length: ${body.length}\r\n\r\n`), body])
}

type Row = readonly [what: string, play: Play, verdict: ErrorTypeSymbol | 'ok', timeoutMs?: number]

const down: readonly Row[] = [
  ['a length longer than the body', say(`${head}Content-Length: 100\r\n\r\nshort`), 'http_body_truncated'],
  ['a reset in the middle of the body', sayAndReset(`${head}Content-Length: 100\r\n\r\nshort`), 'http_body_reset'],
  ['a reset in a body without a length', sayAndReset(`${head}\r\nshort`), 'http_body_reset'],
  ['a close in the middle of the headers', say(`${head}X-Half: `), 'http_headers_incomplete'],
  ['a close without a byte', (socket) => socket.end(), 'http_closed_before_response'],
  ['a reset without a byte', (socket) => socket.resetAndDestroy(), 'http_reset_before_response'],
  ['truncated chunks', say(`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`), 'http_body_truncated'],
  ['garbage for a chunk size', say(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n`), 'http_chunk_invalid'],
  [
    'garbage after a good chunk',
    say(`${head}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n!?\r\n`),
    'http_chunk_invalid',
  ],
  ['two lengths', say(`${head}Content-Length: 2\r\nContent-Length: 5\r\n\r\nhello`), 'http_invalid_content_length'],
  ['a length that is no number', say(`${head}Content-Length: many\r\n\r\nhello`), 'http_invalid_content_length'],
  ['a negative length', say(`${head}Content-Length: -5\r\n\r\nhello`), 'http_invalid_content_length'],
  ['endless 100s', flood('', Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'.repeat(50))), 'http_informational_flood'],
  [
    'a 101 nobody asked for',
    sayAndHold('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
    'http_unexpected_upgrade',
  ],
  ['a header of a megabyte', say(`${head}X-Big: ${'b'.repeat(1_048_576)}\r\n\r\nhello`), 'http_headers_too_large'],
  ['endless headers', flood(head, Buffer.from('X-More: and more\r\n'.repeat(1000))), 'http_headers_too_large'],
  ['a header without a colon', say(`${head}NoColonHere\r\nContent-Length: 5\r\n\r\nhello`), 'http_invalid_header'],
  ['a space before the colon', say(`${head}Foo : x\r\nContent-Length: 5\r\n\r\nhello`), 'http_invalid_header'],
  ['no answer at all', () => {}, 'http_first_byte_timeout', hastyMs],
  ['headers that stop', sayAndHold(head), 'http_headers_timeout', hastyMs],
  ['headers that drip', drip(head, 'X-A: b\r\n', 20, 1000), 'http_headers_timeout', hastyMs],
  ['a body that drips', drip(`${head}Content-Length: 1000\r\n\r\n`, 'x', 20, 900), 'http_body_timeout', hastyMs],
  ['an open body without a length', sayAndHold(`${head}\r\nhello`), 'http_body_timeout', hastyMs],
  ['corrupt gzip', say(sized(Buffer.from('this is not gzip'), 'Content-Encoding: gzip\r\n')), 'http_decoding_failed'],
  [
    'truncated gzip',
    say(sized(gzipped.subarray(0, gzipped.length - 20), 'Content-Encoding: gzip\r\n')),
    'http_decoding_failed',
  ],
  ['an SMTP banner', say('220 mail.example.com ESMTP\r\n'), 'http_not_spoken'],
  ['a status 404', say('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'), 'http_client_error'],
  ['a status 503', say('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n'), 'http_server_error'],
]

const up: readonly Row[] = [
  [
    'length and chunks together',
    say(`${head}Content-Length: 99\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`),
    'ok',
  ],
  ['extra bytes after the body', say(`${head}Content-Length: 5\r\n\r\nhello and then some`), 'ok'],
  ['extra bytes after a 204', say('HTTP/1.1 204 No Content\r\n\r\nsurprise'), 'ok'],
  [
    'extra bytes after a kept-open body',
    sayAndHold(`${head}Connection: keep-alive\r\nContent-Length: 5\r\n\r\nhello\r\n\r\n!`),
    'ok',
  ],
  [
    '100, 103, then 200',
    say(
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${head}Content-Length: 5\r\n\r\nhello`,
    ),
    'ok',
  ],
  ['20 KB of headers', say(`${head}X-Big: ${'b'.repeat(20_000)}\r\nContent-Length: 5\r\n\r\nhello`), 'ok'],
  [
    '5000 headers',
    say(
      `${head}${Array.from({ length: 5000 }, (_none, index) => `X-${index}: ${index}\r\n`).join('')}Content-Length: 5\r\n\r\nhello`,
    ),
    'ok',
  ],
  ['a folded header', say(`${head}X-Folded: one\r\n two\r\nContent-Length: 5\r\n\r\nhello`), 'ok'],
  ['control bytes in a value', say(`${head}X-Control: a\x01b\x7fc\r\nContent-Length: 5\r\n\r\nhello`), 'ok'],
  ['bare line feeds', say('HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 5\n\nhello'), 'ok'],
  ['a 204 kept open', sayAndHold('HTTP/1.1 204 No Content\r\n\r\n'), 'ok'],
  ['a close after HTTP/1.0', say('HTTP/1.0 200 OK\r\n\r\nhello'), 'ok'],
  ['no reason phrase', say('HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello'), 'ok'],
  ['raw deflate', say(sized(deflateRawSync('hello'), 'Content-Encoding: deflate\r\n')), 'ok'],
  ['a gzip bomb of 300 MB', say(sized(gzipSync(Buffer.alloc(300_000_000)), 'Content-Encoding: gzip\r\n')), 'ok'],
  ['a body of 2 GB', flood(`${head}Content-Length: 2000000000\r\n\r\n`, Buffer.alloc(65_536)), 'ok'],
]

for (const [what, play, verdict, timeoutMs = patientMs] of [...down, ...up]) {
  test(`is ${verdict === 'ok' ? 'up' : 'down'}: ${what}`, async () => {
    const port = await servers.http(play)
    const result = await checker.check('http', `127.0.0.1:${port}/page`, { timeout: timeoutMs })
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
    expect(result.result).toBe(verdict === 'ok' ? 'ok' : 'error')
    expect(result.evidence === null).toBe(verdict === 'ok')
    expect(result.responseTime).toBeLessThan(patientMs)
  })
}

test('a 304 kept open is done at once', async () => {
  const port = await servers.http(sayAndHold('HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n'))
  const result = await checker.check('http', `127.0.0.1:${port}/`, { timeout: patientMs, accepted_statuses: '304' })
  expect(verdictOf(result)).toBe('ok')
})
