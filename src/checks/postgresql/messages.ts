import { Failure } from '../../outgoing/failure.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'

/** A message to or from PostgreSQL (PostgreSQL documentation, chapter 54: Frontend/Backend Protocol). */
export interface PostgresqlMessage {
  readonly type: string
  readonly body: Buffer
}

const protocolVersion = 196_608
const mostMessages = 1000
/** The part of an error that is read. */
const longestError = 8192

function withLength(body: Buffer, type = ''): Buffer {
  const head = Buffer.alloc(4)
  head.writeInt32BE(4 + body.length)
  return Buffer.concat([Buffer.from(type), head, body])
}

const textOf = (...texts: readonly string[]) => Buffer.from(texts.map((text) => `${text}\0`).join(''))

export function startup(username: string, database: string): Buffer {
  const version = Buffer.alloc(4)
  version.writeInt32BE(protocolVersion)
  const parameters = textOf('user', username, 'database', database, 'application_name', 'latarnik', '')
  return withLength(Buffer.concat([version, parameters]))
}

/** The type of the message with a password, and of those that follow in SASL. */
export function passwordMessage(body: string | Buffer): Buffer {
  return withLength(typeof body === 'string' ? textOf(body) : body, 'p')
}

export function saslFirst(mechanism: string, first: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(Buffer.byteLength(first))
  return passwordMessage(Buffer.concat([textOf(mechanism), length, Buffer.from(first)]))
}

export const simpleQuery = (sql: string) => withLength(textOf(sql), 'Q')
export const terminate = withLength(Buffer.alloc(0), 'X')

/** One statement, whatever the text holds, and of its rows the first. */
export function oneRowOf(sql: string): Buffer {
  const execute = Buffer.concat([textOf(''), Buffer.from([0, 0, 0, 1])])
  return Buffer.concat([
    withLength(Buffer.concat([textOf('', sql), Buffer.alloc(2)]), 'P'),
    withLength(Buffer.concat([textOf('', ''), Buffer.alloc(6)]), 'B'),
    withLength(execute, 'E'),
    withLength(Buffer.alloc(0), 'S'),
  ])
}

/** Without notices and parameters, which may come at any time. */
export async function readMessage(line: ProtocolLine): Promise<PostgresqlMessage> {
  for (let count = 0; count < mostMessages; count += 1) {
    const head = await line.take(5)
    const type = head.toString('latin1', 0, 1)
    const length = head.readInt32BE(1) - 4
    if (!/[A-Za-z1-3]/.test(type) || length < 0) throw notSpoken(head.toString('latin1'))
    const body = await line.take(length)
    if (!['N', 'S', 'K', 'A'].includes(type)) return { type, body }
  }
  throw new Failure('protocol_answer_too_large', 'notices without end')
}

/** Code and text of an error message. */
export function errorOf({ body }: PostgresqlMessage): { readonly code: string; readonly text: string } {
  const fields = new Map(
    body
      .toString('utf8', 0, longestError)
      .split('\0')
      .map((field) => [field[0] ?? '', field.slice(1)]),
  )
  const code = fields.get('C') ?? ''
  return { code, text: `${code} ${fields.get('M') ?? ''}`.trim().slice(0, 300) }
}

/** The first column of a row as text; null for null. */
export function firstColumn({ body }: PostgresqlMessage): string | null {
  const length = body.length >= 6 && body.readInt16BE(0) > 0 ? body.readInt32BE(2) : -1
  if (length > body.length - 6) throw notSpoken('a row that is cut')
  return length < 0 ? null : body.toString('utf8', 6, 6 + length)
}
