import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway, isDiskFull, isGivenUp, isMachineAway, isOwnerGone } from '../database/failures.ts'
import type { Problem } from '../domain/input/problem.ts'
import type { Language } from '../wording/language.ts'
import { maximumBodyBytes } from './body.ts'
import { basePath, documentationPath } from './documentation.ts'
import { languageOf, prefersPage } from './language.ts'
import { type AllowedAt, answerOtherMethod } from './other-methods.ts'
import { ApiError, isFault, problemBody } from './problems.ts'
import { sendProblems, unavailableForSeconds } from './respond.ts'

const longestShownPath = 200

/** The known cause, if any. */
function reasonOf(error: Error): { readonly detail?: string } {
  if (isDiskFull(error)) return { detail: 'disk_full' }
  return isMachineAway(error) ? { detail: 'history_away' } : {}
}

/** The HTTP framework's own refusals as our problems; null for a fault of the server. */
function problemsOf(error: FastifyError | ApiError | Error, bodyLimit: number): readonly Problem[] | null {
  if (error instanceof ApiError) return error.problems.some(isFault) ? null : error.problems
  if (isDatabaseAway(error) || isGivenUp(error)) {
    return [{ error: 'service_unavailable', facts: { retry_after: unavailableForSeconds, ...reasonOf(error) } }]
  }
  // No identifier is that long.
  if ('code' in error && error.code === 'FST_ERR_MAX_PARAM_LENGTH') return [{ error: 'not_found' }]
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return [{ error: 'payload_too_large', facts: { maximum: bodyLimit } }]
  if (status === 415) return [{ error: 'unsupported_media_type' }]
  if (status === 404) return [{ error: 'not_found' }]
  return status !== undefined && status >= 400 && status < 500 ? [{ error: 'malformed_request' }] : null
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const limit = request.routeOptions.bodyLimit ?? maximumBodyBytes
  // A deletion that ends so has deleted nothing, and is a fault.
  const isGone = request.method !== 'DELETE' && isOwnerGone(error)
  const problems = isGone ? [{ error: 'not_found' as const }] : problemsOf(error, limit)
  if (problems === null) request.log.error({ err: error }, 'a request failed')
  const headers = error instanceof ApiError ? error.headers : {}
  const fault = { error: 'internal_error', facts: { request_id: request.id } }
  return sendProblems(reply, problems ?? [fault], languageOf(request), headers)
}

/** The latest answer on each connection. */
const answers = new WeakMap<Socket, ServerResponse>()

/** The bytes are the rest of a request that has its answer: a second one would be taken for that of the next. */
function isAnswered(socket: Socket): boolean {
  const answer = answers.get(socket)
  return answer?.headersSent === true && !answer.req.complete
}

interface ClientError extends Error {
  readonly code?: string | undefined
  readonly rawPacket?: unknown
}

/** Bytes that are no HTTP: no request exists yet, so the answer is written by hand. */
function answerClientError(error: ClientError, socket: Socket, allowedAt: AllowedAt): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (isAnswered(socket)) return void socket.destroy(error)
  const { status, problem, headers } = refusalOf(error, allowedAt)
  const body = JSON.stringify(problemBody([problem], 'en'))
  if (socket.writable) {
    const head = [
      `HTTP/1.1 ${status}`,
      ...headers,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
  socket.destroy(error)
}

interface HandWritten {
  readonly status: string
  readonly problem: Problem
  readonly headers: readonly string[]
}

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,40}) (\/[\x21-\x7e]{0,2000}) HTTP\/1\.[01]\r?\n/

/**
 * The parser knows a list of methods and calls any other one malformed. If the path exists, that is a method that is
 * not allowed.
 */
function refusalOf(error: ClientError, allowedAt: AllowedAt): HandWritten {
  const sent = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : ''
  const [, method = '', target = ''] = requestLine.exec(sent) ?? []
  const allowed = error.code === 'HPE_INVALID_METHOD' ? allowedAt(target.replace(/\?.*$/, ''))?.allow : undefined
  if (allowed === undefined) return { status: '400 Bad Request', problem: { error: 'malformed_request' }, headers: [] }
  const problem = { error: 'method_not_allowed', facts: { method, allowed } }
  return { status: '405 Method Not Allowed', problem, headers: [`Allow: ${allowed}`] }
}

/** Options by which the framework answers with problems of ours also before a route is found. */
export const frameworkErrorOptions = (allowedAt: AllowedAt) => ({
  frameworkErrors: answerError,
  clientErrorHandler: (error: ClientError, socket: Socket) => answerClientError(error, socket, allowedAt),
  // A request on an open connection is answered while the server closes, not turned away in the framework's words.
  return503OnClosing: false,
})

/** Answers 404 with a page. `path`: what was asked for, cut where it is very long. */
export type NoPage = (reply: FastifyReply, path: string, language: Language) => FastifyReply

/** Answers every error, unknown path and malformed request with problems in the caller's language. */
export function handleErrors(server: FastifyInstance, allowedAt: AllowedAt, noPage?: NoPage): void {
  server.server.on('request', (request, answer) => answers.set(request.socket, answer))
  server.setErrorHandler<FastifyError>(answerError)
  server.setNotFoundHandler((request, reply) => {
    const whole = request.url.replace(/\?.*$/s, '')
    const known = allowedAt(whole)
    if (known !== undefined) return answerOtherMethod(request, reply, known)
    const path = whole.slice(0, longestShownPath)
    const isForPeople = request.method === 'GET' && !whole.startsWith(`${basePath}/`) && prefersPage(request)
    if (isForPeople && noPage !== undefined) return noPage(reply, path, languageOf(request))
    return sendProblems(
      reply,
      [{ error: 'not_found', facts: { path, documentation: documentationPath } }],
      languageOf(request),
    )
  })
}
