import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Admission } from './admission.ts'
import type { FarStations } from './far-stations.ts'
import { connectionPath, longestFrameBytes } from './wire.ts'

export interface StationRefusal {
  readonly status: 401 | 429 | 503
  /** The reader is the person who starts the station. */
  readonly message: string
}

const mostFragments = 128
/** The longest frame, in packets of a slow line. */
const mostChunks = 32_768

/** Authenticates a connecting station by its token. */
export type Admit = (request: IncomingMessage) => Promise<Admission | StationRefusal>

/** Lets remote stations connect to the API's server. Requests for another protocol get their answer over HTTP. */
export function serveFarStations(server: Server, admit: Admit, accept: FarStations['accept']): void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: longestFrameBytes,
    // A frame in a million pieces would take a hundred times its size.
    maxFragments: mostFragments,
    maxBufferedChunks: mostChunks,
    perMessageDeflate: false,
  })
  async function answer(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const outcome = await admit(request).catch((): StationRefusal => ({ status: 503, message: 'try again later' }))
    if ('status' in outcome) return refuse(socket, outcome)
    if (!socket.destroyed) sockets.handleUpgrade(request, socket, head, (open) => accept(open, outcome))
  }
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isOurs = request.headers.upgrade?.toLowerCase() === 'websocket' && pathOf(request) === connectionPath
    if (!isOurs) return handBack(server, request, socket, head)
    socket.on('error', () => socket.destroy())
    void answer(request, socket, head)
  })
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0] ?? ''
}

function refuse(socket: Duplex, { status, message }: StationRefusal): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Connection: close',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(message)}`,
    ...(status === 401 ? ['WWW-Authenticate: Bearer'] : ['Retry-After: 30']),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${message}`, () => socket.destroy())
}

/**
 * A request to upgrade to another protocol may be ignored (RFC 9110, section 7.8), and clients that try HTTP/2 send one
 * each time. Node passes all of them to a listener. So the request is rewritten without the upgrade, and the connection
 * starts over with it.
 */
function handBack(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`]
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? ''
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${request.rawHeaders[at + 1]}`)
  }
  lines.push('Connection: close')
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
