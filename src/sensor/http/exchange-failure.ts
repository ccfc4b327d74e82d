import type { Socket } from 'node:net'
import { errorText } from '../../domain/text/error-text.ts'
import { errorCode, Failure } from '../../outgoing/failure.ts'
import { tlsFailure } from '../tls.ts'
import type { Received } from './received.ts'

export const headersCapBytes = 262_144

const http2SettingsFrame = 4
const http2FrameHeaderBytes = 9

/** True if a server sends its HTTP/2 preface (a SETTINGS frame on stream 0) whatever was negotiated. */
export function isHttp2(error: Error): boolean {
  if (!('rawPacket' in error) || !Buffer.isBuffer(error.rawPacket)) return false
  const bytes = error.rawPacket
  return (
    bytes.length >= http2FrameHeaderBytes &&
    bytes[0] === 0 &&
    bytes[3] === http2SettingsFrame &&
    bytes.readUInt32BE(5) === 0
  )
}

/** Names the cause that broke an HTTP/1 exchange, by the error and the progress of the response. */
export function exchangeFailure(error: Error, received: Received, socket: Socket): Failure {
  const tls = tlsFailure(error)
  if (tls !== null) return tls
  const code = errorCode(error)
  if (code.startsWith('HPE_')) return parserFailure(code, errorText(error), received)
  // Node sets `read` (or `write`) for a received reset, and nothing for a close that it noticed itself.
  const isReset = 'syscall' in error
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
