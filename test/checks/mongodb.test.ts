import { createHash, createHmac, pbkdf2Sync } from 'node:crypto'
import type { Socket } from 'node:net'
import { BSON } from 'bson'
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
  checker.check('mongodb', '127.0.0.1', { port, timeout: 3000, ...settings })

type Command = Readonly<Record<string, unknown>>

/** OP_MSG as the specification has it, with the BSON of the vendor's own library. */
function mongoServer(answer: (command: Command) => object): (socket: Socket) => void {
  return (socket) => {
    let pending = Buffer.alloc(0)
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk])
      while (pending.length >= 16 && pending.length >= pending.readInt32LE(0)) {
        const whole = pending.subarray(0, pending.readInt32LE(0))
        pending = pending.subarray(whole.length)
        const [opcode, flags, kind] = [whole.readInt32LE(12), whole.readInt32LE(16), whole[20]]
        if (opcode !== 2013 || flags !== 0 || kind !== 0) throw new Error('no OP_MSG')
        const body = BSON.serialize(answer(BSON.deserialize(whole.subarray(21), { promoteBuffers: true })))
        const head = Buffer.alloc(21)
        head.writeInt32LE(21 + body.length)
        whole.copy(head, 8, 4, 8)
        head.writeInt32LE(2013, 12)
        socket.write(Buffer.concat([head, body]))
      }
    })
  }
}

/** The server's side of SCRAM-SHA-256 (RFC 7677), written from the RFC. */
function scramServer(password: string) {
  const salt = Buffer.from('salt-of-the-test')
  const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  let [first, challenge] = ['', '']
  return {
    start(message: string) {
      first = message.slice('n,,'.length)
      challenge = `r=${/r=(.*)$/.exec(first)?.[1]}server,s=${salt.toString('base64')},i=4096`
      return challenge
    },
    finish(message: string): string | null {
      const [, withoutProof = '', proof = ''] = /^(.*),p=(.*)$/.exec(message) ?? []
      const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256')
      const clientKey = hmac(salted, 'Client Key')
      const all = `${first},${challenge},${withoutProof}`
      const signature = hmac(createHash('sha256').update(clientKey).digest(), all)
      const right = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0))).toString('base64')
      return proof === right ? `v=${hmac(hmac(salted, 'Server Key'), all).toString('base64')}` : null
    },
  }
}

const textOf = (payload: unknown) => Buffer.from(payload as Uint8Array).toString('utf8')

function replica({ isLocked = false, role = 'isWritablePrimary', doubles = true } = {}) {
  const scram = scramServer('sésame')
  let isIn = !isLocked
  const ok = doubles ? new BSON.Double(1) : 1
  return (command: Command): object => {
    if (command['hello'] === 1)
      return {
        [role]: true,
        hosts: ['a', 'b'],
        localTime: new Date(),
        me: new BSON.ObjectId(),
        big: BSON.Long.MAX_VALUE,
        ok,
      }
    if (command['saslStart'] === 1)
      return { conversationId: 7, done: false, payload: Buffer.from(scram.start(textOf(command['payload']))), ok }
    if (command['saslContinue'] === 1) {
      const last = command['conversationId'] === 7 ? scram.finish(textOf(command['payload'])) : null
      isIn = last !== null
      return last === null
        ? { ok: 0, code: 18, errmsg: 'Authentication failed.' }
        : { conversationId: 7, done: true, payload: Buffer.from(last), ok }
    }
    return isIn ? { ok } : { ok: 0, code: 13, errmsg: 'command ping requires authentication' }
  }
}

test.each([
  [{}, {}, 'ok'],
  [{ doubles: false }, {}, 'ok'],
  [{}, { replica_role: 'primary' }, 'ok'],
  [{}, { replica_role: 'secondary' }, 'value_differs'],
  [{ role: 'secondary' }, { replica_role: 'secondary' }, 'ok'],
  [{ isLocked: true }, {}, 'login_required'],
  [{ isLocked: true }, login, 'ok'],
  [{ isLocked: true }, { ...login, password: 'wrong' }, 'login_refused'],
])('a server that is %j, asked with %j: %s', async (state, settings, verdict) => {
  const result = await check(await servers.tcp(mongoServer(replica(state))), settings)
  expect(verdictOf(result), result.errorMessage ?? '').toBe(verdict)
})

const answer =
  (body: Uint8Array, length = 21 + body.length) =>
  (socket: Socket) =>
    void socket.on('data', (question: Buffer) => {
      const head = Buffer.alloc(21)
      head.writeInt32LE(length)
      question.copy(head, 8, 4, 8)
      head.writeInt32LE(2013, 12)
      socket.write(Buffer.concat([head, body]))
    })
const nested = (depth: number): object => (depth === 0 ? {} : { a: nested(depth - 1) })

test.each([
  [
    'another protocol',
    (socket: Socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'protocol_not_spoken',
  ],
  ['a length without end', answer(Buffer.alloc(0), 0x7fffffff), 'protocol_answer_too_large'],
  ['half a document', answer(Buffer.from([9, 0, 0, 0, 16, 97, 0, 1, 0])), 'protocol_not_spoken'],
  [
    'a text beyond the end',
    answer(Buffer.from([14, 0, 0, 0, 2, 97, 0, 255, 255, 255, 127, 0, 0, 0])),
    'protocol_not_spoken',
  ],
  ['documents in documents', answer(BSON.serialize(nested(40))), 'protocol_not_spoken'],
  ['a field of every object', answer(BSON.serialize({ ['__proto__']: { ok: 1 } })), 'protocol_refused'],
])('a server that answers with %s: %s', async (_what, play, verdict) => {
  expect(verdictOf(await check(await servers.tcp(play), { timeout: 1000 }))).toBe(verdict)
})
