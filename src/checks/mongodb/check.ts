import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import { newScram } from '../../outgoing/scram.ts'
import type { CheckFunction } from '../../sensor/check-function.ts'
import { converse } from '../../sensor/conversation.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { readOptionalText, readText } from '../../sensor/settings.ts'
import { type BsonDocument, decodeBson, encodeBson } from './bson.ts'

/** Up when the server greets as what it must be, lets us in where a user is named, and answers a ping. */
export const checkMongodb: CheckFunction = (job, equipment, family, stallMeter) =>
  converse(job, equipment, { family, stallMeter }, async ({ settings, line, attempt }) => {
    const username = readOptionalText(settings, 'username')
    const [database, role] = [readText(settings, 'authentication_database'), readText(settings, 'replica_role')]
    const hello = await ask(line, { hello: 1, $db: 'admin' }, 'protocol_refused')
    if (username !== null) {
      await logIn(line, { username, password: readOptionalText(settings, 'password') ?? '', database })
    }
    await ask(line, { ping: 1, $db: 'admin' }, 'query_refused')
    attempt.stop()
    const is = hello['isWritablePrimary'] === true ? 'primary' : hello['secondary'] === true ? 'secondary' : 'other'
    if (role !== 'any' && role !== is) throw new Failure('value_differs', `the server is ${is}, wanted ${role}`)
  })

const mechanism = 'SCRAM-SHA-256'

interface Login {
  readonly username: string
  readonly password: string
  readonly database: string
}

async function logIn(line: ProtocolLine, { username, password, database }: Login): Promise<void> {
  const scram = newScram(mechanism, username, password)
  const first = { saslStart: 1, mechanism, payload: Buffer.from(scram.first), options: { skipEmptyExchange: true } }
  const challenge = await ask(line, { ...first, $db: database }, 'login_refused')
  const proof = await scram.proof(payloadOf(challenge)).catch((error: unknown) => {
    throw notSpoken(errorText(error))
  })
  const conversationId = typeof challenge['conversationId'] === 'number' ? challenge['conversationId'] : 1
  const last = { saslContinue: 1, conversationId, payload: Buffer.from(proof), $db: database }
  const end = await ask(line, last, 'login_refused')
  if (!scram.isServerRight(payloadOf(end))) {
    throw new Failure('protocol_not_spoken', 'the server does not know the password itself')
  }
}

function payloadOf({ payload }: BsonDocument): string {
  return Buffer.isBuffer(payload) ? payload.toString('utf8') : ''
}

const message = 2013
const headBytes = 16
const required = { unauthorized: 13, authenticationFailed: 18 } as const
let lastRequest = 0

/** One command and its answer (OP_MSG of the MongoDB wire protocol, one section of kind 0). */
async function ask(
  line: ProtocolLine,
  command: BsonDocument,
  otherwise: 'protocol_refused' | 'query_refused' | 'login_refused',
): Promise<BsonDocument> {
  const body = encodeBson(command)
  const head = Buffer.alloc(headBytes + 5)
  lastRequest = (lastRequest + 1) % 0x7fffffff
  head.writeInt32LE(head.length + body.length)
  head.writeInt32LE(lastRequest, 4)
  head.writeInt32LE(message, 12)
  line.send(Buffer.concat([head, body]))
  const requestId = lastRequest
  const answer = await line.take(headBytes)
  const length = answer.readInt32LE(0) - headBytes
  const isAnswer = answer.readInt32LE(8) === requestId && answer.readInt32LE(12) === message
  if (!isAnswer || length < 10) throw notSpoken(answer.toString('latin1'))
  const rest = await line.take(length)
  // A checksum may follow the one section.
  const size = rest.readInt32LE(5)
  if (rest[4] !== 0 || size < 5 || size > rest.length - 5) throw notSpoken('an answer of another kind')
  const document = decodeBson(rest.subarray(5, 5 + size))
  if (document['ok'] === 1) return document
  const [code, text] = [document['code'], String(document['errmsg'] ?? 'not ok').slice(0, 300)]
  if (code === required.unauthorized) throw new Failure('login_required', text)
  throw new Failure(code === required.authenticationFailed ? 'login_refused' : otherwise, text)
}
