import { Failure } from '../../outgoing/failure.ts'
import type { ProtocolLine } from '../../sensor/protocol-line.ts'
import { notSpoken } from '../../sensor/reply-codes.ts'

/** Packets of MQTT 3.1.1 (OASIS standard, chapter 3), as far as a subscriber at QoS 0 needs them. */
export interface MqttPacket {
  /** 2 CONNACK, 3 PUBLISH, 9 SUBACK. */
  readonly kind: number
  readonly flags: number
  readonly body: Buffer
}

/** CONNACK, PUBLISH, SUBACK. */
const known = [2, 3, 9]
const keepAliveSeconds = 180

export async function readMqtt(line: ProtocolLine): Promise<MqttPacket> {
  const first = (await line.take(1))[0] ?? 0
  if (!known.includes(first >> 4)) throw notSpoken(String.fromCharCode(first))
  let length = 0
  for (let shift = 0; ; shift += 7) {
    if (shift > 21) throw new Failure('protocol_not_spoken', 'a length of more than four bytes')
    const byte = (await line.take(1))[0] ?? 0
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  return { kind: first >> 4, flags: first & 0x0f, body: await line.take(length) }
}

export interface MqttLogin {
  readonly clientId: string
  readonly username: string | null
  readonly password: string | null
}

export function connectPacket({ clientId, username, password }: MqttLogin): Buffer {
  // A clean session; a password alone is not allowed (section 3.1.2.9).
  const flags = 0x02 | (username === null ? 0 : 0x80 | (password === null ? 0 : 0x40))
  const head = Buffer.concat([field('MQTT'), Buffer.from([4, flags, 0, keepAliveSeconds])])
  const login = username === null ? [] : [field(username), ...(password === null ? [] : [field(password)])]
  return packet(0x10, Buffer.concat([head, field(clientId), ...login]))
}

/** At QoS 0, so that nothing is to be acknowledged. */
export function subscribePacket(topic: string): Buffer {
  return packet(0x82, Buffer.concat([Buffer.from([0, 1]), field(topic), Buffer.from([0])]))
}

export const disconnectPacket = Buffer.from([0xe0, 0])

/** The payload of a PUBLISH. */
export function payloadOf({ flags, body }: MqttPacket): Buffer {
  const topic = body.length < 2 ? 0 : body.readUInt16BE(0)
  const hasNumber = (flags & 0x06) !== 0
  return body.subarray(2 + topic + (hasNumber ? 2 : 0))
}

function field(text: string): Buffer {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
}

function packet(first: number, body: Buffer): Buffer {
  const length: number[] = []
  for (let left = body.length; length.length === 0 || left > 0; left >>= 7) {
    length.push((left & 0x7f) | (left > 0x7f ? 0x80 : 0))
  }
  return Buffer.concat([Buffer.from([first, ...length]), body])
}
