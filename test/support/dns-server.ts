// A name server whose every answer the test decides.
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
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

const lengthBytes = 2
const mostPortsTried = 20

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
  const { socket, server } = await listenOnBoth()
  socket.on('message', (message, { port, address }) => {
    const bytes = reply(message, 'udp')
    if (bytes !== null) socket.send(bytes, port, address)
  })
  server.on('connection', (connection) => {
    connection.on('error', () => {})
    connection.once('data', (message: Buffer) => {
      const bytes = reply(message.subarray(lengthBytes), 'tcp')
      if (bytes === null) return
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt16BE(bytes.length)
      connection.end(Buffer.concat([length, bytes]))
    })
  })
  return {
    port: socket.address().port,
    queries,
    close() {
      socket.close()
      server.close()
    },
  }
}

/** The same port for UDP and TCP; somebody else may hold the TCP one, then another pair is tried. */
async function listenOnBoth(): Promise<{ socket: Socket; server: Server }> {
  for (let tries = 0; tries < mostPortsTried; tries += 1) {
    const socket = createSocket('udp4')
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
    const server = createServer()
    const isListening = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(socket.address().port, '127.0.0.1', () => resolve(true))
    })
    if (isListening) return { socket, server }
    socket.close()
  }
  throw new Error('no port is free for both UDP and TCP')
}

/** One address record for the name that was asked for. */
export function addressOf({ name }: DnsQuery, ip: string): Packet {
  return { answers: [{ type: 'A', name, ttl: 60, data: ip }] }
}
