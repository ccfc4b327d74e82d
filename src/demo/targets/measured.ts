/** Targets over UDP, HTTP and HTTP/2: a clock, a router, a metrics server, a health service, a live page. */
import { createHash } from 'node:crypto'
import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { createServer as createHttpServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createHttp2Server, type Http2Server } from 'node:http2'
import { createServer as createHttpsServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { element, elementsIn, integerElement } from '../../checks/snmp/ber.ts'
import type { Moods } from './web.ts'

export interface Issued {
  readonly cert: string
  readonly key: string
}

type UdpFamily = 'udp4' | 'udp6'

function answering(type: UdpFamily, answer: (question: Buffer) => Buffer): UdpSocket {
  const socket = createSocket(type)
  socket.on('message', (question, { port, address }) => {
    try {
      socket.send(answer(question), port, address)
    } catch {
      // Not a query.
    }
  })
  return socket
}

const epoch = 2_208_988_800

/** NTP (RFC 5905). */
export const timeServer = (moods: Moods, type: UdpFamily) =>
  answering(type, (question) => {
    const answer = Buffer.alloc(48)
    answer[0] = moods.now('router').isFailing ? 0xe4 : 0x24
    answer[1] = 2
    question.copy(answer, 24, 40, 48)
    const seconds = Date.now() / 1000 + epoch
    for (const at of [32, 40]) {
      answer.writeUInt32BE(Math.floor(seconds) % 2 ** 32, at)
      answer.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), at + 4)
    }
    return answer
  })

/** SNMP v2c; every value is 42. */
export const snmpAgent = (moods: Moods, type: UdpFamily) =>
  answering(type, (question) => {
    const [version, community, request] = elementsIn(elementsIn(question)[0]?.body ?? question)
    const [id, , , bindings] = elementsIn(request?.body ?? Buffer.alloc(0))
    const [oid] = elementsIn(elementsIn(bindings?.body ?? Buffer.alloc(0))[0]?.body ?? Buffer.alloc(0))
    const status = integerElement(moods.now('router').isFailing ? 5 : 0)
    const binding = element(0x30, element(0x30, element(6, oid?.body ?? Buffer.alloc(0)), integerElement(42)))
    const response = element(0xa2, element(2, id?.body ?? Buffer.alloc(0)), status, integerElement(0), binding)
    const head = [element(2, version?.body ?? Buffer.alloc(0)), element(4, community?.body ?? Buffer.alloc(0))]
    return element(0x30, ...head, response)
  })

const sample = { status: 'success', data: { resultType: 'vector', result: [{ metric: {}, value: [0, '1'] }] } }

/** The HTTP API of Prometheus. */
export function prometheusServer(moods: Moods, issued?: Issued): Server {
  return httpServer((request, response) => {
    request.resume()
    const isIll = moods.now('intranet').isFailing
    response.writeHead(isIll ? 503 : 200, { 'content-type': 'application/json', connection: 'close' })
    response.end(isIll ? 'Service Unavailable' : JSON.stringify(sample))
  }, issued)
}

const keyOfWebSocket = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** WebSocket (RFC 6455), up to the switch of protocols. */
export function liveServer(moods: Moods, issued?: Issued): Server {
  const server = httpServer((_request, response) => response.writeHead(426).end(), issued)
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    socket.on('error', () => socket.destroy())
    if (moods.now('orders').isFailing)
      return socket.end('HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n')
    const key = `${request.headers['sec-websocket-key']}${keyOfWebSocket}`
    const accept = createHash('sha1').update(key).digest('base64')
    const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade']
    socket.write([...head, `Sec-WebSocket-Accept: ${accept}`, '', ''].join('\r\n'))
    return socket.once('data', () => socket.end())
  })
  return server
}

function httpServer(listener: RequestListener, issued: Issued | undefined): Server {
  return issued === undefined ? createHttpServer(listener) : createHttpsServer({ ...issued }, listener)
}

/** The health service of gRPC: SERVING, or NOT_SERVING. */
export function healthServer(moods: Moods): Http2Server {
  const server = createHttp2Server()
  server.on('stream', (stream) => {
    stream.on('error', () => stream.destroy())
    const state = moods.now('payments').isFailing ? 2 : 1
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
    stream.end(Buffer.from([0, 0, 0, 0, 2, 8, state]))
  })
  return server
}
