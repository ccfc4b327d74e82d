import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { isIPv6 } from 'node:net'
import { type DecodedPacket, decode, encode, type Packet, RECURSION_DESIRED, type RecordType } from 'dns-packet'

export interface DnsQuestion {
  readonly name: string
  readonly type: RecordType
  readonly recursionDesired: boolean
  /** Off for servers that answer FORMERR to EDNS. */
  readonly edns: boolean
}

/** A literal address; whoever asks has screened it. */
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
  /** Sends the same question again, for a packet lost on the way. */
  resend(): void
  close(): void
  /** Why packets that came were not taken as the reply: the wrong id or question, or unreadable. */
  rejected(): 'mismatch' | 'malformed' | null
}

/** RFC 9715: answers larger than this come over TCP instead of as fragments. */
const ednsPayloadBytes = 1232

export function encodeQuestion(question: DnsQuestion, id: number): Buffer {
  const packet: Packet = {
    type: 'query',
    id,
    flags: question.recursionDesired ? RECURSION_DESIRED : 0,
    questions: [{ type: question.type, name: question.name }],
  }
  if (question.edns) {
    packet.additionals = [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: ednsPayloadBytes,
        extendedRcode: 0,
        ednsVersion: 0,
        flags: 0,
        flag_do: false,
        options: [],
      },
    ]
  }
  return encode(packet)
}

export function newQueryId(): number {
  return randomInt(65_536)
}

/** The decoded reply, or why it is none: not to this question, or not readable. */
export function readReply(bytes: Buffer, question: DnsQuestion, id: number): DecodedPacket | 'mismatch' | 'malformed' {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== id || (bytes.readUInt8(2) & 0x80) === 0) return 'mismatch'
  let packet: DecodedPacket
  try {
    packet = decode(bytes)
  } catch {
    return 'malformed'
  }
  const asked = packet.questions?.[0]
  // Some servers leave the question out of an error reply; the id and the connected socket still vouch for it.
  if (asked === undefined) return rcodeOf(packet) === 'NOERROR' ? 'mismatch' : packet
  return sameName(asked.name, question.name) && asked.type === question.type ? packet : 'mismatch'
}

export function rcodeOf(packet: DecodedPacket): string {
  return 'rcode' in packet && typeof packet.rcode === 'string' ? packet.rcode : 'NOERROR'
}

export function sameName(one: string, other: string): boolean {
  return one === other || withoutDot(one) === withoutDot(other)
}

function withoutDot(name: string): string {
  const lower = name.toLowerCase()
  return lower.endsWith('.') ? lower.slice(0, -1) : lower
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
  let open = true
  let connected = false
  const socket = createSocket({
    type: isIPv6(server.ip) ? 'udp6' : 'udp4',
    lookup: (host, _options, found) => found(null, host, isIPv6(host) ? 6 : 4),
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
    const packet = readReply(bytes, question, id)
    if (typeof packet === 'string') rejected = packet
    else finish(null, { packet, bytes: bytes.length, transport: 'udp' })
  })
  socket.connect(server.port, server.ip, () => {
    connected = true
    send()
  })
  return { resend: send, close, rejected: () => rejected }
}
