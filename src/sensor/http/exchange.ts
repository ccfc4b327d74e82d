import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import type { Attempt } from '../attempt.ts'
import { exchangeFailure, headersCapBytes, isHttp2 } from './exchange-failure.ts'
import { isFull, type Received, type ResponseHead, type WireRequest } from './received.ts'

export interface HttpExchangeOptions {
  readonly received: Received
  /** Returns true to end the exchange at the head, for a redirect that will be followed. */
  readonly isHeadEnough: (head: ResponseHead) => boolean
}

interface Exchange extends HttpExchangeOptions {
  readonly attempt: Attempt
  readonly socket: Socket
  readonly outgoing: ClientRequest
  response: IncomingMessage | null
  readonly end: (ending: 'done' | 'http2') => void
  readonly fail: (failure: Failure) => void
}

const mostInformational = 20

/**
 * Speaks HTTP/1 over a connected socket. Returns `http2` if the server speaks only that. The socket is closed at the
 * end.
 */
export function exchange(
  attempt: Attempt,
  socket: Socket,
  wire: WireRequest,
  options: HttpExchangeOptions,
): Promise<'done' | 'http2'> {
  attempt.enter('sent', 'http_send_timeout')
  return attempt.wait<'done' | 'http2'>((resolve, reject) => {
    const outgoing = openRequest(socket, wire)
    watch({ ...options, attempt, socket, outgoing, response: null, end: resolve, fail: reject })
    if (wire.content === null) outgoing.end()
    else outgoing.end(wire.content)
    return () => {
      outgoing.destroy()
      socket.destroy()
    }
  })
}

function openRequest(socket: Socket, { method, path, headers }: WireRequest): ClientRequest {
  const outgoing = request({
    createConnection: () => socket,
    method,
    path,
    headers,
    setHost: false,
    // As lenient as browsers; the strict parser would report pages down that everybody can see.
    insecureHTTPParser: true,
    maxHeaderSize: headersCapBytes,
  })
  outgoing.maxHeadersCount = 0
  return outgoing
}

function watch(exchange: Exchange): void {
  const { attempt, socket, outgoing } = exchange
  let informational = 0
  const fail = (failure: Failure): void => {
    socket.destroy()
    exchange.fail(failure)
  }
  outgoing.on('finish', () => {
    if (exchange.response !== null) return
    attempt.enter('first_byte', () => (socket.bytesRead > 0 ? 'http_headers_timeout' : 'http_first_byte_timeout'))
  })
  outgoing.on('information', () => {
    informational += 1
    if (informational <= mostInformational) return
    fail(new Failure('http_informational_flood', `more than ${mostInformational} interim responses`))
  })
  outgoing.on('upgrade', ({ statusCode }) => {
    fail(new Failure('http_unexpected_upgrade', `status ${statusCode} although no other protocol was asked for`))
  })
  outgoing.on('error', (error) => breakOff(exchange, error))
  outgoing.on('response', (incoming) => read(exchange, incoming))
}

function read(exchange: Exchange, incoming: IncomingMessage): void {
  const { attempt, socket, received, end } = exchange
  exchange.response = incoming
  attempt.enter('transfer', 'http_body_timeout')
  const head = headOf(incoming)
  received.head = head
  const stopHere = (): void => {
    socket.destroy()
    end('done')
  }
  // Registered first, so that any end of the socket finds a listener.
  incoming.on('error', (error) => breakOff(exchange, error))
  if (exchange.isHeadEnough(head)) {
    stopHere()
    return
  }
  incoming.on('data', (chunk: Buffer) => {
    if (isFull(received, chunk)) stopHere()
  })
  // After the end Node closes the socket itself, which is cheaper once the server has closed its side.
  incoming.on('end', () => end('done'))
}

/** An error after a complete body is bad manners of the server, not a failure: the end of the body follows. */
function breakOff({ received, response, socket, end, fail }: Exchange, error: Error): void {
  if (response?.complete === true) {
    received.warnings.push(`after the body: ${errorText(error)}`)
    return
  }
  socket.destroy()
  if (received.head === null && isHttp2(error)) end('http2')
  else fail(exchangeFailure(error, received, socket))
}

function headOf(incoming: IncomingMessage): ResponseHead {
  return {
    httpVersion: incoming.httpVersion,
    status: incoming.statusCode ?? 0,
    reason: incoming.statusMessage ?? '',
    headers: incoming.rawHeaders,
  }
}
