import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway, isGivenUp } from '../database/failures.ts'
import type { Problem } from '../domain/problem.ts'
import { maximumBodyBytes } from './body.ts'
import { documentationPath } from './documentation.ts'
import { languageOf } from './language.ts'
import { ApiError, isFault, problemBody } from './problems.ts'
import { sendProblems, unavailableForSeconds } from './respond.ts'

const longestShownPath = 200

/** What the HTTP framework itself refuses, as problems of ours; null for a fault of the server. */
function problemsOf(error: FastifyError | ApiError | Error, bodyLimit: number): readonly Problem[] | null {
  if (error instanceof ApiError) return error.problems.some(isFault) ? null : error.problems
  if (isDatabaseAway(error) || isGivenUp(error))
    return [{ error: 'service_unavailable', facts: { retry_after: unavailableForSeconds } }]
  // No identifier is that long.
  if ('code' in error && error.code === 'FST_ERR_MAX_PARAM_LENGTH') return [{ error: 'not_found' }]
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status === 413) return [{ error: 'payload_too_large', facts: { maximum: bodyLimit } }]
  if (status === 415) return [{ error: 'unsupported_media_type' }]
  if (status === 404) return [{ error: 'not_found' }]
  return status !== undefined && status >= 400 && status < 500 ? [{ error: 'malformed_request' }] : null
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problems = problemsOf(error, request.routeOptions.bodyLimit ?? maximumBodyBytes)
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

/** Bytes that are no HTTP: no request exists yet, so the answer is written by hand. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (isAnswered(socket)) return void socket.destroy(error)
  const body = JSON.stringify(problemBody([{ error: 'malformed_request' }], 'en'))
  if (socket.writable) {
    const head = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`
    socket.write(`HTTP/1.1 400 Bad Request\r\n${head}\r\n\r\n${body}`)
  }
  socket.destroy(error)
}

/** Options by which the framework answers with problems of ours also before a route is found. */
export const frameworkErrorOptions = {
  frameworkErrors: answerError,
  clientErrorHandler: answerClientError,
  // A request on an open connection is answered while the server closes, not turned away in the framework's words.
  return503OnClosing: false,
}

/** Whatever is thrown, not found or not even HTTP is answered with problems in the caller’s language. */
export function handleErrors(server: FastifyInstance): void {
  server.server.on('request', (request, answer) => answers.set(request.socket, answer))
  server.setErrorHandler<FastifyError>(answerError)
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.replace(/\?.*$/s, '').slice(0, longestShownPath)
    return sendProblems(
      reply,
      [{ error: 'not_found', facts: { path, documentation: documentationPath } }],
      languageOf(request),
    )
  })
}
