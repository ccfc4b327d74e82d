import { X509Certificate } from 'node:crypto'
import { createServer, TLSSocket } from 'node:tls'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { createAuthority, selfSigned } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { type LineAnswer, lineServer, upgrade } from '../support/line-server.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const root = createAuthority('Test root')
const good = root.issue({ names: ['localhost', '127.0.0.1'] })
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const check = (port: number, settings: object = {}) =>
  checker.check('tls', `127.0.0.1:${port}`, { timeout: 3000, ...settings })

/** Says each piece in a packet of its own once something came. */
async function speaking(pieces: readonly string[], issued = good): Promise<number> {
  const server = createServer({ ...issued }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', () => {
      for (const [index, piece] of pieces.entries()) setTimeout(() => socket.write(piece), 60 * index)
    })
  })
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

test('a good handshake is enough', async () => {
  const result = await check(await speaking([]))
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  expect(result.phases?.tls).toBeGreaterThan(0)
})

test.each([
  [['PONG\r\n'], '^PONG', 'ok'],
  [['PO', 'NG\r\n'], 'PONG', 'ok'],
  [['PONG\r\n'], '^PANG', 'protocol_answer_timeout'],
] as const)('what comes, %j, is held to %j: %s', async (pieces, expected_answer_regex, verdict) => {
  const result = await check(await speaking(pieces), {
    ...{ text_to_send: 'PING\\r\\n', expected_answer_regex, timeout: verdict === 'ok' ? 5000 : 700 },
  })
  expect(verdictOf(result)).toBe(verdict)
  expect(result.errorMessage ?? '').not.toContain('PONG')
})

test('an answer is waited for where text is sent, and one that never comes is told', async () => {
  expect(verdictOf(await check(await speaking(['x']), { text_to_send: 'x' }))).toBe('ok')
  expect(verdictOf(await check(await speaking([]), { text_to_send: 'x', timeout: 600 }))).toBe(
    'protocol_answer_timeout',
  )
})

test('the days of a certificate are counted by the clock of the station as it is now, also after it was set', async () => {
  const port = await speaking([], root.issue({ names: ['127.0.0.1'], notAfter: Date.now() + 40 * 86_400_000 }))
  expect(verdictOf(await check(port, { certificate_days: 30 }))).toBe('ok')
  const real = Date.now.bind(Date)
  const set = vi.spyOn(Date, 'now').mockImplementation(() => real() + 20 * 86_400_000)
  onTestFinished(() => set.mockRestore())
  expect(verdictOf(await check(port, { certificate_days: 30 }))).toBe('certificate_expires_soon')
})

test('the certificate is read once a connection, and its issuers once for many', async () => {
  const port = await speaking([], root.issue({ names: ['127.0.0.1'] }))
  const read = vi.spyOn(TLSSocket.prototype, 'getPeerCertificate')
  onTestFinished(() => read.mockRestore())
  for (let turn = 0; turn < 3; turn += 1) expect(verdictOf(await check(port))).toBe('ok')
  const withIssuers = read.mock.calls.map(([detailed]) => detailed === true)
  expect(withIssuers).toEqual([false, true, false, false])
})

test('the certificate counts', async () => {
  const own = await speaking([], selfSigned({ names: ['127.0.0.1'] }))
  expect(verdictOf(await check(own))).toBe('certificate_self_signed')
  expect(verdictOf(await check(own, { verify_certificate: false }))).toBe('ok')
  const other = await speaking([], root.issue({ names: ['other.example'] }))
  expect(verdictOf(await check(other))).toBe('certificate_wrong_host')
  expect(verdictOf(await check(await speaking([]), { certificate_days: 3650 }))).toBe('certificate_expires_soon')
})

const dialects: Readonly<Record<string, { readonly greeting: string; readonly answer: LineAnswer }>> = {
  smtp: {
    greeting: '220-mail\r\n220 ESMTP\r\n',
    answer: (command, isSecure) => {
      if (command.startsWith('EHLO')) return { say: `250-mail\r\n250-STARTTLS\r\n250 SIZE${isSecure ? '' : ' 1'}\r\n` }
      return command === 'STARTTLS' ? { say: '220 go\r\n', next: 'tls' } : null
    },
  },
  imap: {
    greeting: '* OK [CAPABILITY IMAP4rev1 STARTTLS] ready\r\n',
    answer: (command) =>
      / STARTTLS$/.test(command) ? { say: `* NOTE\r\n${command.split(' ')[0]} OK begin\r\n`, next: 'tls' } : null,
  },
  pop3: {
    greeting: '+OK ready\r\n',
    answer: (command) => (command === 'STLS' ? { say: '+OK\r\n', next: 'tls' } : null),
  },
  ftp: {
    greeting: '220-welcome\r\n to ftp\r\n220 ready\r\n',
    answer: (command) => (command === 'AUTH TLS' ? { say: '234 go\r\n', next: 'tls' } : null),
  },
}

test.each(Object.entries(dialects))('TLS is asked for in %s', async (starttls, { greeting, answer }) => {
  const port = await servers.tcp(lineServer(greeting, answer, good))
  const result = await check(port, { starttls })
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  const own = await servers.tcp(lineServer(greeting, answer, selfSigned({ names: ['127.0.0.1'] })))
  expect(verdictOf(await check(own, { starttls }))).toBe('certificate_self_signed')
})

test.each([
  ['smtp', '220 mail\r\n', '250 mail\r\n', 'starttls_missing'],
  ['smtp', '554 no\r\n', '', 'protocol_refused'],
  ['smtp', '220 mail\r\n', '250-mail\r\n250 STARTTLS\r\n', 'starttls_refused'],
  ['imap', '* OK ready\r\n', 's1 BAD what\r\n', 'starttls_missing'],
  ['imap', '* OK ready\r\n', 's1 NO certificate\r\n', 'starttls_refused'],
  ['imap', '* BYE too many\r\n', '', 'protocol_refused'],
  ['pop3', '+OK\r\n', '-ERR what\r\n', 'starttls_missing'],
  ['pop3', '-ERR busy\r\n', '', 'protocol_refused'],
  ['ftp', '220 ftp\r\n', '500 what\r\n', 'starttls_missing'],
  ['ftp', '220 ftp\r\n', '431 later\r\n', 'starttls_refused'],
  ['ftp', 'SSH-2.0-x\r\n', '', 'protocol_not_spoken'],
] as const)('%s that says %j and then %j: %s', async (starttls, greeting, said, verdict) => {
  const say = (command: string) => (command === 'STARTTLS' && starttls === 'smtp' ? '454 later\r\n' : said)
  const port = await servers.tcp(lineServer(greeting, (command) => ({ say: say(command) })))
  expect(verdictOf(await check(port, { starttls }))).toBe(verdict)
})

const accepted = Buffer.from([0x30, 0x0c, 0x02, 0x01, 0x01, 0x78, 0x07, 0x0a, 0x01, 0x00, 0x04, 0x00, 0x04, 0x00])
const unwilling = Buffer.from([0x30, 0x0c, 0x02, 0x01, 0x01, 0x78, 0x07, 0x0a, 0x01, 0x35, 0x04, 0x00, 0x04, 0x00])

test.each([
  ['ldap', 31, accepted, 'ok'],
  ['ldap', 31, unwilling, 'starttls_refused'],
  ['ldap', 31, Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'protocol_not_spoken'],
  ['postgresql', 8, Buffer.from('S'), 'ok'],
  ['postgresql', 8, Buffer.from('N'), 'starttls_missing'],
  ['postgresql', 8, Buffer.from('E'), 'protocol_not_spoken'],
] as const)('%s: the request has %i bytes, %j is an answer: %s', async (starttls, size, reply, verdict) => {
  const asked: number[] = []
  const port = await servers.tcp((socket) => {
    socket.once('data', (request: Buffer) => {
      asked.push(request.length)
      socket.write(reply)
      if (verdict === 'ok') upgrade(socket, good, () => undefined)
    })
  })
  expect(verdictOf(await check(port, { starttls }))).toBe(verdict)
  expect(asked).toEqual([size])
})

test('what was said in plain text does not count after TLS', async () => {
  const { greeting, answer } = dialects['pop3'] ?? { greeting: '', answer: () => null }
  const injecting: LineAnswer = (command, isSecure) => {
    const reply = answer(command, isSecure)
    return reply === null ? null : { ...reply, say: `${reply.say}+OK injected\r\n` }
  }
  const port = await servers.tcp(lineServer(greeting, injecting, good))
  const settings = { starttls: 'pop3', expected_answer_regex: 'injected', timeout: 700 }
  expect(['tls_not_spoken', 'tls_failed', 'protocol_answer_timeout']).toContain(verdictOf(await check(port, settings)))
})

test('an answer that ends without what is expected is another one', async () => {
  const server = createServer({ ...good }, (socket) => void socket.end('PONG\r\n'))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const result = await check(port, { expected_answer_regex: '^PANG' })
  expect([verdictOf(result), result.errorMessage]).toEqual(['content_missing', 'the answer does not match "^PANG"'])
})

test.each([[{}], [{ certificate_days: 3650 }], [{ verify_certificate: false }]])(
  'the end of the certificate is told, also if the check fails: %j',
  async (settings) => {
    const issued = root.issue({ names: ['localhost', '127.0.0.1'] })
    const { expiry } = await check(await speaking([], issued), settings)
    const { validTo, fingerprint256 } = new X509Certificate(issued.cert)
    expect(expiry).toEqual({
      ...{ kind: 'certificate', id: fingerprint256, name: 'localhost', endsAt: Date.parse(validTo) },
    })
  },
)

const now = Math.floor(Date.now() / 1000) * 1000
const soon = (days: number) => now + days * 86_400_000

test.each([
  ['its own', 20, 40, 'localhost', 20],
  ['an intermediate', 60, 10, 'Middle', 10],
])('of a chain the nearest end counts: %s', async (_which, ownDays, middleDays, name, days) => {
  const [own, middle] = [soon(ownDays), soon(middleDays)]
  const issued = root.intermediate('Middle', true, middle).issue({ names: ['localhost', '127.0.0.1'], notAfter: own })
  const port = await speaking([], issued)
  // The second check remembers the chain.
  for (const _ of [1, 2]) {
    const result = await check(port)
    expect([verdictOf(result), result.expiry?.name, result.expiry?.endsAt]).toEqual(['ok', name, soon(days)])
  }
})

test('a certificate that a server sends in the place of a root which clients hold is not used, and does not count', async () => {
  const other = createAuthority('Another root')
  // The same name and key as our root, but signed by an older root: its end is near.
  const crossed = other.crossSign(root, soon(3))
  const issued = root.issue({ names: ['localhost', '127.0.0.1'], notAfter: soon(50) })
  const port = await speaking([], { ...issued, cert: issued.cert + crossed })
  const result = await check(port)
  expect([verdictOf(result), result.expiry?.name, result.expiry?.endsAt]).toEqual(['ok', 'localhost', soon(50)])
})
