/** ICMP echo (RFC 792, RFC 4443). The kernel of a ping socket fills in the identifier and the checksum. */
const headerBytes = 8
const types = { 4: { request: 8, reply: 0 }, 6: { request: 128, reply: 129 } } as const

/** The longest payload that fits an IP packet; a longer one is shortened. */
const longestPayload = { 4: 65_507, 6: 65_527 } as const

export function encodeEcho(family: 4 | 6, sequence: number, payloadBytes: number): Buffer {
  const packet = Buffer.alloc(headerBytes + clampPayload(family, payloadBytes), 'latarnik ')
  packet.fill(0, 0, headerBytes)
  packet.writeUInt8(types[family].request, 0)
  packet.writeUInt16BE(sequence, 6)
  return packet
}

/** The sequence number of an echo reply; null for any other message. */
export function sequenceOfReply(family: 4 | 6, packet: Buffer): number | null {
  return packet.length >= headerBytes && packet[0] === types[family].reply ? packet.readUInt16BE(6) : null
}

export function clampPayload(family: 4 | 6, payloadBytes: number): number {
  return Math.min(payloadBytes, longestPayload[family])
}
