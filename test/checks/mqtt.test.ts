import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { Aedes } from 'aedes'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const root = createAuthority('Test root')
const servers = createNastyServers()
const checker = createChecker({ certificateAuthorities: [root.certificate] })
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const login = { username: 'monitor', password: 'sésame' }
const check = (port: number, settings: object = {}) =>
  checker.check('mqtt', '127.0.0.1', { port, timeout: 3000, ...settings })

/** A real broker with a retained message, and a beat ten times a second. */
async function broker(isSecure = false): Promise<number> {
  const aedes = await Aedes.createBroker({
    authenticate: (_client, username, password, done) => {
      const isRight = username === login.username && password?.toString() === login.password
      if (isRight) done(null, true)
      else done(Object.assign(new Error('no'), { returnCode: 4 }), false)
    },
    authorizeSubscribe: (_client, subscription, done) =>
      done(null, subscription.topic === 'secret' ? null : subscription),
  })
  const publish = (topic: string, payload: string, retain: boolean) =>
    aedes.publish({ cmd: 'publish', topic, payload: Buffer.from(payload), retain, qos: 0, dup: false }, () => undefined)
  publish('shed/temperature', '21.5 żar', true)
  const timer = setInterval(() => publish('beat', String(performance.now()), false), 100)
  const server = isSecure
    ? createTlsServer(root.issue({ names: ['127.0.0.1'] }), aedes.handle)
    : createServer(aedes.handle)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    clearInterval(timer)
    server.close()
    aedes.close()
  })
  return (server.address() as AddressInfo).port
}

test.each([
  [login, 'ok'],
  [{ ...login, password: 'wrong' }, 'login_refused'],
  [{}, 'login_required'],
  [{ ...login, topic: 'shed/temperature', expected_answer_regex: '^2[0-9][.]5 żar$' }, 'ok'],
  [{ ...login, topic: 'shed/+' }, 'ok'],
  [{ ...login, topic: 'beat', expected_answer_regex: '[.][0-9]' }, 'ok'],
  [{ ...login, topic: 'beat', expected_answer_regex: 'stopped', timeout: 900 }, 'message_missing'],
  [{ ...login, topic: 'nobody/there', timeout: 700 }, 'message_missing'],
  [{ ...login, topic: 'secret' }, 'query_refused'],
] as const)('a real broker, %j: %s', async (settings, verdict) => {
  const result = await check(await broker(), settings)
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  expect(JSON.stringify(result)).not.toContain('sésame')
})

test('over TLS', async () => {
  const port = await broker(true)
  expect(verdictOf(await check(port, { ...login, tls: 'tls' }))).toBe('ok')
})

const connack = Buffer.from([0x20, 2, 0, 0])

test.each([
  ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'protocol_not_spoken'],
  ['a length of five bytes', Buffer.from([0x20, 0xff, 0xff, 0xff, 0xff, 0xff]), 'protocol_not_spoken'],
  ['a broker that is away', Buffer.from([0x20, 2, 0, 3]), 'protocol_refused'],
  ['a code that nobody knows', Buffer.from([0x20, 2, 0, 77]), 'protocol_not_spoken'],
  [
    'a message without end',
    Buffer.concat([connack, Buffer.from([0x30, 0xff, 0xff, 0xff, 0x7f])]),
    'protocol_answer_too_large',
  ],
  ['half a message', Buffer.concat([connack, Buffer.from([0x30, 20, 0, 1])]), 'message_missing'],
  [
    'messages without end',
    Buffer.concat([connack, ...Array<Buffer>(5000).fill(Buffer.from([0x30, 4, 0, 1, 0x61, 0x62]))]),
    'content_missing',
  ],
] as const)('%s: %s', async (_what, said, verdict) => {
  const port = await servers.tcp((socket) => void socket.once('data', () => void socket.write(said)))
  const settings = { topic: 'a', expected_answer_regex: 'nothing like it', timeout: 1500 }
  expect(verdictOf(await check(port, settings))).toBe(verdict)
})
