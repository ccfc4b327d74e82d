// Content without an end, or that unpacks without an end, or that comes in tiny pieces: checks end in time, with the
// right verdict, and in little memory.
import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { boundedResult } from '../../src/sensor/bounded-result.ts'
import { longest } from '../../src/sensor/bounds.ts'
import { createCookieJar } from '../../src/sensor/http/cookies.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers, flood, say } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'

function packed(body: Buffer, encoding: string) {
  const headers = `${head}Content-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`
  return say(Buffer.concat([Buffer.from(headers), body]))
}

const zeros = Buffer.alloc(64 * 1_048_576)
const twice = gzipSync(gzipSync(zeros))
/**
 * Continues with an invalid block type (RFC 1951, section 3.2.3), which a decoder reaches only if it unpacks more than
 * is read.
 */
const broken = Buffer.concat([gzipSync(zeros, { finishFlush: constants.Z_FULL_FLUSH }), Buffer.alloc(1000, 0x07)])

describe('a page', () => {
  test.each([
    ['a bomb of brotli', brotliCompressSync(zeros), 'br', 'ok'],
    ['a bomb of deflate', deflateSync(zeros), 'deflate', 'ok'],
    ['a bomb in a bomb', twice, 'gzip, gzip', 'ok'],
    ['a bomb that is broken behind what is read of it', broken, 'gzip', 'ok'],
    [
      'five encodings',
      [1, 2, 3, 4, 5].reduce((body) => gzipSync(body), Buffer.from('hello')),
      'gzip,gzip,gzip,gzip,gzip',
      'ok',
    ],
    ['as many encodings as a header takes', twice, 'gzip,'.repeat(50_000), 'http_decoding_failed'],
    ['encodings of no name', Buffer.from('hello'), ','.repeat(200_000), 'http_decoding_failed'],
  ] as const)('%s', async (_what, body, encoding, verdict) => {
    const port = await servers.http(packed(body, encoding))
    const startedAt = performance.now()
    const result = await checker.check('http', `127.0.0.1:${port}/`, { content_regex: 'x?', timeout: 60_000 })
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
    expect(performance.now() - startedAt).toBeLessThan(30_000)
  })

  test('that fails with all the headers there can be brings no more evidence than is kept', async () => {
    const value = `\x1b[2J${'v'.repeat(120_000)}`
    const port = await servers.http(
      say(
        `HTTP/1.1 302 Found\r\nLocation: http://[${'x'.repeat(100_000)}\r\nX-Long: ${value}\r\nContent-Type: ${'t'.repeat(20_000)}\r\n\r\n`,
      ),
    )
    const result = await checker.check('http', `127.0.0.1:${port}/`)
    expect(verdictOf(result)).toBe('http_redirect_invalid')
    expect(result.errorMessage?.length).toBe(longest.message)
    expect(result.evidence?.response_headers?.length).toBe(longest.keptHeaders)
    expect(result.evidence?.content_type?.length).toBe(longest.text)
  })

  test('says what it says in one line, without signs for a terminal', async () => {
    const reason = 'No \x1b]0;gone\x07\x1b[31m\u202elive\u200b\x85\x9b way'
    const port = await servers.http(say(Buffer.from(`HTTP/1.1 500 ${reason}\r\nContent-Length: 0\r\n\r\n`)))
    const { errorMessage } = await checker.check('http', `127.0.0.1:${port}/`)
    expect(errorMessage).toMatch(/^status 500 No /)
    expect(errorMessage).not.toMatch(/[\p{Cc}\u202e\u200b]/u)
  })

  test('that sets cookies without end is sent as many as a browser would send', () => {
    const jar = createCookieJar()
    const url = new URL('http://shop.example/')
    jar.keep(url, ['first=1', `long=${'x'.repeat(5000)}`])
    for (let round = 0; round < 20; round += 1)
      jar.keep(
        url,
        Array.from({ length: 5000 }, (_none, index) => `c${round}-${index}=1`),
      )
    expect(jar.header(url)?.split('; ')).toHaveLength(180)
    expect(jar.header(url)).not.toMatch(/first|long/)
  })
})

describe('a mail server', () => {
  /** Writes its pieces one by one, each as a packet of its own. */
  function trickle(pieces: Iterable<string>): (socket: Socket) => void {
    return (socket) => {
      socket.setNoDelay(true)
      const iterator = pieces[Symbol.iterator]()
      const next = (): void => {
        for (let count = 0; count < 20; count += 1) {
          const { done, value } = iterator.next()
          if (done === true || !socket.writable) return
          socket.write(value)
        }
        setImmediate(next)
      }
      next()
    }
  }

  test.each([
    ['a reply of empty lines without end', Array<string>(40_000).fill('220-\r\n')],
    ['a reply letter by letter', [...'220-hello\r\n'.repeat(8000)]],
    ['a line letter by letter', Array<string>(40_000).fill('2')],
  ])('%s is not spoken to, and holds nobody up', async (_what, pieces) => {
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const port = await servers.tcp(trickle(pieces))
    const result = await checker.check('smtp_helo', '127.0.0.1', { port, timeout: 20_000 })
    delay.disable()
    expect([verdictOf(result), result.errorMessage]).toEqual([
      'smtp_not_spoken',
      expect.stringMatching(/endless|is not/),
    ])
    expect(delay.max / 1e6).toBeLessThan(5000)
  })

  test('that goes on after the goodbye is not listened to', async () => {
    const before = process.memoryUsage().external + process.memoryUsage().heapUsed
    let hungUp = () => {}
    const isHungUp = new Promise<void>((resolve) => {
      hungUp = resolve
    })
    const port = await servers.tcp((socket) => {
      socket.write('220 mail\r\n')
      socket.on('close', hungUp)
      socket.on('data', (said: Buffer) => {
        if (said.toString().startsWith('EHLO')) socket.write('250 hello\r\n')
        else if (said.toString().startsWith('QUIT')) flood('', Buffer.alloc(65_536, '2'))(socket, '')
      })
    })
    expect(verdictOf(await checker.check('smtp_helo', '127.0.0.1', { port }))).toBe('ok')
    await isHungUp
    const after = process.memoryUsage().external + process.memoryUsage().heapUsed
    expect(after - before).toBeLessThan(100 * 1_048_576)
  })
})

describe('a name server', () => {
  async function answering(reply: (query: Buffer) => readonly Buffer[]): Promise<number> {
    const socket = createSocket('udp4')
    socket.on('message', (query, from) => {
      for (const bytes of reply(query)) socket.send(bytes, from.port, from.address)
    })
    await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound))
    servers.adopt(socket)
    return (socket.address() as AddressInfo).port
  }

  /** The question with the header of a reply; counts and records as given. */
  function replyTo(query: Buffer, answers: number, records: Buffer): Buffer {
    const question = query.subarray(0, query.indexOf(0, 12) + 5)
    const bytes = Buffer.concat([question, records])
    bytes.writeUInt16BE(0x8180, 2)
    bytes.writeUInt16BE(answers, 6)
    bytes.writeUInt16BE(0, 10)
    return bytes
  }

  const check = (port: number, settings = {}) =>
    checker.check('dns', '127.0.0.1', { query_name: 'shop.example', port, timeout: 3000, ...settings })

  test.each([
    ['a name that points at itself', () => Buffer.from([0xc0, 30, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]), 1],
    ['names that point at each other', () => Buffer.from([0xc0, 32, 0xc0, 30, 0, 1, 0, 0, 0, 0, 0, 0]), 1],
    ['a pointer beyond the end', () => Buffer.from([0xff, 0xff, 0, 1, 0, 1]), 1],
    ['more records than it has', () => Buffer.alloc(0), 65_535],
    ['a packet longer than we take', () => Buffer.alloc(20_000), 1],
  ])('that answers with %s cannot be read', async (_what, records, count) => {
    const port = await answering((query) => [replyTo(query, count, records())])
    expect(verdictOf(await check(port, { timeout: 1500 }))).toBe('dns_malformed')
  })

  test('that sends nothing but strange packets is left before the time is up', async () => {
    const port = await answering((query) =>
      Array.from({ length: 200 }, (_none, index) => replyTo(query, 0, Buffer.alloc(0)).fill(index, 0, 2)),
    )
    const startedAt = performance.now()
    expect(verdictOf(await check(port, { timeout: 60_000 }))).toBe('dns_mismatch')
    expect(performance.now() - startedAt).toBeLessThan(50_000)
  })

  test('that answers by TCP with chains of thousands of pointers holds nobody up', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', (asked: Buffer) => {
        const query = asked.subarray(2)
        const start = query.indexOf(0, 12) + 5
        const chain = Buffer.alloc(16_000 - start)
        chain.writeUInt16BE(0xc00c, 0)
        for (let at = 2; at + 1 < chain.length; at += 2) chain.writeUInt16BE(0xc000 + start + at - 2, at)
        const record = Buffer.from([0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0])
        record.writeUInt16BE(0xc000 + 15_998, 0)
        // The chain stands in the data of a record, where no one looks; the others name its end.
        const first = Buffer.concat([Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 0, 0, 0]), chain])
        first.writeUInt16BE(chain.length, 10)
        const reply = replyTo(query, 4000, Buffer.concat([first, ...Array<Buffer>(3999).fill(record)]))
        const length = Buffer.alloc(2)
        length.writeUInt16BE(reply.length)
        socket.end(Buffer.concat([length, reply]))
      })
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    servers.adopt(server)
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const { port } = server.address() as AddressInfo
    expect(verdictOf(await check(port, { transport: 'tcp' }))).toBe('dns_malformed')
    delay.disable()
    expect(delay.max / 1e6).toBeLessThan(5000)
  })
})

test('a certificate with thousands of names is refused, and named in part', async () => {
  const names = Array.from({ length: 3000 }, (_none, index) => `name-${index}.example`)
  const port = await servers.tls(createAuthority('Nobody').issue({ names }), say(`${head}Content-Length: 2\r\n\r\nhi`))
  const result = await checker.check('https', `127.0.0.1:${port}/`)
  expect(verdictOf(result)).toMatch(/^(certificate_|tls_)/)
  expect(result.errorMessage?.length).toBeLessThanOrEqual(longest.message)
  expect(
    Math.max(...Object.values(result.evidence?.facts ?? {}).map((fact) => String(fact).length)),
  ).toBeLessThanOrEqual(longest.text)
})

test('a result without words is left as it is', () => {
  const plain = {
    result: 'ok',
    responseTime: 1,
    dataSize: 1,
    errorTypeId: null,
    errorMessage: null,
    phases: null,
    steps: null,
    evidence: null,
  } as const
  expect(boundedResult(plain)).toBe(plain)
})
