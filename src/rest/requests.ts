import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestTelemetry, RequestTrail } from '../telemetry/port.ts'

/** The allowed form of a caller's request id, which is repeated in headers, bodies and logs. */
const nameable = /^[\w.~:+/=@-]{1,128}$/

/** The caller's own `X-Request-Id` when it is one, else a new one. */
function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && nameable.test(given)) return given
  return `req-${randomUUID().replaceAll('-', '').slice(0, 20)}`
}

export const requestIdOptions = {
  requestIdHeader: false,
  genReqId: requestIdOf,
} as const

/** Runs a part of a request's work as its own. */
export type Within = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

const unknownRoute = 'unknown'
/** The routes of requests that no route of the framework answers, though the path is one of ours. */
const namedRoutes = new WeakMap<FastifyRequest, string>()

/** Metrics and the log name the request by this route. */
export function nameRoute(request: FastifyRequest, route: string): void {
  namedRoutes.set(request, route)
}

function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? namedRoutes.get(request) ?? unknownRoute
}

/** Answers each request under its id, and tells who watches how it went. */
export function followRequests(server: FastifyInstance, telemetry: RequestTelemetry | undefined): Within {
  const trails = new WeakMap<FastifyRequest, RequestTrail>()
  server.addHook('onRequest', (request, reply, done) => {
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' })
    const { method, headers } = request
    if (telemetry !== undefined) trails.set(request, telemetry.begin({ method, headers }))
    done()
  })
  const end = (request: FastifyRequest, reply: FastifyReply): void => {
    const { method, id: requestId } = request
    const route = routeOf(request)
    const { statusCode: status, elapsedTime: durationMs } = reply
    trails.get(request)?.end({ method, route, status, durationMs, requestId })
    trails.delete(request)
  }
  // A stream is answered when it begins: it lasts as long as its listener likes.
  server.addHook('onSend', async (request, reply, payload) => {
    if (String(reply.getHeader('content-type')).startsWith('text/event-stream')) end(request, reply)
    return payload
  })
  server.addHook('onResponse', (request, reply, done) => {
    end(request, reply)
    const { method } = request
    const route = routeOf(request)
    const { statusCode: status, elapsedTime: durationMs } = reply
    request.log.debug({ method, route, status, ms: Math.round(durationMs) }, 'a request was answered')
    done()
  })
  return (request, work) => trails.get(request)?.within(work) ?? work()
}
