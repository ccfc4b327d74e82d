import type { FastifyReply, FastifyRequest } from 'fastify'
import { maximumProblems, type Problem } from '../domain/input/problem.ts'
import type { Language } from '../wording/language.ts'
import type { Answer } from './call.ts'
import { tagAsSent } from './compression.ts'
import { sendContent } from './content.ts'
import { jsonText, matchesTag, strongTag } from './entity-tag.ts'
import { problemBody, statusOf } from './problems.ts'

const jsonType = 'application/json'

/** How long a caller is asked to wait for a database that is away. */
export const unavailableForSeconds = 5

function payloadOf({ bytes, json, body }: Answer): Uint8Array | undefined {
  return bytes ?? json ?? (body === undefined ? undefined : jsonText(body))
}

function isRead(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}

/**
 * Sends an answer. Reads carry an ETag over the bytes, weak if they are compressed. The answer is 304 if the caller has
 * them already.
 */
export async function sendAnswer(request: FastifyRequest, reply: FastifyReply, answer: Answer): Promise<FastifyReply> {
  const payload = payloadOf(answer)
  reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Accept-Encoding, Accept-Language, Authorization')
  if (answer.content !== undefined) return sendContent(request, reply, answer.content, answer.headers)
  reply.headers({ ...answer.headers }).code(answer.status)
  if (payload === undefined) return reply.send()
  if (answer.bytes === undefined) reply.header('Content-Type', jsonType)
  if (isRead(request) && answer.status === 200) {
    const type = String(reply.getHeader('content-type'))
    const tag = strongTag(payload)
    reply.header('ETag', tagAsSent(request, tag, { type, size: payload.byteLength }))
    if (matchesTag(request.headers['if-none-match'], tag)) {
      return reply.code(304).removeHeader('Content-Type').send()
    }
  }
  return reply.send(payload)
}

/** Sends the array of problems of the specification (Errors). */
export function sendProblems(
  reply: FastifyReply,
  problems: readonly Problem[],
  language: Language,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  const status = statusOf(problems)
  if (status === 401) {
    const isInvalid = problems.some(({ error }) => error === 'invalid_token')
    const bearer = isInvalid ? 'Bearer realm="Latarnik", error="invalid_token"' : 'Bearer realm="Latarnik"'
    reply.header('WWW-Authenticate', isInvalid ? bearer : ['Basic realm="Latarnik", charset="UTF-8"', bearer])
  }
  if (status === 503) reply.header('Retry-After', String(unavailableForSeconds))
  return reply
    .code(status)
    .removeHeader('Content-Encoding')
    .headers({ 'Cache-Control': 'no-store', Vary: 'Accept-Language, Authorization', ...headers })
    .header('Content-Type', jsonType)
    .send(jsonText(problemBody(problems.slice(0, maximumProblems), language)))
}
