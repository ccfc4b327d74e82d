import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'
import { freePort, installedProgram } from '../support/real-server.ts'

const root = createAuthority('Test root')
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const check = (port: number, settings: object = {}) =>
  checker.check('redis', '127.0.0.1', { port, timeout: 3000, ...settings })

/** Reads each command as the protocol has it, every length held to what comes, and answers. */
function redisServer(answer: (command: readonly string[]) => string): (socket: Socket) => void {
  return (socket) => {
    let pending = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      for (let read = commandIn(pending); read !== null; read = commandIn(pending)) {
        pending = pending.subarray(read.length)
        socket.write(answer(read.words))
      }
    })
  }
}

function commandIn(bytes: Buffer): { readonly words: readonly string[]; readonly length: number } | null {
  if (bytes.length === 0) return null
  const head = /^\*(\d+)\r\n/.exec(bytes.toString('latin1'))
  if (head === null) throw new Error(`no command: ${bytes.toString('latin1')}`)
  let at = head[0].length
  const words: string[] = []
  for (let count = Number(head[1]); count > 0; count -= 1) {
    const bulk = /^\$(\d+)\r\n/.exec(bytes.toString('latin1', at))
    if (bulk === null) return null
    const start = at + bulk[0].length
    const end = start + Number(bulk[1])
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') throw new Error('a wrong length')
    words.push(bytes.toString('utf8', start, end))
    at = end + 2
  }
  return { words, length: at }
}

/** A server with the permissions of its users, in the words of Redis 7. */
function keeper(heard: string[][] = []): (command: readonly string[]) => string {
  let isIn = false
  return (command) => {
    heard.push([...command])
    const [name = '', key = ''] = command
    if (name === 'AUTH') {
      isIn = command.at(-1) === 'sésame'
      return isIn ? '+OK\r\n' : '-WRONGPASS invalid username-password pair or user is disabled.\r\n'
    }
    if (!isIn) return '-NOAUTH Authentication required.\r\n'
    if (name === 'PING') return '+PONG\r\n'
    if (name === 'SELECT') return Number(key) < 16 ? '+OK\r\n' : '-ERR DB index is out of range\r\n'
    if (name === 'LLEN') return ':42\r\n'
    if (name === 'GET') return key === 'two words' ? '$5\r\nżar!\r\n' : '$-1\r\n'
    if (name === 'LRANGE') return '*3\r\n$1\r\na\r\n$-1\r\n*1\r\n:7\r\n'
    return `-NOPERM this user has no permissions to run the '${name.toLowerCase()}' command\r\n`
  }
}

const login = { username: 'monitor', password: 'sésame' }

test.each([
  [{ ...login }, 'ok'],
  [{ password: 'sésame' }, 'ok'],
  [{ password: 'wrong' }, 'login_refused'],
  [{}, 'login_required'],
  [{ ...login, expected_answer_regex: '^PONG$' }, 'ok'],
  [{ ...login, expected_answer_regex: '^PANG$' }, 'content_missing'],
  [{ ...login, command: 'LLEN queue', expected_answer_regex: '^[0-9]{1,2}$' }, 'ok'],
  [{ ...login, command: 'GET "two words"', expected_answer_regex: '^żar' }, 'ok'],
  [{ ...login, command: 'GET nothing', expected_answer_regex: 'x' }, 'value_missing'],
  [{ ...login, command: 'GET nothing' }, 'ok'],
  [{ ...login, command: 'LRANGE list 0 2', expected_answer_regex: '^a\\n\\n7$' }, 'ok'],
  [{ ...login, command: 'INFO server' }, 'query_refused'],
  [{ ...login, database_number: 3 }, 'ok'],
  [{ ...login, database_number: 99 }, 'query_refused'],
] as const)('%j: %s', async (settings, verdict) => {
  const result = await check(await servers.tcp((socket) => redisServer(keeper())(socket)), settings)
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  expect(JSON.stringify(result)).not.toMatch(/sésame|wrong"/)
})

test('what is said, and in which order', async () => {
  const heard: string[][] = []
  const port = await servers.tcp(redisServer(keeper(heard)))
  await check(port, { ...login, database_number: 3, command: 'GET "two words"' })
  expect(heard).toEqual([
    ['AUTH', 'monitor', 'sésame'],
    ['SELECT', '3'],
    ['GET', 'two words'],
  ])
})

test('over TLS', async () => {
  const { createServer: createTlsServer } = await import('node:tls')
  const server = createTlsServer(root.issue({ names: ['127.0.0.1'] }), redisServer(keeper()))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const result = await check(port, { ...login, tls: 'tls' })
  expect(verdictOf(result), result.errorMessage ?? '').toBe('ok')
  expect(verdictOf(await check(port, login))).toBe('protocol_closed')
})

test.each([
  ['-LOADING Redis is loading the dataset in memory\r\n', 'protocol_refused'],
  ['-DENIED Redis is running in protected mode\r\n', 'protocol_refused'],
  ['-ERR max number of clients reached\r\n', 'protocol_refused'],
  ['HTTP/1.1 400 Bad Request\r\n\r\n', 'protocol_not_spoken'],
  ['$99999999999\r\n', 'protocol_answer_too_large'],
  ['$1e5\r\n', 'protocol_not_spoken'],
  ['*1\r\n'.repeat(20), 'protocol_answer_too_large'],
  [`*99999999\r\n${':1\r\n'.repeat(20_000)}`, 'protocol_answer_too_large'],
  ['+'.repeat(20_000), 'protocol_not_spoken'],
  ['$10\r\nhalf', 'protocol_answer_timeout'],
])('a server that says %j: %s', async (said, verdict) => {
  const port = await servers.tcp((socket) => void socket.on('data', () => void socket.write(said)))
  expect(verdictOf(await check(port, { timeout: 900 }))).toBe(verdict)
})

test('a real server', { timeout: 60_000 }, async (context) => {
  const program = installedProgram('redis-server')
  if (program === null) return context.skip('redis-server is not installed (REDIS_SERVER names another place)')
  const port = await freePort()
  const server = spawn(program, [
    '--port',
    String(port),
    '--save',
    '',
    '--requirepass',
    'sésame',
    '--bind',
    '127.0.0.1',
  ])
  onTestFinished(() => void server.kill())
  await expect.poll(async () => (await check(port, { password: 'sésame' })).result).toBe('ok')
  expect(verdictOf(await check(port))).toBe('login_required')
  expect(verdictOf(await check(port, { password: 'wrong' }))).toBe('login_refused')
  const settings = { password: 'sésame', command: 'INFO server', expected_answer_regex: 'redis_version:[0-9]' }
  expect(verdictOf(await check(port, settings))).toBe('ok')
  expect(verdictOf(await check(port, { ...settings, command: 'LLEN none', expected_answer_regex: '^0$' }))).toBe('ok')
})
