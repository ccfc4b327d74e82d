import { randomBytes } from 'node:crypto'
import { Failure } from '../../outgoing/failure.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'

/** Packets before encryption, and what they are made of (RFC 4253, section 6; RFC 4251, section 5). */
export const messages = {
  disconnect: 1,
  ignore: 2,
  debug: 4,
  keyExchangeInit: 20,
  newKeys: 21,
  exchangeInit: 30,
  exchangeReply: 31,
} as const

const longestPacket = 262_144
const mostIgnored = 50

/** The payload of the next packet that is to be answered. */
export async function readPacket(line: ProtocolLine): Promise<Buffer> {
  for (let count = 0; count < mostIgnored; count += 1) {
    const head = await line.take(5)
    const [length, padding] = [head.readUInt32BE(0), head[4] ?? 0]
    if (length > longestPacket || length < padding + 2) throw notSpoken(head.toString('latin1'))
    const payload = (await line.take(length - 1)).subarray(0, length - 1 - padding)
    if (payload[0] === messages.disconnect) throw new Failure('protocol_refused', disconnection(payload))
    if (payload[0] !== messages.ignore && payload[0] !== messages.debug) return payload
  }
  throw new Failure('protocol_answer_too_large', 'packets without a meaning')
}

function disconnection(payload: Buffer): string {
  const length = payload.length < 9 ? 0 : payload.readUInt32BE(5)
  return `disconnected: ${payload.toString('utf8', 9, 9 + Math.min(length, 300))}`
}

export function packet(payload: Buffer): Buffer {
  const padding = 16 - ((5 + payload.length) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + padding)
  head[4] = padding
  return Buffer.concat([head, payload, randomBytes(padding)])
}

export function sshString(bytes: Buffer | string): Buffer {
  const body = Buffer.from(bytes)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  return Buffer.concat([length, body])
}

/** A number without its sign. */
export function sshNumber(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0)
  const digits = first < 0 ? Buffer.alloc(0) : bytes.subarray(first)
  return sshString((digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits)
}

/** The strings that follow each other. */
export function stringsIn(bytes: Buffer, count: number): readonly Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; found.length < count; ) {
    const length = at + 4 > bytes.length ? Number.POSITIVE_INFINITY : bytes.readUInt32BE(at)
    if (at + 4 + length > bytes.length) throw notSpoken('a packet that is cut')
    found.push(bytes.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return found
}
