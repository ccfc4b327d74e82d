import type { Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, test } from 'vitest'
import { createAuthority, selfSigned } from '../../src/demo/targets/certificates.ts'
import type { ErrorTypeSymbol } from '../../src/domain/judging/error-types.ts'
import type { Settings } from '../../src/sensor/protocol.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const handshakeRecord = 0x16
const root = createAuthority('Test root')
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

/** Greets, then answers each line by the first word of the command. */
function scripted(greeting: string | null, replies: Readonly<Record<string, string>>): (socket: Socket) => void {
  return (socket) => {
    if (greeting !== null) socket.write(greeting)
    socket.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString('latin1').split('\r\n')) {
        const reply = replies[line.split(' ')[0] ?? '']
        if (reply !== undefined) socket.write(reply)
      }
    })
  }
}

function noTls(socket: Socket): void {
  scripted('220 mail\r\n', { EHLO: '250-hello\r\n250 STARTTLS\r\n', STARTTLS: '220 go\r\n' })(socket)
  socket.on('data', (chunk: Buffer) => {
    if (chunk[0] === handshakeRecord) socket.write('500 what is this?\r\n')
  })
}

const rows: readonly (readonly [string, (socket: Socket) => void, ErrorTypeSymbol | 'ok', Settings?])[] = [
  ['a greeting and an answer', scripted('220 mail ESMTP\r\n', { EHLO: '250 hello\r\n' }), 'ok'],
  ['many lines', scripted('220-mail\r\n220 ESMTP\r\n', { EHLO: '250-mail\r\n250-SIZE 1\r\n250 STARTTLS\r\n' }), 'ok'],
  ['bare line feeds', scripted('220 mail\n', { EHLO: '250 hello\n' }), 'ok'],
  ['HELO only', scripted('220 mail\r\n', { EHLO: '502 what?\r\n', HELO: '250 hello\r\n' }), 'ok'],
  ['silence', () => {}, 'smtp_banner_timeout', { timeout: 1500 }],
  ['a greeting and silence', scripted('220 mail\r\n', {}), 'smtp_reply_timeout', { timeout: 1500 }],
  ['half a greeting', scripted('220-mail\r\n', {}), 'smtp_banner_timeout', { timeout: 1500 }],
  ['another protocol', scripted('SSH-2.0-OpenSSH\r\n', {}), 'smtp_not_spoken'],
  ['an endless line', scripted('2'.repeat(100_000), {}), 'smtp_not_spoken'],
  ['a busy server', scripted('421 too many\r\n', {}), 'smtp_refused'],
  ['no mail here', scripted('554 go away\r\n', {}), 'smtp_refused'],
  ['a refused greeting', scripted('220 mail\r\n', { EHLO: '550 no\r\n', HELO: '550 no\r\n' }), 'smtp_helo_refused'],
  ['a close', (socket) => socket.end(), 'smtp_closed'],
  ['a close after the greeting', (socket) => socket.end('220 mail\r\n'), 'smtp_closed'],
  ['no STARTTLS', scripted('220 mail\r\n', { EHLO: '250 hello\r\n' }), 'smtp_starttls_missing', { start_tls: true }],
  [
    'a refused STARTTLS',
    scripted('220 mail\r\n', { EHLO: '250-hello\r\n250 STARTTLS\r\n', STARTTLS: '454 later\r\n' }),
    'smtp_starttls_refused',
    { start_tls: true },
  ],
  ['STARTTLS and then no TLS', noTls, 'tls_not_spoken', { start_tls: true }],
]

for (const [what, play, verdict, settings = {}] of rows) {
  test(`the server offers ${what}: ${verdict}`, async () => {
    const port = await servers.tcp(play)
    const result = await checker.check('smtp_helo', '127.0.0.1', { port, timeout: 3000, ...settings })
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  })
}

test('the dialogue is shown at a failure', async () => {
  const port = await servers.tcp(scripted('220 mail\r\n', { EHLO: '450 later\r\n' }))
  const { evidence } = await checker.check('smtp_helo', '127.0.0.1', { port, helo_name: 'me.example' })
  expect(evidence?.facts['smtp_dialogue']).toBe('220 mail\n> EHLO me.example\n450 later\n')
})

async function realServer(issued: { cert: string; key: string }): Promise<{ port: number }> {
  const server = new SMTPServer({
    ...issued,
    authOptional: true,
    disableReverseLookup: true,
  })
  server.on('error', () => {})
  servers.adopt({ close: () => server.close(() => {}) })
  const port = await new Promise<number>((resolve) => {
    const listening = server.listen(0, '127.0.0.1', () => {
      const address = listening.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
  return { port }
}

test('a real mail server is up with STARTTLS, and its certificate counts', async () => {
  const good = await realServer(root.issue({ names: ['localhost', '127.0.0.1'] }))
  const result = await checker.check('smtp_helo', 'localhost', { port: good.port, start_tls: true })
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  expect(result.phases?.tls).toBeGreaterThan(0)
  const bad = await realServer(selfSigned({ names: ['localhost'] }))
  const settings = { port: bad.port, start_tls: true }
  expect(verdictOf(await checker.check('smtp_helo', 'localhost', settings))).toBe('certificate_self_signed')
  expect(verdictOf(await checker.check('smtp_helo', 'localhost', { ...settings, verify_certificate: false }))).toBe(
    'ok',
  )
})
