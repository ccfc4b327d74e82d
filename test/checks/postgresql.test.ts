import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect as connectTo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../../src/database/connect.ts'
import { type Embedded, startEmbedded } from '../../src/database/embedded.ts'
import { createAuthority, selfSigned } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { type Issued, upgrade } from '../support/line-server.ts'
import { silentLog } from '../support/log.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const root = createAuthority('Test root')
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
let directory = ''
let server: Embedded | null = null
let socketPath = ''
let port = 0

/** Users by the way in which the server asks for their password. */
const hba = ['scram scram-sha-256', 'digest md5', 'plain password', 'free trust', 'all trust']
  .map((rule) => `local all ${rule}\n`)
  .join('')

/** The bundled server of the project listens on a socket of the file system; this is the way there for a check. */
function through(socket: Socket): void {
  const far = connectTo(socketPath)
  far.on('error', () => socket.destroy())
  socket.on('error', () => far.destroy())
  socket.pipe(far).pipe(socket)
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'latarnik-pg-'))
  await chmod(directory, 0o755)
  await writeFile(join(directory, 'hba.conf'), hba)
  server = await startEmbedded({
    dataDirectory: join(directory, 'data'),
    log: silentLog,
    settings: { fsync: 'off', hba_file: join(directory, 'hba.conf') },
  })
  const { searchParams } = new URL(server.url.replace(/^postgres:\/\/\//, 'postgres://host/'))
  socketPath = join(searchParams.get('host') ?? '', '.s.PGSQL.5432')
  const database = connect({ url: server.url, maximumConnections: 1 })
  for (const statement of [
    "create role scram login password 'sésame open'",
    "create role plain login password 'sésame open'",
    "set password_encryption = 'md5'",
    "create role digest login password 'sésame open'",
    'create role free login',
    'create table stock (item text, pieces int)',
    "insert into stock values ('rope', 7), ('sail', 2)",
    'grant select, insert, delete on stock to scram',
  ])
    await database.execute(raw(statement))
  await database.close()
  port = await servers.tcp(through)
}, 90_000)

afterAll(async () => {
  servers.closeAll()
  checker.stop()
  await server?.stop()
  await rm(directory, { recursive: true, force: true })
})

const login = { username: 'scram', password: 'sésame open', database: 'postgres' }
const check = (settings: object = {}, at = port) =>
  checker.check('postgresql', '127.0.0.1', { port: at, timeout: 10_000, ...settings })

test.each([
  ['scram', 'ok'],
  ['digest', 'ok'],
  ['free', 'ok'],
  ['plain', 'login_unsafe'],
])('a real server lets %s in: %s', async (username, verdict) => {
  const result = await check({ ...login, username })
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
})

test.each([
  ['scram', 'wrong', 'login_refused'],
  ['digest', 'wrong', 'login_refused'],
  ['scram', null, 'login_required'],
  ['nobody-of-them', 'x', 'login_refused'],
])('%s with the password %s: %s', async (username, password, verdict) => {
  expect(verdictOf(await check({ ...login, username, password }))).toBe(verdict)
})

test('without a user a server that asks who we are is up', async () => {
  const result = await check()
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
})

test.each([
  ['select sum(pieces) from stock', '=', '9', 'ok'],
  ['select pieces from stock order by item', '>', '6', 'ok'],
  ['select pieces from stock order by item', '<', '7', 'value_differs'],
  ["select item from stock where item = 'rope'", '=', 'rope', 'ok'],
  ["select item from stock where item = 'mast'", '=', 'mast', 'value_missing'],
  ['select null', '=', '1', 'value_missing'],
  ['select generate_series(1, 100000000)', '=', '1', 'ok'],
  ['select no_such', '=', '1', 'query_refused'],
  ['select 1; delete from stock', '=', '1', 'query_refused'],
  ['delete from stock', '=', '1', 'query_refused'],
  ["insert into stock values ('mast', 1)", '=', '1', 'query_refused'],
  ['commit', '=', '1', 'value_missing'],
])('%s %s %s: %s', async (query, comparison, expected_value, verdict) => {
  const result = await check({ ...login, query, comparison, expected_value })
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  const left = await check({ ...login, query: 'select count(*) from stock', expected_value: '2' })
  expect(verdictOf(left)).toBe('ok')
})

test('what is compared is shown, and nothing else of the server', async () => {
  const query = "select 'x' || repeat('y', 5000), 'unasked' from stock"
  const { errorMessage } = await check({ ...login, query, expected_value: 'z' })
  expect(errorMessage).toMatch(/^"xy{199}…", wanted = z$/)
  expect(verdictOf(await check({ ...login, query: 'select pg_sleep(20)', timeout: 700 }))).toBe(
    'protocol_answer_timeout',
  )
})

test('a database that is missing is told', async () => {
  expect(verdictOf(await check({ ...login, database: 'attic' }))).toBe('protocol_refused')
})

/** Agrees to TLS and takes it off before the real server. */
const overTls = (issued: Issued) => (socket: Socket) => {
  socket.once('data', () => {
    socket.write('S')
    upgrade(socket, issued, through)
  })
}

test('over TLS even a password in plain text is given, once the certificate is good', async () => {
  const good = await servers.tcp(overTls(root.issue({ names: ['127.0.0.1'] })))
  const settings = { ...login, username: 'plain', tls: 'starttls' }
  const result = await check(settings, good)
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  expect(verdictOf(await check({ ...settings, password: 'wrong' }, good))).toBe('login_refused')
  const own = await servers.tcp(overTls(selfSigned({ names: ['127.0.0.1'] })))
  expect(verdictOf(await check(settings, own))).toBe('certificate_self_signed')
  expect(verdictOf(await check(settings))).toBe('starttls_missing')
})

const message = (type: string, body: Buffer, length = body.length + 4) =>
  Buffer.concat([Buffer.from(type), Buffer.from(Uint32Array.of(length).buffer).swap32(), body])
const challenge = (text: string) => message('R', Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from(text)]))
const sasl = message('R', Buffer.concat([Buffer.from([0, 0, 0, 10]), Buffer.from('SCRAM-SHA-256\0\0')]))

test.each([
  ['a length without end', [message('R', Buffer.alloc(4), 0x7fffffff)], 'protocol_answer_too_large'],
  ['a negative length', [message('R', Buffer.alloc(4), 2)], 'protocol_not_spoken'],
  ['a method that nobody knows', [message('R', Buffer.from([0, 0, 0, 7]))], 'login_method_unknown'],
  ['a challenge that means nothing', [sasl, challenge('hello')], 'protocol_not_spoken'],
  ['a challenge that takes for ever', [sasl, challenge('r=x,s=AAAA,i=999999999')], 'protocol_not_spoken'],
  [
    'notices without end',
    [Buffer.concat(Array(5000).fill(message('N', Buffer.alloc(2))))],
    'protocol_answer_too_large',
  ],
] as const)('a server that says %s: %s', async (_what, answers, verdict) => {
  const at = await servers.tcp((socket) => {
    let times = 0
    socket.on('data', () => void socket.write(answers[times++] ?? ''))
  })
  expect(verdictOf(await check({ ...login, timeout: 2000 }, at))).toBe(verdict)
})
