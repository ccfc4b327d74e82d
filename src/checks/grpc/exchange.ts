import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import type { Duplex } from 'node:stream'
import { errorText } from '../../domain/text/error-text.ts'
import { Failure } from '../../outgoing/failure.ts'
import { GatheredBytes } from '../../outgoing/gathered-bytes.ts'
import type { Attempt } from '../../sensor/attempt.ts'

export interface GrpcAnswer {
  /** The status of HTTP. */
  readonly httpStatus: number
  /** The status of gRPC; null if there was none. */
  readonly status: number | null
  readonly statusText: string
  readonly body: Buffer
}

const longestBody = 65_536

/** One unary call over a connected socket (gRPC over HTTP/2). The socket is closed in the end. */
export function callGrpc(
  attempt: Attempt,
  socket: Duplex,
  { origin, path, message }: { readonly origin: URL; readonly path: string; readonly message: Buffer },
): Promise<GrpcAnswer> {
  return attempt.wait<GrpcAnswer>((resolve, reject) => {
    const session = connect(origin, { createConnection: () => socket, settings: { enablePush: false } })
    const stop = (): void => {
      session.destroy()
      socket.destroy()
    }
    const fail = (error: unknown): void => {
      stop()
      reject(error instanceof Failure ? error : brokenOff(error))
    }
    session.on('error', fail)
    session.on('goaway', () => fail(new Error('the server ended the session')))
    session.on('close', () => fail(new Error('connection closed')))
    const stream = request(session, origin, path, message)
    collect(
      stream,
      (answer) => {
        resolve(answer)
        stop()
      },
      fail,
    )
    return stop
  })
}

function request(session: ClientHttp2Session, origin: URL, path: string, message: Buffer): ClientHttp2Stream {
  const stream = session.request({
    ':method': 'POST',
    ':scheme': origin.protocol.slice(0, -1),
    ':authority': origin.host,
    ':path': path,
    te: 'trailers',
    'content-type': 'application/grpc',
    'user-agent': 'latarnik',
  })
  const frame = Buffer.alloc(5)
  frame.writeUInt32BE(message.length, 1)
  stream.end(Buffer.concat([frame, message]))
  return stream
}

function collect(stream: ClientHttp2Stream, done: (answer: GrpcAnswer) => void, fail: (error: unknown) => void): void {
  let httpStatus = 0
  let status: number | null = null
  let statusText = ''
  const body = new GatheredBytes()
  const look = (headers: Readonly<Record<string, unknown>>): void => {
    const given = headers['grpc-status']
    if (given !== undefined) status = Number(given)
    if (headers['grpc-message'] !== undefined) statusText = String(headers['grpc-message'])
  }
  stream.on('response', (headers) => {
    httpStatus = headers[':status'] ?? 0
    look(headers)
  })
  stream.on('trailers', look)
  stream.on('data', (chunk: Buffer) => {
    if (body.length + chunk.length <= longestBody) body.add(chunk)
    else fail(new Failure('protocol_answer_too_large', `more than ${longestBody} bytes`))
  })
  stream.on('error', fail)
  stream.on('end', () => {
    if (httpStatus === 0) fail(new Error('connection closed'))
    else done({ httpStatus, status, statusText, body: body.whole() })
  })
  stream.on('close', () => {
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) fail(new Error(`stream ended with code ${stream.rstCode}`))
  })
}

/** The library reports an answer that is not HTTP/2 as a protocol error. */
function brokenOff(error: unknown): Failure {
  const text = errorText(error)
  const isHungUp = /closed|ECONNRESET|EPIPE|ended the session|hang up/.test(text)
  return new Failure(isHungUp ? 'protocol_closed' : 'protocol_not_spoken', text)
}
