import { connect } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Attempt } from '../attempt.ts'
import { errorText, Failure } from '../failure.ts'
import { bodyCapBytes, type ExchangeOptions, type Received, type WireRequest } from './exchange.ts'

/** Headers that belong to one HTTP/1 connection and are an error in HTTP/2 (RFC 9113, section 8.2.2). */
const connectionHeaders = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade'])

/** The same exchange with a server that speaks HTTP/2 only, over our own TLS socket. */
export function exchangeHttp2(
  attempt: Attempt,
  socket: TLSSocket,
  wire: WireRequest,
  { received, origin, isHeadEnough }: ExchangeOptions & { readonly received: Received; readonly origin: URL },
): Promise<void> {
  attempt.enter('sent', 'http_send_timeout')
  return attempt.wait<void>((resolve, reject) => {
    const session = connect(origin, { createConnection: () => socket })
    const stop = (): void => {
      session.destroy()
      socket.destroy()
    }
    const finish = (): void => {
      stop()
      resolve()
    }
    const fail = (error: unknown): void => {
      stop()
      if (received.head === null) reject(new Failure('http2_failed', errorText(error)))
      else
        reject(new Failure('http_body_truncated', `${errorText(error)} after ${received.bodyBytes} bytes of the body`))
    }
    session.on('error', fail)
    const stream = session.request(headersOf(wire, origin), { endStream: wire.content === null })
    stream.on('error', fail)
    stream.on('ready', () => attempt.enter('first_byte', 'http_first_byte_timeout'))
    stream.on('response', (headers, _flags, ...rest: unknown[]) => {
      attempt.enter('transfer', 'http_body_timeout')
      const raw = rest[0]
      received.head = {
        httpVersion: '2',
        status: headers[':status'] ?? 0,
        reason: '',
        headers: Array.isArray(raw) ? withoutPseudo(raw.map(String)) : flatten(headers),
      }
      if (isHeadEnough(received.head)) finish()
    })
    stream.on('data', (chunk: Buffer) => {
      received.bodyBytes += chunk.length
      if (received.isCapped) return
      received.chunks.push(chunk)
      if (received.bodyBytes <= bodyCapBytes) return
      received.isCapped = true
      finish()
    })
    stream.on('end', () => {
      if (received.head === null) fail(new Error('stream closed without a response'))
      else finish()
    })
    if (wire.content !== null) stream.end(wire.content)
    return stop
  })
}

function headersOf(wire: WireRequest, origin: URL): Record<string, string> {
  const headers: Record<string, string> = {
    ':method': wire.method,
    ':scheme': origin.protocol.slice(0, -1),
    ':authority': origin.host,
    ':path': wire.path,
  }
  for (let index = 0; index + 1 < wire.headers.length; index += 2) {
    const name = (wire.headers[index] ?? '').toLowerCase()
    const value = wire.headers[index + 1] ?? ''
    if (name === 'host') headers[':authority'] = value
    if (!connectionHeaders.has(name)) headers[name] = value
  }
  return headers
}

function withoutPseudo(raw: readonly string[]): readonly string[] {
  return raw.filter((_text, index) => !(raw[index - (index % 2)] ?? '').startsWith(':'))
}

function flatten(headers: Readonly<Record<string, string | string[] | number | undefined>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(':') || value === undefined ? [] : [value].flat().flatMap((one) => [name, String(one)]),
  )
}
