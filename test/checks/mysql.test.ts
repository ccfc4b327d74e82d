import { execFileSync, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import mysql2 from 'mysql2'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createAuthority, selfSigned } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { type Issued, upgrade } from '../support/line-server.ts'
import { createNastyServers } from '../support/nasty-server.ts'
import { freePort, installedProgram } from '../support/real-server.ts'

const root = createAuthority('Test root')
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const login = { username: 'monitor', password: 'sésame' }
const check = (port: number, settings: object = {}) =>
  checker.check('mysql', '127.0.0.1', { port, timeout: 4000, ...settings })

const sha1 = (...parts: readonly (string | Buffer)[]) =>
  createHash('sha1')
    .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
    .digest()

/** A server that another client library brings: it reads what we write and writes what we read. */
async function libraryServer(heard: string[] = []): Promise<number> {
  const server = createMysqlServer((connection) => {
    connection.on('error', () => undefined)
    connection.on('stmt_prepare', (text: string) => {
      heard.push(text)
      connection.writeOk()
    })
    connection.on('query', (text: string) => {
      heard.push(text)
      if (/^(START|ROLLBACK)/.test(text)) return connection.writeOk()
      if (text.includes('oops')) return connection.writeError({ code: 1146, message: "Table 'oops' doesn't exist" })
      const rows = text.includes('nothing')
        ? []
        : Array(text.includes('many') ? 500 : 1).fill({ pieces: '7', other: 'x' })
      const column = (name: string) => ({
        ...{ catalog: 'def', schema: 'shop', table: 't', orgTable: 't', name, orgName: name },
        ...{ characterSet: 33, columnLength: 100, columnType: 253, flags: 0, decimals: 0 },
      })
      connection.writeTextResult(rows, [column('pieces'), column('other')])
    })
    connection.serverHandshake({
      ...{ protocolVersion: 10, serverVersion: '8.0 test', connectionId: 7, statusFlags: 2, characterSet: 8 },
      capabilityFlags: 0xffffff ^ 0x800 ^ 0x1000000,
      authCallback: (given: Given, done: (fault: null, refusal?: { message: string; code: number }) => void) => {
        const twice = sha1(sha1('sésame'))
        const challenge = Buffer.concat([given.authPluginData1, given.authPluginData2]).subarray(0, 20)
        const mask = sha1(challenge, twice)
        const once = Buffer.from(given.authToken.map((byte, index) => byte ^ (mask[index] ?? 0)))
        const isRight = given.user === 'monitor' && sha1(once).equals(twice)
        done(null, isRight ? undefined : { message: `Access denied for user '${given.user}'`, code: 1045 })
      },
    })
  })
  const port = await freePort()
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', undefined, listening))
  onTestFinished(() => void server.close(() => undefined))
  return port
}

interface Given {
  readonly user: string
  readonly authPluginData1: Buffer
  readonly authPluginData2: Buffer
  readonly authToken: Buffer
}

/** Its types know clients only. */
interface ServerSide {
  on(event: string, listener: (text: string) => void): void
  writeOk(): void
  writeError(error: { readonly code: number; readonly message: string }): void
  writeTextResult(rows: readonly unknown[], columns: readonly object[]): void
  serverHandshake(options: object): void
}
const { createServer: createMysqlServer } = mysql2 as unknown as {
  createServer(serve: (connection: ServerSide) => void): {
    listen(port: number, host: string, backlog: undefined, listening: () => void): void
    close(closed: () => void): void
  }
}

test.each([
  [{ ...login, expected_value: '7' }, 'ok'],
  [{ ...login, expected_value: '7', comparison: '>' }, 'value_differs'],
  [{ ...login, query: 'select pieces from nothing', expected_value: '7' }, 'value_missing'],
  [{ ...login, query: 'select pieces from nothing' }, 'ok'],
  [{ ...login, query: 'select pieces from many', expected_value: '7' }, 'ok'],
  [{ ...login, query: 'select pieces from oops' }, 'query_refused'],
  [{ ...login, password: 'wrong' }, 'login_refused'],
  [{ username: 'monitor' }, 'login_required'],
  [{}, 'ok'],
  [{ ...login, tls: 'starttls' }, 'starttls_missing'],
])('a server of another library, %j: %s', async (settings, verdict) => {
  const result = await check(await libraryServer(), settings)
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
})

test('the query runs in a transaction that reads only and is rolled back', async () => {
  const heard: string[] = []
  await check(await libraryServer(heard), { ...login, query: 'select 7' })
  expect(heard).toEqual(['SET SESSION TRANSACTION READ ONLY', 'START TRANSACTION READ ONLY', 'select 7', 'ROLLBACK'])
})

const packet = (sequence: number, ...parts: readonly (string | Uint8Array)[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)))
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head[3] = sequence
  return Buffer.concat([head, body])
}
const salt = randomBytes(20).map((byte) => (byte === 0 ? 1 : byte))
const greeting = (plugin: string, capabilities = 0xf7ff | 0x800) =>
  packet(
    0,
    ...['\x0a8.4.0\0', Buffer.alloc(4, 1), salt.subarray(0, 8), Buffer.from([0])],
    ...[Buffer.from([capabilities & 0xff, capabilities >> 8, 8, 2, 0, 0xff, 0xc1, 21]), Buffer.alloc(10)],
    ...[salt.subarray(8), Buffer.from([0]), `${plugin}\0`],
  )
const okay = (sequence: number) => packet(sequence, Buffer.from([0, 0, 0, 2, 0, 0, 0]))

/** As MySQL 8 lets in who is not remembered: in full, over TLS alone. */
const sha2Server = (issued: Issued, said: string[]) => (socket: Socket) => {
  socket.write(greeting('caching_sha2_password'))
  socket.once('data', (first: Buffer) => {
    // The hello may come in the packet of the request.
    const [inside, outside] = duplexPair()
    outside.write(first.subarray(36))
    socket.pipe(outside).pipe(socket)
    upgrade(inside, issued, (secure) => {
      let step = 0
      secure.on('data', (chunk: Buffer) => {
        step += 1
        if (step === 1) secure.write(packet(3, Buffer.from([1, 4])))
        else if (step === 2) {
          said.push(chunk.toString('utf8', 4))
          secure.write(okay(5))
        } else secure.write(okay(1))
      })
    })
  })
}

test('over TLS the password is given once the certificate is good', async () => {
  const said: string[] = []
  const good = await servers.tcp(sha2Server(root.issue({ names: ['127.0.0.1'] }), said))
  const result = await check(good, { ...login, tls: 'starttls' })
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  expect(said).toEqual(['sésame\0'])
  const own = await servers.tcp(sha2Server(selfSigned({ names: ['127.0.0.1'] }), said))
  expect(verdictOf(await check(own, { ...login, tls: 'starttls' }))).toBe('certificate_self_signed')
  expect(said).toHaveLength(1)
})

/** The other library's authentication plugins. */
const { authPlugins } = mysql2 as unknown as {
  readonly authPlugins: Readonly<Record<string, (options: object) => (client: object) => (challenge: Buffer) => Buffer>>
}

test.each(['caching_sha2_password', 'mysql_native_password'])(
  '%s is proven as another library does',
  async (plugin) => {
    const proofs: string[] = []
    const client = { connection: { config: { password: login.password } }, command: {} }
    const expected = authPlugins[plugin]?.({})(client)(Buffer.from(salt)).toString('hex')
    const first = await servers.tcp((socket) => {
      socket.write(greeting(plugin))
      socket.once('data', (chunk: Buffer) => {
        const at = chunk.indexOf(0, 36) + 1
        proofs.push(chunk.toString('hex', at + 1, at + 1 + (chunk[at] ?? 0)))
        // It remembers the password, and lets us in.
        socket.write(Buffer.concat([packet(2, Buffer.from([1, 3])), okay(3)]))
        socket.on('data', () => socket.write(okay(1)))
      })
    })
    expect(verdictOf(await check(first, login))).toBe('ok')
    const switched = await servers.tcp((socket) => {
      socket.write(greeting('sha256_password'))
      socket.once('data', () => {
        socket.write(switchTo(plugin))
        socket.once('data', (chunk: Buffer) => {
          proofs.push(chunk.toString('hex', 4))
          socket.write(okay(4))
          socket.on('data', () => socket.write(okay(1)))
        })
      })
    })
    expect(verdictOf(await check(switched, login))).toBe('ok')
    expect(proofs).toEqual([expected, expected])
  },
)

const switchTo = (plugin: string) => packet(2, Buffer.from([0xfe]), `${plugin}\0`, salt, '\0')

test.each([
  ['wants it in plain text', [greeting('caching_sha2_password'), packet(2, Buffer.from([1, 4]))], 'login_unsafe'],
  ['asks for it in plain text', [greeting('x'), switchTo('mysql_clear_password')], 'login_unsafe'],
  ['wants another login', [greeting('x'), switchTo('client_ed25519')], 'login_method_unknown'],
  [
    'asks for a file',
    [greeting('x'), okay(2), okay(1), okay(1), packet(1, Buffer.from([0xfb]), '/etc/passwd')],
    'protocol_not_spoken',
  ],
  ['is full', [packet(0, Buffer.from([0xff, 0x10, 0x04]), 'Too many connections')], 'protocol_refused'],
  ['knows nobody here', [packet(0, Buffer.from([0xff, 0x6a, 0x04]), 'Host is not allowed')], 'protocol_refused'],
  ['speaks another protocol', ['220 ftp ready, and more\r\n'], 'protocol_answer_too_large'],
  ['has half a greeting', [packet(0, '\x0a8.4.0\0abc')], 'protocol_not_spoken'],
  ['has a packet without end', [Buffer.from([0xff, 0xff, 0xff, 0])], 'protocol_answer_too_large'],
] as const)('a server that %s: %s', async (_what, answers, verdict) => {
  const port = await servers.tcp((socket) => {
    let next = 0
    const say = () => void socket.write(answers[next++] ?? '')
    say()
    socket.on('data', say)
  })
  const result = await check(port, { ...login, timeout: 1500 })
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
})

test('a real server', { timeout: 120_000 }, async (context) => {
  const program = installedProgram('mariadbd')
  if (program === null) return context.skip('mariadbd is not installed (MARIADBD names another place)')
  const directory = mkdtempSync(join(tmpdir(), 'latarnik-mariadb-'))
  const port = await freePort()
  const shared = [
    `--datadir=${directory}`,
    '--no-defaults',
    `--lc-messages-dir=${process.env['MARIADB_MESSAGES'] ?? '/usr/share/mysql'}`,
  ]
  const options = [shared[1] ?? '', shared[0] ?? '', shared[2] ?? '', `--user=${process.env['USER'] ?? 'root'}`]
  execFileSync(program, [...options, '--bootstrap'], {
    input: 'create database mysql;\nuse mysql;\ncreate table probe (a int) engine=InnoDB;\n',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const server = spawn(program, [
    ...options,
    ...['--skip-grant-tables', '--skip-networking=0', '--bind-address=127.0.0.1', `--port=${port}`],
    `--socket=${join(directory, 's')}`,
  ])
  onTestFinished(async () => {
    server.kill('SIGKILL')
    await once(server, 'exit')
    rmSync(directory, { recursive: true, force: true })
  })
  await expect.poll(async () => (await check(port, login)).result, { timeout: 60_000 }).toBe('ok')
  expect(verdictOf(await check(port, { ...login, query: 'select 6 + 1', expected_value: '7' }))).toBe('ok')
  for (const query of ['create table mysql.t (a int)', 'insert into mysql.probe values (1)', 'drop table mysql.probe'])
    expect(verdictOf(await check(port, { ...login, query })), query).toBe('query_refused')
  const count = { query: 'select count(*) from mysql.probe', expected_value: '0' }
  expect(verdictOf(await check(port, { ...login, ...count }))).toBe('ok')
})
