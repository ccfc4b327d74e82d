// IMAP, POP3, FTP and SSH: protocols of lines.
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { FtpSrv } from 'ftp-srv'
import ssh2 from 'ssh2'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { type LineAnswer, lineServer } from '../support/line-server.ts'
import { createNastyServers } from '../support/nasty-server.ts'
import { freePort } from '../support/real-server.ts'

const root = createAuthority('Test root')
const good = root.issue({ names: ['127.0.0.1'] })
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const login = { username: 'jan', password: 'sé"s\\ame' }

interface Dialect {
  readonly greeting: string
  readonly answer: (heard: string[]) => LineAnswer
}

const dialects: Readonly<Record<'imap' | 'pop3' | 'ftp', Dialect>> = {
  imap: {
    greeting: '* OK ready\r\n',
    answer: (heard) => (command, isSecure) => {
      heard.push(command)
      const [tag = '', verb = ''] = command.split(' ')
      if (verb === 'STARTTLS') return { say: `${tag} OK\r\n`, next: 'tls' }
      if (verb === 'LOGOUT') return { say: `* BYE\r\n${tag} OK\r\n`, next: 'end' }
      if (!isSecure) return { say: `${tag} NO [PRIVACYREQUIRED] not in plain text\r\n` }
      const isRight = command === Buffer.from(`${tag} LOGIN "jan" "sé\\"s\\\\ame"`).toString('latin1')
      return { say: isRight ? `* CAPABILITY X\r\n${tag} OK in\r\n` : `${tag} NO [AUTHENTICATIONFAILED] no\r\n` }
    },
  },
  pop3: {
    greeting: '+OK ready\r\n',
    answer: (heard) => (command) => {
      heard.push(command)
      if (command === 'STLS') return { say: '+OK\r\n', next: 'tls' }
      if (command === 'QUIT') return { say: '+OK bye\r\n', next: 'end' }
      if (command.startsWith('USER')) return { say: '+OK\r\n' }
      const isRight = Buffer.from(command, 'latin1').toString() === `PASS ${login.password}`
      return { say: isRight ? '+OK in\r\n' : '-ERR [AUTH] no\r\n' }
    },
  },
  ftp: {
    greeting: '220-hello\r\n220 ready\r\n',
    answer: (heard) => (command) => {
      heard.push(command)
      if (command === 'AUTH TLS') return { say: '234 go\r\n', next: 'tls' }
      if (command === 'QUIT') return { say: '221 bye\r\n', next: 'end' }
      if (command.startsWith('USER')) return { say: '331 and?\r\n' }
      const isRight = Buffer.from(command, 'latin1').toString() === `PASS ${login.password}`
      return { say: isRight ? '230-hello\r\n230 in\r\n' : '530 no\r\n' }
    },
  },
}

describe.each(Object.entries(dialects))('%s', (type, { greeting, answer }) => {
  const check = (port: number, settings: object) =>
    checker.check(type, '127.0.0.1', { port, timeout: 2000, ...settings })

  test.each([
    [{ tls: 'off' }, 'ok'],
    [{ tls: 'starttls' }, 'ok'],
    [{ tls: 'starttls', ...login }, 'ok'],
    [{ tls: 'starttls', ...login, password: 'wrong' }, 'login_refused'],
  ])('%j: %s', async (settings, verdict) => {
    const heard: string[] = []
    const result = await check(await servers.tcp(lineServer(greeting, answer(heard), good)), settings)
    expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
    expect(verdict !== 'ok' || heard.at(-1)?.endsWith(type === 'imap' ? 'LOGOUT' : 'QUIT')).toBe(true)
  })

  test('nothing of a login leaves before the certificate is good', async () => {
    const heard: string[] = []
    const stranger = createChecker()
    const port = await servers.tcp(lineServer(greeting, answer(heard), good))
    const result = await stranger.check(type, '127.0.0.1', { port, timeout: 2000, tls: 'starttls', ...login })
    expect(verdictOf(result)).toMatch(/^certificate_/)
    expect(heard).toHaveLength(1)
    stranger.stop()
  })

  test('a password of several lines is no command', async () => {
    const heard: string[] = []
    const port = await servers.tcp(lineServer(greeting, answer(heard), good))
    const settings = { tls: 'off', username: 'jan', password: 'x\r\nDELE 1' }
    expect(verdictOf(await check(port, settings))).toBe('setting_invalid')
    expect(heard).toEqual([])
  })
})

test('a store that lets nobody in without TLS says so', async () => {
  const port = await servers.tcp(lineServer(dialects.imap.greeting, dialects.imap.answer([])))
  const result = await checker.check('imap', '127.0.0.1', { port, tls: 'off', ...login })
  expect(verdictOf(result)).toBe('login_unsafe')
})

test('a server of files of another hand', async () => {
  const port = await freePort()
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
  const log: object = {
    child: () => log,
    ...Object.fromEntries(levels.map((level) => [level, () => undefined])),
  }
  const server = new FtpSrv({ url: `ftp://127.0.0.1:${port}`, log })
  server.on('login', ({ username, password }, resolve, reject) => {
    if (username === 'jan' && password === 'sesame') resolve({ root: '/nonexistent' })
    else reject(new Error('no'))
  })
  await server.listen()
  onTestFinished(async () => void (await server.close()))
  const check = (settings: object) => checker.check('ftp', '127.0.0.1', { port, ...settings })
  expect(verdictOf(await check({}))).toBe('ok')
  expect(verdictOf(await check({ username: 'jan', password: 'wrong' }))).toBe('login_refused')
  expect(verdictOf(await check({ tls: 'starttls' }))).toBe('starttls_missing')
})

const kexInit = Buffer.from([0, 0, 0, 20, 4, 20, ...Array<number>(18).fill(0)])

test.each([
  ['SSH-2.0-OpenSSH_9.2\r\n', 'OpenSSH_9', 'ok'],
  ['SSH-2.0-OpenSSH_9.2\r\n', 'OpenSSH_10', 'content_missing'],
  ['welcome\r\nhere\r\nSSH-1.99-old\n', null, 'ok'],
  ['SSH-1.5-ancient\r\n', null, 'protocol_not_spoken'],
  ['Exceeded MaxStartups\r\n', null, 'protocol_refused'],
  ['line\r\n'.repeat(60), null, 'protocol_not_spoken'],
  ['x'.repeat(20_000), null, 'protocol_not_spoken'],
])('SSH that begins with %j, wanted %j: %s', async (banner, expected_answer_regex, verdict) => {
  const port = await servers.tcp((socket) => {
    socket.write(banner)
    socket.on('data', () => socket.write(kexInit))
  })
  const result = await checker.check('ssh', '127.0.0.1', { port, timeout: 2000, expected_answer_regex })
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
})

test('SSH that hangs up after its banner is not up', async () => {
  const port = await servers.tcp(
    (socket) => void socket.write('SSH-2.0-x\r\n', () => setTimeout(() => socket.end(), 50)),
  )
  expect(verdictOf(await checker.check('ssh', '127.0.0.1', { port }))).toBe('protocol_closed')
})

const keys = {
  rsa: ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }),
  ecdsa: ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }),
  ed25519: ssh2.utils.generateKeyPairSync('ed25519'),
}

/** As `ssh-keygen -l` writes it. */
function fingerprintOf({ public: line }: { readonly public: string }): string {
  const bytes = Buffer.from(line.split(' ')[1] ?? '', 'base64')
  return `SHA256:${createHash('sha256').update(bytes).digest('base64').replaceAll('=', '')}`
}

async function sshServer(hostKeys: readonly (keyof typeof keys)[]): Promise<number> {
  const server = new ssh2.Server({ hostKeys: hostKeys.map((kind) => keys[kind].private) }, (client) => {
    client.on('error', () => undefined)
  })
  const port = await freePort()
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return port
}

test.each(['rsa', 'ecdsa', 'ed25519'] as const)(
  'an SSH server of another hand proves to have its %s key',
  async (kind) => {
    const port = await sshServer(['rsa', 'ecdsa', 'ed25519'])
    const check = (settings: object) => checker.check('ssh', '127.0.0.1', { port, ...settings })
    expect(verdictOf(await check({ expected_answer_regex: '^SSH-2.0-ssh2js' }))).toBe('ok')
    const host_key_fingerprint = fingerprintOf(keys[kind])
    const result = await check({ host_key_fingerprint, host_key_kind: kind })
    expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
    const other = kind === 'rsa' ? 'ed25519' : 'rsa'
    const differing = await check({ host_key_fingerprint, host_key_kind: other })
    expect([verdictOf(differing), differing.errorMessage]).toEqual([
      'host_key_differs',
      `${fingerprintOf(keys[other])}, wanted ${host_key_fingerprint}`,
    ])
  },
)

test('an SSH server without a key of the kind is told', async () => {
  const settings = { port: await sshServer(['rsa']), host_key_fingerprint: fingerprintOf(keys.ed25519) }
  const result = await checker.check('ssh', '127.0.0.1', settings)
  expect([verdictOf(result), result.errorMessage]).toEqual(['host_key_differs', 'the server has no ed25519 key'])
})

test('who shows a key of somebody else cannot prove to have it', async () => {
  const real = await sshServer(['ed25519'])
  // In between: everything is passed on, but one bit of what the server signs.
  const port = await servers.tcp((socket) => {
    const far = connect(real, '127.0.0.1')
    far.on('error', () => socket.destroy())
    socket.on('error', () => far.destroy())
    socket.pipe(far)
    far.on('data', (chunk: Buffer) => {
      const at = chunk.indexOf(Buffer.from([0, 0, 0, 64]))
      if (at >= 0) chunk[at + 10] = (chunk[at + 10] ?? 0) ^ 1
      socket.write(chunk)
    })
  })
  const settings = { port, host_key_fingerprint: fingerprintOf(keys.ed25519) }
  const result = await checker.check('ssh', '127.0.0.1', settings)
  expect([verdictOf(result), result.errorMessage]).toEqual([
    'host_key_differs',
    'the server cannot prove that it has its key',
  ])
})
