// The checked servers, in a process of their own so that their CPU is not counted.

import { createSocket } from 'node:dgram'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { decode, encode } from 'dns-packet'
import { createAuthority } from '../../src/demo/targets/certificates.ts'
import type { Moods } from '../../src/demo/targets/web.ts'
import { listenRegistry } from './core.ts'
import { type FurtherProtocol, furtherProtocols, listenFurther } from './further.ts'
import { type Protocol, protocols, talks } from './protocols.ts'

export interface Targets extends Readonly<Record<Protocol | FurtherProtocol, number>> {
  readonly http: number
  readonly https: number
  readonly tcp_connect: number
  readonly domain: number
  /** The authority of the servers over TLS. */
  readonly authority: string
  readonly dns: number
}

const page = Buffer.alloc(2048, 'a page of two kilobytes ')

function answer(_request: unknown, response: ServerResponse): void {
  response.setHeader('Content-Type', 'text/html')
  response.end(page)
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

function listenDns(): Promise<number> {
  const socket = createSocket('udp4')
  socket.on('message', (message, { port, address }) => {
    const query = decode(message)
    const name = query.questions?.[0]?.name ?? ''
    const answers = [{ type: 'A' as const, name, ttl: 60, data: '192.0.2.1' }]
    socket.send(
      encode({ type: 'response', id: query.id ?? 0, questions: query.questions ?? [], answers }),
      port,
      address,
    )
  })
  return new Promise((resolve) => {
    socket.bind(0, '127.0.0.1', () => resolve(socket.address().port))
  })
}

const authority = createAuthority('Bench root')
const issued = authority.issue({ names: ['127.0.0.1'] })
const moods: Moods = { now: () => ({ slowness: 1, isFailing: false }), break: () => 0 }
const ports = await Promise.all(protocols.map(async (name) => [name, await listen(talks[name].serve(moods))] as const))
const https = await listen(createHttpsServer(issued, answer))
const furtherPorts = await Promise.all(
  furtherProtocols.map(
    async (name) => [name, await listenFurther(name, { moods, issued, securePort: https })] as const,
  ),
)
const targets: Targets = {
  ...(Object.fromEntries(furtherPorts) as Record<FurtherProtocol, number>),
  ...(Object.fromEntries(ports) as Record<Protocol, number>),
  http: await listen(createHttpServer(answer)),
  https,
  tcp_connect: await listen(createTcpServer((socket) => socket.on('error', () => {}).end())),
  dns: await listenDns(),
  domain: await listenRegistry(),
  authority: authority.certificate,
}
process.send?.(targets)
process.on('disconnect', () => process.exit(0))
