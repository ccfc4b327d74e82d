// A name server whose every answer the test decides.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { type DecodedPacket, decode, encode, type Packet } from 'dns-packet'

export interface DnsQuery {
  readonly packet: DecodedPacket
  readonly name: string
  readonly type: string
  readonly transport: 'udp' | 'tcp'
  /** Which question of this server it is, from 1. */
  readonly count: number
}

/** Null keeps silent; bytes go out as they stand; a packet gets the id and the question of the query. */
export type DnsAnswer = (query: DnsQuery) => Packet | Buffer | null

export interface DnsServer {
  readonly port: number
  readonly queries: readonly DnsQuery[]
  close(): void
}

export const rcodes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const

export async function startDnsServer(answer: DnsAnswer): Promise<DnsServer> {
  const queries: DnsQuery[] = []
  const reply = (message: Buffer, transport: 'udp' | 'tcp'): Buffer | null => {
    const packet = decode(message)
    const question = packet.questions?.[0]
    const query = {
      packet,
      name: question?.name ?? '',
      type: question?.type ?? '',
      transport,
      count: queries.length + 1,
    }
    queries.push(query)
    const answered = answer(query)
    if (answered === null || Buffer.isBuffer(answered)) return answered
    return encode({ type: 'response', id: packet.id ?? 0, questions: packet.questions ?? [], ...answered })
  }
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const bytes = reply(message, 'udp')
    if (bytes !== null) socket.send(bytes, port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  const server = createServer((connection) => {
    connection.on('error', () => {})
    connection.once('data', (message: Buffer) => {
      const bytes = reply(message.subarray(2), 'tcp')
      if (bytes === null) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(bytes.length)
      connection.end(Buffer.concat([length, bytes]))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port,
    queries,
    close() {
      socket.close()
      server.close()
    },
  }
}

/** One address record for the name that was asked for. */
export function addressOf({ name }: DnsQuery, ip: string): Packet {
  return { answers: [{ type: 'A', name, ttl: 60, data: ip }] }
}
