import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { anonymousCaller, type Caller } from '../domain/access/caller.ts'
import { parseBody } from '../rest/body.ts'
import type { Engine } from '../rest/engine.ts'
import { languageOf } from '../rest/language.ts'
import { sendNotAllowed } from '../rest/other-methods.ts'
import { ApiError, refuse } from '../rest/problems.ts'
import { metadataOf, metadataPath, resourcePath } from './metadata.ts'
import { OpenMessages } from './open-messages.ts'
import { isAllowedOrigin, originHeaders } from './origins.ts'

interface EndpointOptions {
  readonly engine: Engine
  readonly publicUrl: string | undefined
}

/** Bytes of a message at most. */
const maximumMessageBytes = 65_536

const allow = 'POST, OPTIONS'

/** Serves assistants at `/mcp`, with the metadata by which their clients find out how to log in. */
export function assistants(publicUrl: string | undefined) {
  return async (server: FastifyInstance, engine: Engine): Promise<void> => {
    serveMetadata(server, engine)
    await server.register(async (scope) => serveMessages(scope, { engine, publicUrl }))
  }
}

function serveMessages(server: FastifyInstance, { engine, publicUrl }: EndpointOptions): void {
  const openMessages = new OpenMessages()
  const ending = new AbortController()
  server.addHook('preClose', async () => ending.abort())
  server.addHook('onRequest', async (request, reply) => {
    reply.header('Vary', 'Accept-Language, Authorization, Origin')
    const { origin } = request.headers
    if (origin === undefined) return
    if (!isAllowedOrigin(origin, publicUrl)) refuse('cross_site_request')
    reply.headers(originHeaders(origin))
  })
  const callers = new WeakMap<FastifyRequest, Caller>()
  server.post(resourcePath, {
    bodyLimit: maximumMessageBytes,
    // Before the body is read: a caller who may not come in sends nothing that is looked at.
    onRequest: async (request) => {
      callers.set(request, await identified(engine, request))
    },
    handler: async (request, reply) => {
      const caller = callers.get(request) ?? anonymousCaller
      const leave = openMessages.enter(`${caller.scope} ${caller.account_id}`)
      reply.raw.once('close', leave)
      const message = parseBody(request)
      if (message === undefined || Array.isArray(message)) refuse('incorrect_json', 'data')
      const { serveMessage } = await import('./serve.ts')
      const visit = { engine, request, caller, language: languageOf(request) }
      const answer = await serveMessage(visit, message, webRequest(engine, request, reply, ending.signal))
      return send(reply, answer)
    },
  })
  server.options(resourcePath, (_request, reply) => reply.code(204).header('Allow', allow).send())
  server.route({
    method: ['GET', 'PUT', 'DELETE', 'PATCH'],
    url: resourcePath,
    exposeHeadRoute: false,
    handler: (request, reply) => sendNotAllowed(request, reply, allow),
  })
}

/** The metadata of the protected resource (RFC 9728), for anybody. */
function serveMetadata(server: FastifyInstance, engine: Engine): void {
  for (const url of [metadataPath, `${metadataPath}${resourcePath}`]) {
    server.get(url, async (request, reply) => {
      // Without PUBLIC_URL the addresses are those of the asker's own Host, so nobody else may be given them.
      const headers = { 'Cache-Control': 'no-store' }
      return reply
        .headers(headers)
        .type('application/json')
        .send(metadataOf(engine.rootOf(request)))
    })
  }
}

/** The caller; a refusal names the metadata that tells where tokens come from. */
async function identified(engine: Engine, request: FastifyRequest): Promise<Caller> {
  try {
    return await engine.identifyByToken(request)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isInvalid = error.problems.some((problem) => problem.error === 'invalid_token')
    const parts = [
      'Bearer realm="Latarnik"',
      ...(isInvalid ? ['error="invalid_token"'] : []),
      `resource_metadata="${engine.rootOf(request)}${metadataPath}${resourcePath}"`,
    ]
    throw new ApiError(error.problems, { ...error.headers, 'WWW-Authenticate': parts.join(', ') })
  }
}

/** The request as the SDK takes it; it ends when the client hangs up or the server stops. */
function webRequest(engine: Engine, request: FastifyRequest, reply: FastifyReply, ended: AbortSignal): Request {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && /^(accept|content-type|mcp-[\w-]+)$/.test(name)) headers.set(name, value)
  }
  const signal = AbortSignal.any([gone.signal, ended])
  return new Request(`${engine.rootOf(request)}${resourcePath}`, { method: 'POST', headers, signal })
}

async function send(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  reply.code(answer.status).headers({ 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' })
  for (const name of ['content-type', 'allow']) {
    const value = answer.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  if (answer.body === null) return reply.send()
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true
  // The types of the standard and of Node.js describe the same object.
  return reply.send(isStream ? Readable.fromWeb(answer.body as ReadableStream) : await answer.text())
}
