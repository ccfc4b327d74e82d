import type { FastifyInstance } from 'fastify'

/** Paths for programs in browsers; pages for people are excluded. */
const forPrograms = /^\/(v3\/|oauth\/token([?]|$)|\.well-known\/)/

const exposed =
  'Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Latarnik-Warning, Location, Retry-After, WWW-Authenticate, X-Request-Id, X-Total-Count'

/**
 * Any origin may call the API with its own token. Credentials are not allowed, because only the event stream takes a
 * cookie, from our own pages.
 */
export function allowOtherOrigins(server: FastifyInstance): void {
  server.addHook('onRequest', async (request, reply) => {
    if (request.headers.origin === undefined || !forPrograms.test(request.url)) return
    reply.headers({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': exposed })
    if (request.method !== 'OPTIONS') return
    reply.headers({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE',
      'Access-Control-Allow-Headers':
        'Authorization, Content-Type, Accept-Language, If-Match, If-None-Match, If-Range, Last-Event-ID, Range, X-Request-Id, traceparent, tracestate',
      'Access-Control-Max-Age': '86400',
    })
  })
}
