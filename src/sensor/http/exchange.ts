import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Attempt } from '../attempt.ts'
import { errorCode, errorText, Failure } from '../failure.ts'
import { tlsFailure } from '../tls.ts'

/** One request on the wire; header names and values alternate. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: readonly string[]
  readonly content: string | null
}

export interface ResponseHead {
  readonly httpVersion: string
  readonly status: number
  readonly reason: string
  /** Names and values alternate, as received. */
  readonly headers: readonly string[]
}

/** What has come so far; kept up to date while it comes, so that a broken response can be shown as far as it got. */
export interface Received {
  head: ResponseHead | null
  chunks: Buffer[]
  /** Bytes of the body on the wire. */
  bodyBytes: number
  isCapped: boolean
  warnings: string[]
}

export interface ExchangeOptions {
  /** Ends the exchange at the head, for a redirect that will be followed. */
  readonly isHeadEnough: (head: ResponseHead) => boolean
}

export const bodyCapBytes = 1_048_576
const headersCapBytes = 262_144
const mostInformational = 20
const http2SettingsFrame = 4

export function newReceived(): Received {
  return { head: null, chunks: [], bodyBytes: 0, isCapped: false, warnings: [] }
}

/** Speaks HTTP/1 over a connected socket. Answers `http2` when the server speaks only that. Closes the socket in the end. */
export function exchange(
  attempt: Attempt,
  socket: Socket,
  wire: WireRequest,
  { received, isHeadEnough }: ExchangeOptions & { readonly received: Received },
): Promise<'done' | 'http2'> {
  attempt.enter('sent', 'http_send_timeout')
  return attempt.wait<'done' | 'http2'>((resolve, reject) => {
    let response: IncomingMessage | null = null
    let informational = 0
    const outgoing = request({
      createConnection: () => socket,
      method: wire.method,
      path: wire.path,
      headers: wire.headers,
      setHost: false,
      insecureHTTPParser: true,
      maxHeaderSize: headersCapBytes,
    })
    outgoing.maxHeadersCount = 0
    const finish = (): void => {
      socket.destroy()
      resolve('done')
    }
    const fail = (failure: Failure): void => {
      socket.destroy()
      reject(failure)
    }
    outgoing.on('finish', () => {
      if (response === null) {
        attempt.enter('first_byte', () => (socket.bytesRead > 0 ? 'http_headers_timeout' : 'http_first_byte_timeout'))
      }
    })
    outgoing.on('information', () => {
      informational += 1
      if (informational > mostInformational) {
        fail(new Failure('http_informational_flood', `more than ${mostInformational} interim responses`))
      }
    })
    outgoing.on('upgrade', ({ statusCode }) => {
      fail(new Failure('http_unexpected_upgrade', `status ${statusCode} although no other protocol was asked for`))
    })
    outgoing.on('error', (error) => {
      if (response?.complete === true) {
        received.warnings.push(`after the body: ${errorText(error)}`)
        return
      }
      if (received.head === null && isHttp2(error)) {
        socket.destroy()
        resolve('http2')
      } else fail(exchangeFailure(error, received, socket))
    })
    outgoing.on('response', (incoming) => {
      response = incoming
      attempt.enter('transfer', 'http_body_timeout')
      received.head = headOf(incoming)
      if (isHeadEnough(received.head)) {
        finish()
        return
      }
      incoming.on('data', (chunk: Buffer) => {
        received.bodyBytes += chunk.length
        if (received.isCapped) return
        received.chunks.push(chunk)
        if (received.bodyBytes <= bodyCapBytes) return
        received.isCapped = true
        finish()
      })
      // Node closes the socket itself after the end, which is cheaper once the server has closed its side.
      incoming.on('end', () => resolve('done'))
      incoming.on('error', (error) => {
        if (!incoming.complete) fail(exchangeFailure(error, received, socket))
      })
    })
    if (wire.content === null) outgoing.end()
    else outgoing.end(wire.content)
    return () => {
      outgoing.destroy()
      socket.destroy()
    }
  })
}

function headOf(incoming: IncomingMessage): ResponseHead {
  return {
    httpVersion: incoming.httpVersion,
    status: incoming.statusCode ?? 0,
    reason: incoming.statusMessage ?? '',
    headers: incoming.rawHeaders,
  }
}

/** A server that sends its HTTP/2 preface (a SETTINGS frame) whatever was negotiated. */
function isHttp2(error: Error): boolean {
  if (!('rawPacket' in error) || !Buffer.isBuffer(error.rawPacket)) return false
  const bytes = error.rawPacket
  return bytes.length >= 9 && bytes[0] === 0 && bytes[3] === http2SettingsFrame && bytes.readUInt32BE(5) === 0
}

function exchangeFailure(error: unknown, received: Received, socket: Socket): Failure {
  const tls = tlsFailure(error)
  if (tls !== null) return tls
  const code = errorCode(error)
  if (code.startsWith('HPE_')) return parserFailure(code, errorText(error), received)
  // Node says `read` (or `write`) for a reset that arrived, and nothing for a close it noticed itself.
  const isReset = error instanceof Error && 'syscall' in error
  if (received.head !== null) {
    return isReset
      ? new Failure('http_body_reset', `${errorText(error)} after ${received.bodyBytes} bytes of the body`)
      : new Failure('http_body_truncated', `connection closed after ${received.bodyBytes} bytes of the body`)
  }
  if (isReset) return new Failure('http_reset_before_response', errorText(error))
  return socket.bytesRead > 0
    ? new Failure('http_headers_incomplete', `connection closed after ${socket.bytesRead} bytes of the headers`)
    : new Failure('http_closed_before_response', 'connection closed without a response')
}

function parserFailure(code: string, text: string, { head }: Received): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return new Failure('http_headers_too_large', `more than ${headersCapBytes} bytes`)
  if (code.endsWith('CONTENT_LENGTH')) return new Failure('http_invalid_content_length', text)
  if (head !== null) return new Failure('http_chunk_invalid', text)
  if (code === 'HPE_INVALID_CONSTANT' || code === 'HPE_INVALID_VERSION') return new Failure('http_not_spoken', text)
  if (code.includes('HEADER')) return new Failure('http_invalid_header', `invalid header: ${text}`)
  if (code === 'HPE_INVALID_EOF_STATE') return new Failure('http_headers_incomplete', text)
  return new Failure('http_invalid_response', text)
}
