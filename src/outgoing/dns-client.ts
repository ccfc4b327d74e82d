import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { type DecodedPacket, decode } from 'dns-packet'

/** The supported record types, with their numbers (IANA DNS parameters). */
const typeNumbers = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
} as const

export type AskedType = keyof typeof typeNumbers

export function asAskedType(text: string): AskedType | null {
  return isAskedType(text) ? text : null
}

function isAskedType(text: string): text is AskedType {
  return Object.hasOwn(typeNumbers, text)
}

export interface DnsQuestion {
  readonly name: string
  readonly type: AskedType
  readonly recursionDesired: boolean
  /** Off for servers that answer FORMERR to EDNS. */
  readonly edns: boolean
}

/** A literal address, screened by the caller. */
export interface DnsServer {
  readonly ip: string
  readonly port: number
}

export interface DnsReply {
  readonly packet: DecodedPacket
  readonly bytes: number
  readonly transport: 'udp' | 'tcp'
}

export interface UdpQuery {
  /** Sends the same question again, in case a packet was lost. */
  resend(): void
  close(): void
  /** Why received packets were not accepted as the reply: the wrong id or question, or unreadable. */
  rejected(): 'mismatch' | 'malformed' | null
}

const headerBytes = 12
const questionCountOffset = 5
const additionalCountOffset = 11
const internetClass = 1
const dot = 0x2e
const recursionDesiredFlag = 0x0100
const longestLabel = 63
const longestName = 253
/** A server that sends this many wrong packets will not answer the question. */
const mostRejected = 16
/** We allow 1232 (RFC 6891); a little more is bad manners. */
const longestUdpReply = 4096
/** Each name of a record may be a chain of thousands of pointers. */
const mostRecords = 1000
/** The header's counts of answers, authorities and additional records. */
const recordCounts = [6, 8, 10] as const
/** An OPT record without options (RFC 6891) that allows 1232 bytes: more would come in fragments (RFC 9715). */
const ednsRecord = Buffer.from([0, 0, 41, 0x04, 0xd0, 0, 0, 0, 0, 0, 0])

/**
 * Serialised by hand, because the general encoder costs as much as sending the packet. Throws a RangeError for an
 * invalid name.
 */
export function encodeQuestion(question: DnsQuestion, id: number): Buffer {
  const name = withoutFinalDot(question.name)
  if (name.length > longestName) throw new RangeError(`${JSON.stringify(name)} is too long`)
  const nameBytes = name === '' ? 1 : name.length + 2
  const packet = Buffer.allocUnsafe(headerBytes + nameBytes + 4 + (question.edns ? ednsRecord.length : 0))
  packet.fill(0, 0, headerBytes)
  packet.writeUInt16BE(id, 0)
  packet.writeUInt16BE(question.recursionDesired ? recursionDesiredFlag : 0, 2)
  packet[questionCountOffset] = 1
  packet[additionalCountOffset] = question.edns ? 1 : 0
  writeName(packet, name)
  const end = headerBytes + nameBytes
  packet.writeUInt16BE(typeNumbers[question.type], end)
  packet.writeUInt16BE(internetClass, end + 2)
  if (question.edns) packet.set(ednsRecord, end + 4)
  return packet
}

/** Writes the dotted name and then a length over each dot; the last length is the empty root label. */
function writeName(packet: Buffer, name: string): void {
  if (name !== '') packet.write(`.${name}.`, headerBytes, 'latin1')
  let next = headerBytes + (name === '' ? 0 : name.length + 1)
  packet[next] = 0
  for (let offset = next - 1; offset >= headerBytes; offset -= 1) {
    if (packet[offset] !== dot) continue
    const length = next - offset - 1
    if (length < 1 || length > longestLabel) throw new RangeError(`${JSON.stringify(name)} has a bad label`)
    packet[offset] = length
    next = offset
  }
}

export function newQueryId(): number {
  return randomInt(65_536)
}

/** The decoded reply, or why there is none: not to this question, or not readable. */
export function readReply(bytes: Buffer, question: DnsQuestion, id: number): DecodedPacket | 'mismatch' | 'malformed' {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== id || (bytes.readUInt8(2) & 0x80) === 0) return 'mismatch'
  if (recordCounts.reduce((sum, at) => sum + bytes.readUInt16BE(at), 0) > mostRecords) return 'malformed'
  let packet: DecodedPacket
  try {
    packet = decode(bytes)
  } catch {
    return 'malformed'
  }
  const asked = packet.questions?.[0]
  // Some servers omit the question from an error reply; the id and the connected socket still identify it.
  if (asked === undefined) return rcodeOf(packet) === 'NOERROR' ? 'mismatch' : packet
  return sameName(asked.name, question.name) && asked.type === question.type ? packet : 'mismatch'
}

export function rcodeOf(packet: DecodedPacket): string {
  return 'rcode' in packet && typeof packet.rcode === 'string' ? packet.rcode : 'NOERROR'
}

export function sameName(one: string, other: string): boolean {
  return one === other || withoutFinalDot(one).toLowerCase() === withoutFinalDot(other).toLowerCase()
}

function withoutFinalDot(name: string): string {
  return name.endsWith('.') ? name.slice(0, -1) : name
}

/** Asks over a fresh connected socket (a random port each time; the kernel drops packets from anyone else). */
export function askOverUdp(
  server: DnsServer,
  question: DnsQuestion,
  done: (error: Error | null, reply: DnsReply | null) => void,
): UdpQuery {
  const id = newQueryId()
  const query = encodeQuestion(question, id)
  let rejected: 'mismatch' | 'malformed' | null = null
  let rejectedCount = 0
  let open = true
  let connected = false
  const family = server.ip.includes(':') ? 6 : 4
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    lookup: (host, _options, found) => found(null, host, family),
  })
  const close = (): void => {
    if (!open) return
    open = false
    socket.close()
  }
  const finish = (error: Error | null, reply: DnsReply | null): void => {
    if (!open) return
    close()
    done(error, reply)
  }
  const send = (): void => {
    if (open && connected) socket.send(query)
  }
  socket.on('error', (error) => finish(error, null))
  socket.on('message', (bytes) => {
    const packet = bytes.length > longestUdpReply ? 'malformed' : readReply(bytes, question, id)
    if (typeof packet === 'string') {
      rejected = packet
      rejectedCount += 1
      if (rejectedCount === mostRejected) finish(new Error(`${mostRejected} packets that are no reply`), null)
    } else finish(null, { packet, bytes: bytes.length, transport: 'udp' })
  })
  socket.connect(server.port, server.ip, () => {
    connected = true
    send()
  })
  return { resend: send, close, rejected: () => rejected }
}
