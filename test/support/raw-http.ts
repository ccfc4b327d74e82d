import { once } from 'node:events'
import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { Reply } from './api.ts'

/** Lets the server listen on loopback, and tells on which port. */
export async function listenAlone(server: FastifyInstance): Promise<number> {
  await server.listen({ port: 0, host: '127.0.0.1' })
  const address = server.server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

export interface RawRequest {
  readonly method: string
  /** As it stands in the request line. */
  readonly target: string
  /** Sent as they are, one character a byte. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** The bytes of a request after which the server closes. */
export function bytesOf({ method, target, headers, body }: RawRequest): Buffer {
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  const own = [
    ...(named.has('host') ? [] : [['Host', 'api.test'] as const]),
    ...(named.has('content-length') || named.has('transfer-encoding') || body.length === 0
      ? []
      : [['Content-Length', String(body.length)] as const]),
    ...(named.has('connection') ? [] : [['Connection', 'close'] as const]),
  ]
  const lines = [...headers, ...own].map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from([`${method} ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n'), 'latin1'), body])
}

/** Writes the bytes to a new connection and reads until the server closes it. */
export async function converse(port: number, bytes: Buffer | string, patienceMs = 20_000): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const received: Buffer[] = []
  // The server may have answered and gone before all of it was sent.
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('silence')))
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  if (!socket.destroyed) await once(socket, 'close')
  return Buffer.concat(received).toString('latin1')
}

function unchunked(text: string): string {
  const parts: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, end), 16)
    if (end < 0 || !(size > 0)) break
    parts.push(text.slice(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return parts.join('')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The first answer in what was received, after any that only says to go on; status 0 when there is none. */
export function replyOf(received: string): Reply {
  if (/^HTTP\/1\.1 1\d\d /.test(received)) return replyOf(received.slice(received.indexOf('\r\n\r\n') + 4))
  const end = received.indexOf('\r\n\r\n')
  const [first = '', ...lines] = received.slice(0, Math.max(end, 0)).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const rest = received.slice(end + 4)
  const body = headers['transfer-encoding'] === 'chunked' ? unchunked(rest) : rest
  const text = decoded(Buffer.from(body, 'latin1'), headers['content-encoding']).toString('utf8')
  return { status: Number(first.split(' ')[1] ?? 0), headers, body: parsed(text), text }
}

/** Decodes content that the program compresses on request. */
function decoded(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body
  if (encoding === 'br') return brotliDecompressSync(body)
  return encoding === 'gzip' ? gunzipSync(body) : body
}
