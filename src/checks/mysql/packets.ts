import { Failure } from '../../outgoing/failure.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'

/** Packets of MySQL and MariaDB, numbered in sequence (MySQL internals: Client/Server Protocol). */
export class MysqlPackets {
  readonly #line: ProtocolLine
  #sequence = 0

  constructor(line: ProtocolLine) {
    this.#line = line
  }

  async read(): Promise<Buffer> {
    const head = await this.#line.take(4)
    const length = head.readUIntLE(0, 3)
    this.#sequence = ((head[3] ?? 0) + 1) % 256
    if (length === 0) throw notSpoken('an empty packet')
    return await this.#line.take(length)
  }

  send(body: Buffer): void {
    const head = Buffer.alloc(4)
    head.writeUIntLE(body.length, 0, 3)
    head[3] = this.#sequence
    this.#sequence = (this.#sequence + 1) % 256
    this.#line.send(Buffer.concat([head, body]))
  }

  /** A command with its text. */
  command(code: number, text = ''): void {
    this.#sequence = 0
    this.send(Buffer.concat([Buffer.from([code]), Buffer.from(text)]))
  }
}

export interface MysqlGreeting {
  readonly capabilities: number
  readonly challenge: Buffer
  readonly plugin: string
}

/** The first packet (HandshakeV10). Rejects with `protocol_refused` where it is an error. */
export function readGreeting(packet: Buffer): MysqlGreeting {
  if (packet[0] === 0xff) throw new Failure('protocol_refused', mysqlError(packet).text)
  const versionEnd = packet.indexOf(0, 1)
  const at = versionEnd + 5
  if (packet[0] !== 10 || versionEnd < 0 || packet.length < at + 31) throw notSpoken(packet.toString('latin1'))
  const capabilities = (packet.readUInt16LE(at + 9) | (packet.readUInt16LE(at + 14) << 16)) >>> 0
  const second = packet.subarray(at + 27, at + 39)
  const rest = packet.subarray(at + 40)
  const pluginEnd = rest.indexOf(0)
  return {
    capabilities,
    challenge: Buffer.concat([packet.subarray(at, at + 8), second]),
    plugin: rest.toString('latin1', 0, pluginEnd < 0 ? rest.length : pluginEnd),
  }
}

/** An error packet; before the login it has no state. */
export function mysqlError(packet: Buffer): { readonly code: number; readonly text: string } {
  const code = packet.length >= 3 ? packet.readUInt16LE(1) : 0
  const text = packet.toString('utf8', packet[3] === 0x23 ? 9 : 3).slice(0, 300)
  return { code, text: `${code} ${text}`.trim() }
}

/** A text with its length before it (Protocol::LengthEncodedString); null for NULL. */
export function lengthEncoded(packet: Buffer, at = 0): string | null {
  const first = packet[at] ?? 0xfb
  if (first === 0xfb) return null
  const width = first < 0xfb ? 0 : first === 0xfc ? 2 : 3
  if (first > 0xfd || packet.length < at + 1 + width) throw notSpoken('a row that is cut')
  const length = width === 0 ? first : packet.readUIntLE(at + 1, width)
  const start = at + 1 + width
  if (packet.length < start + length) throw notSpoken('a row that is cut')
  return packet.toString('utf8', start, start + length)
}
