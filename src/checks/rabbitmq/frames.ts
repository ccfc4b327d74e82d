import { Failure } from '../../outgoing/failure.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'

/** AMQP 0-9-1: frames that carry a method, and what methods are made of (sections 2.3 and 4.2 of the specification). */
export const protocolHeader = Buffer.from('AMQP\0\0\x09\x01', 'latin1')

export interface Method {
  /** `class.method` by their numbers, such as `10.10` for connection.start. */
  readonly name: string
  readonly body: Buffer
}

const frameEnd = 0xce
const mostFrames = 100

/** The next method; heartbeats are passed over. */
export async function readMethod(line: ProtocolLine): Promise<Method> {
  for (let count = 0; count < mostFrames; count += 1) {
    const head = await line.take(7)
    const type = head[0] ?? 0
    if (![1, 2, 3, 8].includes(type)) throw notSpoken(head.toString('latin1'))
    const payload = await line.take(head.readUInt32BE(3) + 1)
    if (payload.at(-1) !== frameEnd) throw notSpoken('a frame without its end')
    if (type !== 1) continue
    if (payload.length < 5) throw notSpoken('a method that is cut')
    return { name: `${payload.readUInt16BE(0)}.${payload.readUInt16BE(2)}`, body: payload.subarray(4, -1) }
  }
  throw new Failure('protocol_answer_too_large', 'heartbeats without end')
}

export function methodFrame(
  channel: number,
  [classId, methodId]: readonly [number, number],
  ...args: readonly Buffer[]
): Buffer {
  const payload = Buffer.concat([Buffer.from([0, classId, 0, methodId]), ...args])
  const head = Buffer.alloc(7)
  head[0] = 1
  head.writeUInt16BE(channel, 1)
  head.writeUInt32BE(payload.length, 3)
  return Buffer.concat([head, payload, Buffer.from([frameEnd])])
}

export function shortText(text: string): Buffer {
  const bytes = Buffer.from(text).subarray(0, 255)
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}

export function longText(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** A table of flags and texts. */
export function table(entries: readonly (readonly [string, boolean | string])[]): Buffer {
  const fields = entries.map(([name, value]) =>
    Buffer.concat([
      shortText(name),
      typeof value === 'boolean'
        ? Buffer.from(['t'.charCodeAt(0), value ? 1 : 0])
        : Buffer.concat([Buffer.from('S'), longText(value)]),
    ]),
  )
  return longText(Buffer.concat([...fields]))
}

/** Code and text of connection.close and channel.close. */
export function closeReason(body: Buffer): { readonly code: number; readonly text: string } {
  const code = body.length < 3 ? 0 : body.readUInt16BE(0)
  const text = body.toString('utf8', 3, 3 + (body[2] ?? 0)).slice(0, 300)
  return { code, text: `${code} ${text}` }
}
