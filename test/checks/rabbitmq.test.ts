import type { Socket } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createChecker, verdictOf } from '../support/check.ts'
import { createNastyServers } from '../support/nasty-server.ts'

const servers = createNastyServers()
const checker = createChecker()
afterAll(() => {
  servers.closeAll()
  checker.stop()
})

const login = { username: 'jan', password: 'sésame' }
const check = (port: number, settings: object = {}) =>
  checker.check('rabbitmq', '127.0.0.1', { port, timeout: 3000, ...settings })

const long = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const short = (text: string) => Buffer.from([Buffer.byteLength(text), ...Buffer.from(text)])
const frame = (channel: number, classId: number, methodId: number, ...parts: readonly Buffer[]) => {
  const payload = Buffer.concat([Buffer.from([0, classId, 0, methodId]), ...parts])
  return Buffer.concat([Buffer.from([1, 0, channel]), long(payload.length), payload, Buffer.from([0xce])])
}
const heartbeat = Buffer.from([8, 0, 0, 0, 0, 0, 0, 0xce])
const closing = (channel: number, classId: number, code: number, text: string) =>
  frame(channel, classId, classId === 10 ? 50 : 40, Buffer.from([code >> 8, code & 0xff]), short(text), Buffer.alloc(4))

interface Start {
  readonly username: string
  readonly password: string
}

/** Fields of connection.start-ok, in their order: properties, mechanism, response, locale. */
function startOk(args: Buffer): Start {
  const table = args.readUInt32BE(0)
  if (!args.subarray(4, 4 + table).includes('authentication_failure_close')) throw new Error('no capabilities')
  let at = 4 + table
  const mechanism = args.toString('utf8', at + 1, at + 1 + (args[at] ?? 0))
  at += 1 + mechanism.length
  const response = args.subarray(at + 4, at + 4 + args.readUInt32BE(at))
  const locale = args.toString('utf8', at + 5 + response.length)
  const [none, username = '', password = ''] = response.toString('utf8').split('\0')
  if (mechanism !== 'PLAIN' || locale !== 'en_US' || none !== '') throw new Error('a login of another kind')
  return { username, password }
}

/** As RabbitMQ 3.10 answers, every frame of the client held to the specification. */
function broker(messages = 3): (socket: Socket) => void {
  return (socket) => {
    let pending = Buffer.alloc(0)
    let hasBegun = false
    const serve = (channel: number, name: string, args: Buffer): Buffer | null => {
      if (name === '10.11') {
        const { username, password } = startOk(args)
        const isRight = username === login.username && password === login.password
        return isRight
          ? frame(0, 10, 30, Buffer.from([0x07, 0xff]), long(131_072), Buffer.from([0, 60]))
          : closing(0, 10, 403, 'ACCESS_REFUSED - Login was refused')
      }
      if (name === '10.31') return args.toString('hex') === '07ff000200000000' ? heartbeat : closing(0, 10, 501, 'tune')
      if (name === '10.40') {
        const host = args.toString('utf8', 1, 1 + (args[0] ?? 0))
        return host === '/' ? frame(0, 10, 41, Buffer.alloc(1)) : closing(0, 10, 530, `NOT_ALLOWED - vhost ${host}`)
      }
      if (name === '20.10') return frame(channel, 20, 11, long(0))
      if (name === '50.10') {
        const queue = args.toString('utf8', 3, 3 + (args[2] ?? 0))
        if (args[3 + queue.length] !== 1) throw new Error('not passive')
        return queue === 'orders'
          ? frame(channel, 50, 11, short(queue), long(messages), long(0))
          : closing(channel, 20, 404, `NOT_FOUND - no queue '${queue}'`)
      }
      return name === '10.50' ? frame(0, 10, 51) : null
    }
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      if (!hasBegun && pending.length >= 8) {
        if (pending.toString('hex', 0, 8) !== '414d515000000901') return socket.end('AMQP\0\0\x09\x01')
        hasBegun = true
        pending = pending.subarray(8)
        const mechanisms = Buffer.concat([long(5), Buffer.from('PLAIN'), long(5), Buffer.from('en_US')])
        socket.write(frame(0, 10, 10, Buffer.from([0, 9]), long(0), mechanisms))
      }
      while (pending.length >= 8 && pending.length >= 8 + pending.readUInt32BE(3)) {
        const end = 7 + pending.readUInt32BE(3)
        if (pending[end] !== 0xce) throw new Error('no frame end')
        const reply = serve(
          pending.readUInt16BE(1),
          `${pending.readUInt16BE(7)}.${pending.readUInt16BE(9)}`,
          Buffer.from(pending.subarray(11, end)),
        )
        pending = pending.subarray(end + 1)
        if (reply !== null) socket.write(reply)
      }
      return undefined
    })
  }
}

test.each([
  [login, 'ok'],
  [{}, 'login_required'],
  [{ ...login, password: 'wrong' }, 'login_refused'],
  [{ ...login, virtual_host: 'attic' }, 'protocol_refused'],
  [{ ...login, queue: 'orders' }, 'ok'],
  [{ ...login, queue: 'orders', maximum_messages: 3 }, 'ok'],
  [{ ...login, queue: 'orders', maximum_messages: 2 }, 'value_differs'],
  [{ ...login, queue: 'nothing' }, 'value_missing'],
])('a broker asked with %j: %s', async (settings, verdict) => {
  const result = await check(await servers.tcp(broker()), settings)
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
  expect(JSON.stringify(result)).not.toContain('sésame')
})

test.each([
  ['another version', Buffer.from('AMQP\0\x01\0\0', 'latin1'), 'protocol_not_spoken'],
  ['another protocol', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'protocol_not_spoken'],
  ['a frame without end', Buffer.from([1, 0, 0, 0x7f, 0xff, 0xff, 0xff]), 'protocol_answer_too_large'],
  ['a frame with a wrong end', Buffer.from([1, 0, 0, 0, 0, 0, 4, 0, 10, 0, 10, 0]), 'protocol_not_spoken'],
  ['heartbeats without end', Buffer.concat(Array<Buffer>(500).fill(heartbeat)), 'protocol_answer_too_large'],
  ['limits before the start', frame(0, 10, 30), 'protocol_not_spoken'],
])('a server that answers with %s: %s', async (_what, said, verdict) => {
  const port = await servers.tcp((socket) => void socket.once('data', () => void socket.write(said)))
  expect(verdictOf(await check(port, { timeout: 1000 }))).toBe(verdict)
})

test('a broker that hangs up on a login has refused it', async () => {
  const port = await servers.tcp((socket) => {
    socket.once('data', () => socket.write(frame(0, 10, 10)))
    setTimeout(() => socket.end(), 300)
  })
  expect(verdictOf(await check(port, login))).toBe('login_refused')
})
