import type { ErrorTypeSymbol } from '../../domain/judging/error-types.ts'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'

/** Chromium's names of network errors (net_error_list.h). */
const netErrors: Readonly<Record<string, ErrorTypeSymbol>> = {
  NAME_NOT_RESOLVED: 'name_not_found',
  CONNECTION_REFUSED: 'connection_refused',
  CONNECTION_RESET: 'connection_reset',
  CONNECTION_CLOSED: 'http_closed_before_response',
  EMPTY_RESPONSE: 'http_closed_before_response',
  CONNECTION_TIMED_OUT: 'connection_timeout',
  TIMED_OUT: 'connection_timeout',
  CONNECTION_FAILED: 'connection_failed',
  CONNECTION_ABORTED: 'connection_reset',
  SOCKET_NOT_CONNECTED: 'connection_reset',
  ADDRESS_UNREACHABLE: 'host_unreachable',
  ADDRESS_INVALID: 'address_invalid',
  INVALID_URL: 'address_invalid',
  UNSAFE_PORT: 'sensor_address_refused',
  BLOCKED_BY_CLIENT: 'sensor_address_refused',
  TOO_MANY_REDIRECTS: 'http_too_many_redirects',
  INVALID_REDIRECT: 'http_redirect_invalid',
  UNSAFE_REDIRECT: 'http_redirect_invalid',
  INVALID_RESPONSE: 'http_invalid_response',
  INVALID_HTTP_RESPONSE: 'http_not_spoken',
  INVALID_CHUNKED_ENCODING: 'http_chunk_invalid',
  INCOMPLETE_CHUNKED_ENCODING: 'http_body_truncated',
  CONTENT_LENGTH_MISMATCH: 'http_body_truncated',
  CONTENT_DECODING_FAILED: 'http_decoding_failed',
  RESPONSE_HEADERS_TOO_BIG: 'http_headers_too_large',
  RESPONSE_HEADERS_MULTIPLE_CONTENT_LENGTH: 'http_invalid_content_length',
  RESPONSE_HEADERS_MULTIPLE_LOCATION: 'http_invalid_header',
  RESPONSE_HEADERS_TRUNCATED: 'http_headers_incomplete',
  HTTP2_PROTOCOL_ERROR: 'http2_failed',
  HTTP2_SERVER_REFUSED_STREAM: 'http2_failed',
  SSL_PROTOCOL_ERROR: 'tls_not_spoken',
  SSL_VERSION_OR_CIPHER_MISMATCH: 'tls_handshake_refused',
  SSL_CLIENT_AUTH_CERT_NEEDED: 'tls_client_certificate_required',
  BAD_SSL_CLIENT_AUTH_CERT: 'tls_client_certificate_required',
  SSL_UNRECOGNIZED_NAME_ALERT: 'tls_name_unknown',
  SSL_OBSOLETE_VERSION: 'tls_protocol_version',
  CERT_DATE_INVALID: 'certificate_expired',
  CERT_COMMON_NAME_INVALID: 'certificate_wrong_host',
  CERT_AUTHORITY_INVALID: 'certificate_issuer_unknown',
  CERT_REVOKED: 'certificate_revoked',
  TUNNEL_CONNECTION_FAILED: 'connection_failed',
  PROXY_CONNECTION_FAILED: 'browser_failed',
  INSUFFICIENT_RESOURCES: 'sensor_out_of_sockets',
  NO_BUFFER_SPACE: 'sensor_out_of_sockets',
  OUT_OF_MEMORY: 'browser_failed',
}

const netError = /net::ERR_([A-Z0-9_]+)/

/** Chromium's short name of the failure in a message, such as NAME_NOT_RESOLVED; null if there is none. */
export function netErrorOf(text: string): string | null {
  return netError.exec(text)?.[1] ?? null
}

/** Turns any error of the browser's driver into a failure of the check. */
export function pageFailure(error: unknown): Failure {
  if (error instanceof Failure) return error
  const text = driverText(error)
  const name = netErrorOf(text)
  if (name !== null) return new Failure(symbolOf(name), text)
  if (/Download is starting/.test(text)) return new Failure('page_is_download', 'the address answers with a download')
  if (/[Pp]age crashed|Target crashed/.test(text)) return new Failure('page_crashed', text)
  if (error instanceof Error && error.name === 'TimeoutError') return new Failure('page_timeout', text)
  if (/(browser|context|page).* has been closed|Browser closed/.test(text)) return new Failure('browser_failed', text)
  return new Failure('page_navigation_failed', text)
}

function symbolOf(name: string): ErrorTypeSymbol {
  const known = netErrors[name]
  if (known !== undefined) return known
  if (name.startsWith('CERT_')) return 'certificate_invalid'
  if (name.startsWith('SSL_')) return 'tls_failed'
  if (name.startsWith('HTTP2_')) return 'http2_failed'
  return 'page_navigation_failed'
}

/**
 * The driver's own sentence. Its other lines are a log of the call, and of all that the browser wrote: paths of this
 * machine, and what pages of other accounts said at their consoles.
 */
export function driverText(error: unknown): string {
  const [first = ''] = errorText(error).split('\n')
  return first.replace(/^(page|frame|locator|browser)\.\w+: /, '')
}
