import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PagesContext } from './context.ts'
import { endSession } from './end-session.ts'
import { consoleDirectory, documentOf, firstFiles } from './files.ts'
import { loginAddress } from './login.ts'
import { endAtProvider } from './oidc.ts'
import { consoleSections, sharedWallboardPath } from './paths.ts'
import { keepSession, sessionToken } from './session-cookie.ts'

/**
 * Everything comes from this server, only built scripts run, and no frame embeds the page. Pictures of checks are shown
 * from memory.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  // The worker that shows notifications is the only script loaded by its address, and the frame of a preview, where
  // none runs, the only place for a document of the server.
  'trusted-types push-worker status-page-preview',
].join('; ')

const headers = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

type SessionOptions = Pick<PagesContext, 'isSecure' | 'prefix' | 'oidc' | 'rootOf'>

export interface ApplicationOptions extends SessionOptions {
  /** Default: the built console. */
  readonly directory?: string
}

/** The console: one document for all its paths, its files, and the token of the logged-in user. */
export async function addApplication(
  server: FastifyInstance,
  { directory = consoleDirectory(), ...context }: ApplicationOptions,
): Promise<void> {
  const { prefix, isSecure } = context
  const first = firstFiles(directory)
  const sendDocument = (request: FastifyRequest, reply: FastifyReply) => {
    if (first === null) return reply.code(503).type('text/plain').send('The console is not built: npm run build\n')
    // Browsers report an error about this header without TLS.
    const opener = isSecure(request) ? { 'Cross-Origin-Opener-Policy': 'same-origin' } : {}
    return reply.headers({ ...headers, ...opener }).send(documentOf(first, prefix))
  }
  const show = (request: FastifyRequest, reply: FastifyReply) =>
    sessionToken(request) === null && first !== null
      ? reply.redirect(prefix + loginAddress(request.url), 303)
      : sendDocument(request, reply)
  server.get('/', show)
  // A wallboard's link needs no login: the page gets its content with the link's token.
  server.get(sharedWallboardPath, (request, reply) => sendDocument(request, reply))
  for (const section of consoleSections) {
    server.get(`/${section}`, show)
    server.get(`/${section}/*`, show)
  }
  addSession(server, context)
  if (first === null) return
  await server.register(fastifyStatic, {
    root: directory,
    prefix: '/console/',
    preCompressed: true,
    immutable: true,
    maxAge: '1y',
    index: false,
    decorateReply: false,
    allowedPath: (path) => !path.endsWith('.json'),
  })
}

/** The token of the logged-in user, and the way out. */
function addSession(server: FastifyInstance, context: SessionOptions): void {
  server.get('/console/session', (request, reply) =>
    isOurs(request)
      ? reply.headers({ 'Cache-Control': 'no-store', Vary: 'Cookie' }).send({ token: sessionToken(request) })
      : refuse(reply),
  )
  server.delete('/console/session', async (request, reply) => {
    if (!isOurs(request)) return refuse(reply)
    await endSession(server, request)
    keepSession(reply, null, context.isSecure(request))
    const next = await endAtProvider(context, request, reply)
    return reply
      .headers(next === null ? {} : { 'Latarnik-Continue': next })
      .code(204)
      .send()
  })
}

/** True if our own page asks. Other sites can neither send this header nor read the answer. */
function isOurs({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return headers['x-latarnik-console'] === '1' && (site === undefined || site === 'same-origin')
}

function refuse(reply: FastifyReply): FastifyReply {
  return reply.code(403).send({ error: 'not_from_the_console' })
}
