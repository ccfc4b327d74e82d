import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from './call.ts'

/**
 * Sends a continuing answer. No proxy may buffer it: nginx reads X-Accel-Buffering, others do not buffer streams. The
 * body of an answer to HEAD is never read.
 */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers = {}, stream }: Answer & Required<Pick<Answer, 'stream'>>,
): Promise<FastifyReply> {
  reply.code(status).headers({
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
    Vary: 'Accept-Language, Authorization, Cookie',
    ...headers,
  })
  if (request.method !== 'HEAD') return reply.send(stream)
  stream.destroy()
  return reply.send()
}
