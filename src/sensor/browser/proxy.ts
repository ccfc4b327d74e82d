import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorText } from '../../domain/text/error-text.ts'
import { abandon, type CheckedAddress, type Dialler } from '../../outgoing/dial.ts'
import { errorCode, Failure } from '../../outgoing/failure.ts'
import { parseHostAndPort } from '../../outgoing/host.ts'
import { Attempt } from '../attempt.ts'
import { forwardedHead } from './forwarded-head.ts'

/** The beginning of one connection through the proxy. */
export interface Dialled {
  readonly ip: string | null
  readonly dnsMs: number | null
  readonly connectMs: number | null
  /** The TLS handshake as timed in the tunnel; null if there was none. */
  readonly tlsMs: number | null
  readonly failure: Failure | null
}

/**
 * The only way out of one visit's browser context. It resolves each name once, screens every address, and dials that
 * address literally.
 */
export interface VisitProxy {
  readonly url: string
  bytesReceived(): number
  /** The first connection to `host:port`; null before any. */
  dialled(authority: string): Dialled | null
  /** Cuts all connections. */
  close(): void
}

export interface ProxyOptions {
  readonly dialler: Dialler
  /** Per connection. */
  readonly timeoutMs: number
  readonly onBytes: (total: number) => void
}

interface Tunnel {
  readonly client: Socket
  readonly upstream: Socket
  /** True if the browser has sent data already. */
  readonly hasBegun: boolean
}

interface Line {
  readonly authority: string
  readonly upstream: Socket
}

const established = 'HTTP/1.1 200 Connection established\r\n\r\n'
const badGateway = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
const longestHeadBytes = 256 * 1024

/** Listens on loopback for one visit only, so every connection is known to belong to it. */
export function openProxy(options: ProxyOptions): Promise<VisitProxy> {
  const server = createServer({ maxHeaderSize: longestHeadBytes, keepAliveTimeout: 0, requestTimeout: 0 })
  const relay = new Relay(options, server)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      resolve({
        url: `http://127.0.0.1:${port}`,
        bytesReceived: () => relay.bytes,
        dialled: (authority) => relay.dialled.get(authority) ?? null,
        close: () => relay.close(),
      })
    })
  })
}

class Relay {
  bytes = 0
  readonly dialled = new Map<string, Dialled>()
  readonly #options: ProxyOptions
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #addresses = new Map<string, ReturnType<Dialler['resolve']>>()
  /** The upstream of each browser connection, which may request several hosts in turn, or one repeatedly. */
  readonly #lines = new WeakMap<Socket, Line>()
  #isClosed = false

  constructor(options: ProxyOptions, server: Server) {
    this.#options = options
    this.#server = server
    server.on('connection', (socket) => this.#keep(socket))
    server.on('clientError', (_error, socket) => socket.destroy())
    server.on('connect', (request: IncomingMessage, stream: Duplex, first: Buffer) => {
      this.#tunnel(request.url ?? '', stream as Socket, first)
    })
    server.on('request', (request: IncomingMessage) => {
      this.#forward(request).catch(() => request.socket.destroy())
    })
  }

  close(): void {
    this.#isClosed = true
    this.#server.close()
    for (const socket of this.#sockets) abandon(socket)
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket)
    // The tunnel reports why it broke; a late error must not end the process.
    socket.on('error', () => {})
    socket.on('close', () => this.#sockets.delete(socket))
  }

  async #tunnel(authority: string, client: Socket, first: Buffer): Promise<void> {
    try {
      const upstream = await this.#dial(authority, 443)
      client.write(established)
      this.#timeHandshake(authority, { client, upstream, hasBegun: first.length > 0 })
      if (first.length > 0) upstream.write(first)
      client.pipe(upstream)
      this.#answer(client, upstream)
    } catch {
      client.end(badGateway)
    }
  }

  /** Measures from the browser's hello to its first data after the server's answer (RFC 8446 §2: its Finished). */
  #timeHandshake(authority: string, { client, upstream, hasBegun }: Tunnel): void {
    let helloAt = hasBegun ? performance.now() : null
    let isAnswered = false
    upstream.once('data', () => {
      isAnswered = true
    })
    const said = (): void => {
      helloAt ??= performance.now()
      if (!isAnswered) return
      client.off('data', said)
      const known = this.dialled.get(authority)
      if (known?.tlsMs === null) this.dialled.set(authority, { ...known, tlsMs: performance.now() - helloAt })
    }
    client.on('data', said)
  }

  /**
   * One request in absolute form. The target's answer passes unchanged, because the browser must judge it, not a parser
   * of ours.
   */
  async #forward(request: IncomingMessage): Promise<void> {
    const client = request.socket
    const url = new URL(request.url ?? '')
    if (url.protocol !== 'http:') throw new Failure('address_invalid', `${url.protocol} cannot be forwarded`)
    const authority = `${url.hostname}:${url.port === '' ? '80' : url.port}`
    const line = this.#lines.get(client)
    const isOpen = line?.authority === authority && line.upstream.writable
    if (!isOpen && line !== undefined) abandon(line.upstream)
    const upstream = isOpen ? line.upstream : await this.#dial(authority, 80)
    if (!isOpen) {
      this.#lines.set(client, { authority, upstream })
      this.#answer(client, upstream)
    }
    upstream.write(forwardedHead(request, url), 'latin1')
    request.pipe(upstream, { end: false })
  }

  /** Passes data on and counts it, as fast as the browser takes it. */
  #answer(client: Socket, upstream: Socket): void {
    const drained = (): void => {
      upstream.resume()
    }
    upstream.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length
      this.#options.onBytes(this.bytes)
      if (client.writable && !client.write(chunk)) upstream.pause()
    })
    client.on('drain', drained)
    upstream.on('end', () => client.end())
    upstream.on('error', (error) => {
      if (errorCode(error) === 'ECONNRESET') client.resetAndDestroy()
      else client.destroy()
    })
    upstream.on('close', () => {
      client.off('drain', drained)
      this.#sockets.delete(upstream)
    })
    client.on('close', () => {
      if (this.#lines.get(client)?.upstream === upstream || !this.#lines.has(client)) abandon(upstream)
    })
  }

  async #dial(authority: string, defaultPort: number): Promise<Socket> {
    const attempt = new Attempt(authority, this.#options.timeoutMs)
    try {
      const { host, port } = parseHostAndPort(authority, defaultPort)
      const key = host.name
      let found = this.#addresses.get(key)
      if (found === undefined) {
        found = this.#options.dialler.resolve(attempt, host, 'any')
        this.#addresses.set(key, found)
      }
      const addresses: readonly CheckedAddress[] = await found
      const upstream = await this.#options.dialler.connect(attempt, addresses, port)
      this.#note(authority, attempt, null)
      if (this.#isClosed) abandon(upstream)
      this.#sockets.add(upstream)
      return upstream
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure('sensor_fault', errorText(error))
      this.#note(authority, attempt, failure)
      throw failure
    }
  }

  #note(authority: string, attempt: Attempt, failure: Failure | null): void {
    attempt.stop()
    const ip = attempt.evidence.ip_address
    const known = this.dialled.get(authority)
    if (known !== undefined && known.failure === null) return
    const { dns = null, connect = null } = attempt.phases ?? {}
    this.dialled.set(authority, { ip, dnsMs: dns, connectMs: connect, tlsMs: null, failure })
  }
}
