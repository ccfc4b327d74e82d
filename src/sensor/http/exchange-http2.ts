import { type ClientHttp2Stream, connect } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { Attempt } from '../attempt.ts'
import type { HttpExchangeOptions } from './exchange.ts'
import { isFull, type WireRequest } from './received.ts'

/** Headers of one HTTP/1 connection, which are errors in HTTP/2 (RFC 9113, section 8.2.2). */
const connectionHeaders = new Set(['connection', 'host', 'keep-alive', 'transfer-encoding', 'upgrade'])

/** The same exchange with a server that speaks only HTTP/2, over our own TLS socket. */
export function exchangeHttp2(
  attempt: Attempt,
  socket: TLSSocket,
  wire: WireRequest,
  options: HttpExchangeOptions & { readonly origin: URL },
): Promise<void> {
  attempt.enter('sent', 'http_send_timeout')
  return attempt.wait<void>((resolve, reject) => {
    const session = connect(options.origin, { createConnection: () => socket })
    const stop = (): void => {
      session.destroy()
      socket.destroy()
    }
    const end = (error: Error | null): void => {
      stop()
      if (error === null) resolve()
      else reject(failureOf(error, options))
    }
    session.on('error', end)
    const stream = session.request(headersOf(wire, options.origin), { endStream: wire.content === null })
    read(attempt, stream, options, end)
    if (wire.content !== null) stream.end(wire.content)
    return stop
  })
}

function read(
  attempt: Attempt,
  stream: ClientHttp2Stream,
  { received, isHeadEnough }: HttpExchangeOptions,
  end: (error: Error | null) => void,
): void {
  stream.on('error', end)
  stream.on('ready', () => attempt.enter('first_byte', 'http_first_byte_timeout'))
  stream.on('response', (headers) => {
    attempt.enter('transfer', 'http_body_timeout')
    received.head = { httpVersion: '2', status: headers[':status'] ?? 0, reason: '', headers: flatten(headers) }
    if (isHeadEnough(received.head)) end(null)
  })
  stream.on('data', (chunk: Buffer) => {
    if (isFull(received, chunk)) end(null)
  })
  stream.on('end', () => end(received.head === null ? new Error('stream closed without a response') : null))
}

function failureOf(error: Error, { received }: HttpExchangeOptions): Failure {
  return received.head === null
    ? new Failure('http2_failed', errorText(error))
    : new Failure('http_body_truncated', `${errorText(error)} after ${received.bodyBytes} bytes of the body`)
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

function flatten(headers: Readonly<Record<string, string | string[] | number | undefined>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.startsWith(':') || value === undefined ? [] : [value].flat().flatMap((one) => [name, String(one)]),
  )
}
