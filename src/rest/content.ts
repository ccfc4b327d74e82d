import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requestedRange } from '../domain/queries/byte-range.ts'
import type { Answer, StoredContent } from './call.ts'
import { tagAsSent } from './compression.ts'
import { matchesTag } from './entity-tag.ts'
import { ApiError } from './problems.ts'

/**
 * `If-Range` with anything but this exact tag asks for the whole (RFC 9110, section 13.1.5); contents have no dates.
 */
function wantsRange({ method, headers }: FastifyRequest, tag: string): boolean {
  const condition = headers['if-range']
  return method === 'GET' && (condition === undefined || condition === tag)
}

/** Sends a content, or the part that was asked for. Nothing of it is read for a caller who has it. */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  { size, digest, open }: StoredContent,
  headers: Answer['headers'] = {},
): Promise<FastifyReply> {
  const tag = `"${digest}"`
  if (matchesTag(request.headers['if-none-match'], tag)) {
    const sent = tagAsSent(request, tag, { type: headers['Content-Type'] ?? '', size })
    return reply.code(304).header('ETag', sent).send()
  }
  const range = wantsRange(request, tag) ? requestedRange(request.headers.range, size) : 'whole'
  if (range === 'unsatisfiable') {
    throw new ApiError([{ error: 'range_not_satisfiable', facts: { size } }], { 'Content-Range': `bytes */${size}` })
  }
  const { start, end } = range === 'whole' ? { start: 0, end: size } : range
  const bytes = await open({ start, end })
  reply.headers({ ...headers, ETag: tag, 'Accept-Ranges': 'bytes', 'Content-Length': String(end - start) })
  if (range !== 'whole') reply.code(206).header('Content-Range', `bytes ${start}-${end - 1}/${size}`)
  if (request.method !== 'HEAD') return reply.send(bytes)
  bytes.destroy()
  // Not nothing: for that the framework would tell a length of nought.
  return reply.send(Readable.from([]))
}
