// The other protocols of the demo's servers: over UDP, TLS, HTTP and HTTP/2, each with the least that a client can do.
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { get } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { get as getSecure } from 'node:https'
import { type AddressInfo, connect, type Server } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { WebSocket } from 'ws'
import {
  healthServer,
  type Issued,
  liveServer,
  prometheusServer,
  snmpAgent,
  timeServer,
} from '../../src/demo/targets/measured.ts'
import { mailServer } from '../../src/demo/targets/others.ts'
import { rabbitmqBroker } from '../../src/demo/targets/protocols.ts'
import type { Moods } from '../../src/demo/targets/web.ts'
import type { Settings } from '../../src/sensor/protocol.ts'

const host = '127.0.0.1'

interface Further {
  /** Null: the page over TLS is asked. */
  readonly serve: ((moods: Moods, issued: Issued) => Server | UdpSocket | ReturnType<typeof healthServer>) | null
  readonly address: (port: number) => string
  readonly settings: (port: number) => Settings
  readonly bare: (port: number) => Promise<void>
}

const atHost = { address: () => host, settings: (port: number): Settings => ({ port, timeout: 5000 }) }
const atPort = { address: (port: number) => `${host}:${port}`, settings: (): Settings => ({ timeout: 5000 }) }

/** One datagram and its answer. */
function datagram(question: Buffer): (port: number) => Promise<void> {
  return (port) =>
    new Promise((resolve, reject) => {
      const socket = createSocket('udp4')
      socket.on('error', reject)
      socket.on('message', () => {
        socket.close()
        resolve()
      })
      socket.connect(port, host, () => socket.send(question))
    })
}

/** Hears the greeting, if there is one, and then an answer to each question. */
function talk(greets: boolean, questions: readonly Buffer[]): (port: number) => Promise<void> {
  return (port) =>
    new Promise((resolve, reject) => {
      let next = 0
      const socket = connect({ host, port, timeout: 5000 }, () => {
        if (!greets) socket.write(questions[next++] ?? '')
      })
      socket.on('data', () => {
        const question = questions[next++]
        if (question !== undefined) return socket.write(question)
        socket.destroy()
        return resolve()
      })
      socket.on('error', reject)
    })
}

const clockQuestion = Buffer.alloc(48)
clockQuestion[0] = 0x23
/** SNMP v2c: GET 1.3.6.1.2.1.1.3.0 as `public`. */
const snmpQuestion = Buffer.from(
  '302602010104067075626c6963a019020101020100020100300e300c06082b060102010103000500',
  'hex',
)

/** The library that understands the handshake: without it a client would take any answer for a switch. */
const webSocket = (scheme: 'ws' | 'wss') => (port: number) =>
  new Promise<void>((resolve, reject) => {
    const client = new WebSocket(`${scheme}://${host}:${port}/`, {
      perMessageDeflate: false,
      rejectUnauthorized: false,
    })
    client.on('error', reject)
    client.on('open', () => {
      client.close(1000)
      client.terminate()
      resolve()
    })
  })

const metricsQuery = { host, path: '/api/v1/query?query=1', agent: false, rejectUnauthorized: false } as const

const queryMetrics = (ask: typeof get | typeof getSecure) => (port: number) =>
  new Promise<void>((resolve, reject) => {
    ask({ ...metricsQuery, port }, (response) => response.resume().on('end', () => resolve())).on('error', reject)
  })

const unverified = (): Settings => ({ timeout: 5000, verify_certificate: false })

const furtherTalks = {
  tls: {
    ...atPort,
    settings: unverified,
    serve: null,
    bare: (port) =>
      new Promise((resolve, reject) => {
        const socket = connectTls({ host, port, rejectUnauthorized: false }, () => {
          socket.destroy()
          resolve()
        })
        socket.on('error', reject)
      }),
  },
  udp: {
    ...atPort,
    settings: () => ({ timeout: 5000, text_to_send: 'ping' }),
    serve: () => {
      const socket = createSocket('udp4')
      return socket.on('message', (question, { port, address }) => socket.send(question, port, address))
    },
    bare: datagram(Buffer.from('ping')),
  },
  ntp: { ...atHost, serve: (moods) => timeServer(moods, 'udp4'), bare: datagram(clockQuestion) },
  snmp: { ...atHost, serve: (moods) => snmpAgent(moods, 'udp4'), bare: datagram(snmpQuestion) },
  smtp_helo: {
    ...atHost,
    serve: mailServer,
    bare: talk(true, [Buffer.from('EHLO bench.example\r\n'), Buffer.from('QUIT\r\n')]),
  },
  rabbitmq: { ...atHost, serve: rabbitmqBroker, bare: talk(false, [Buffer.alloc(64, 1), Buffer.alloc(64, 1)]) },
  prometheus: { ...atPort, serve: (moods) => prometheusServer(moods), bare: queryMetrics(get) },
  prometheus_tls: { ...atPort, settings: unverified, serve: prometheusServer, bare: queryMetrics(getSecure) },
  websocket: { ...atPort, serve: (moods) => liveServer(moods), bare: webSocket('ws') },
  websocket_tls: { ...atPort, settings: unverified, serve: liveServer, bare: webSocket('wss') },
  grpc: {
    ...atPort,
    serve: healthServer,
    bare: (port) =>
      new Promise((resolve, reject) => {
        const session = connectHttp2(`http://${host}:${port}`)
        session.on('error', reject)
        const stream = session.request({
          ':method': 'POST',
          ':path': '/grpc.health.v1.Health/Check',
          'content-type': 'application/grpc',
          te: 'trailers',
        })
        stream.on('error', reject)
        stream.resume().on('end', () => {
          session.close()
          resolve()
        })
        stream.end(Buffer.alloc(5))
      }),
  },
} as const satisfies Record<string, Further>

export type FurtherProtocol = keyof typeof furtherTalks
export const furtherProtocols = Object.keys(furtherTalks) as readonly FurtherProtocol[]

const talks: Readonly<Record<FurtherProtocol, Further>> = furtherTalks
export const furtherTalk = (name: FurtherProtocol): Further => talks[name]

interface Given {
  readonly moods: Moods
  readonly issued: Issued
  /** That of the page over TLS. */
  readonly securePort: number
}

/** Listens and returns the port; that of the page over TLS where there is no server of its own. */
export function listenFurther(name: FurtherProtocol, { moods, issued, securePort }: Given): Promise<number> {
  const server = talks[name].serve?.(moods, issued)
  if (server === undefined) return Promise.resolve(securePort)
  return new Promise((resolve) => {
    const heard = () => resolve((server.address() as AddressInfo).port)
    if ('bind' in server) server.bind(0, host, heard)
    else server.listen(0, host, heard)
  })
}
