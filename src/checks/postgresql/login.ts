import { createHash } from 'node:crypto'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import { newScram } from '../../outgoing/scram.ts'
import type { Conversation } from '../../sensor/conversation.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'
import { errorOf, type PostgresqlMessage, passwordMessage, readMessage, saslFirst } from './messages.ts'

export interface Login {
  readonly username: string
  readonly password: string | null
}

const md5 = (data: string | Buffer) => createHash('md5').update(data).digest('hex')

/** Answers the server's questions until it accepts the login. Throws a `Failure` if it refuses. */
export async function logIn({ line, isSecure }: Conversation, { username, password }: Login): Promise<void> {
  const message = await expectAuthentication(line)
  const method = message.body.readInt32BE(0)
  if (method === 0) return
  if (password === null) throw new Failure('login_required', 'the server wants a password')
  if (method === 3 && !isSecure()) throw new Failure('login_unsafe', 'the server wants the password in plain text')
  if (method === 3) line.send(passwordMessage(password))
  else if (method === 5) {
    const inner = md5(`${password}${username}`)
    line.send(passwordMessage(`md5${md5(Buffer.concat([Buffer.from(inner), message.body.subarray(4, 8)]))}`))
  } else if (method === 10) await saslLogin(line, message, { username, password })
  else throw new Failure('login_method_unknown', `the server wants method ${method}`)
  const last = await expectAuthentication(line)
  if (last.body.readInt32BE(0) !== 0) throw notSpoken('an authentication that goes on')
}

const mechanism = 'SCRAM-SHA-256'
/** Only so many bytes of the server's list of methods are read. */
const longestOffer = 8192

async function saslLogin(
  line: ProtocolLine,
  offer: PostgresqlMessage,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<void> {
  const offered = offer.body.toString('latin1', 4, longestOffer).split('\0').filter(Boolean)
  if (!offered.includes(mechanism)) throw new Failure('login_method_unknown', `the server wants ${offered.join(', ')}`)
  const scram = newScram(mechanism, username, password)
  line.send(saslFirst(mechanism, scram.first))
  const challenge = await expectAuthentication(line)
  const proof = await scram.proof(challenge.body.toString('utf8', 4)).catch((error: unknown) => {
    throw notSpoken(errorText(error))
  })
  line.send(passwordMessage(Buffer.from(proof)))
  const last = await expectAuthentication(line)
  if (!scram.isServerRight(last.body.toString('utf8', 4))) {
    throw new Failure('protocol_not_spoken', 'the server does not know the password itself')
  }
}

async function expectAuthentication(line: ProtocolLine): Promise<PostgresqlMessage> {
  const message = await readMessage(line)
  if (message.type === 'R' && message.body.length >= 4) return message
  if (message.type !== 'E') throw notSpoken(message.type)
  const { code, text } = errorOf(message)
  throw new Failure(code.startsWith('28') ? 'login_refused' : 'protocol_refused', text)
}
