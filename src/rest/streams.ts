import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from './call.ts'

/**
 * Sends an answer that goes on. No proxy may keep it back: nginx looks at X-Accel-Buffering, others keep no stream. Nobody reads the body
 * of an answer to HEAD.
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
