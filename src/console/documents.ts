import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PagesContext } from './context.ts'
import { packageDirectory } from './files.ts'

/** Pages are documents: their one script and style come from this server, and they send nothing. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
}

export interface DocumentsOptions extends Pick<PagesContext, 'prefix' | 'languageOf'> {
  /** Default: the built site. */
  readonly directory?: string
}

/** Files named by their content never change; the others are asked for again with their ETag. */
function cacheFor(request: FastifyRequest): string {
  return request.url.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
}

/** The page of unknown addresses, made for `/docs/` without a prefix. Null: the site is not built. */
function readNotFound(directory: string, prefix: string): string | null {
  const path = join(directory, '404.html')
  return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('"/docs/', `"${prefix}/docs/`) : null
}

/** The documents as a site at `/docs/`, open to everyone. `/docs` leads to the reader's language. */
export async function addDocuments(
  server: FastifyInstance,
  { prefix, languageOf, directory = join(packageDirectory(), 'dist/docs') }: DocumentsOptions,
): Promise<void> {
  const notFound = readNotFound(directory, prefix)
  server.get('/docs', (request, reply) =>
    reply
      .headers({ 'Cache-Control': 'no-cache', Vary: 'Accept-Language' })
      .redirect(`${prefix}/docs/${languageOf(request) === 'pl' ? 'pl/' : ''}`, 302),
  )
  await server.register(
    async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        reply.headers({ ...headers, 'Cache-Control': cacheFor(request) })
      })
      scope.setNotFoundHandler((_request, reply) => sendNotFound(reply, notFound))
      if (notFound === null) return
      await scope.register(fastifyStatic, {
        root: directory,
        preCompressed: true,
        cacheControl: false,
        decorateReply: false,
      })
    },
    { prefix: '/docs' },
  )
}

function sendNotFound(reply: FastifyReply, page: string | null): FastifyReply {
  if (page === null) {
    return reply.code(503).type('text/plain').send('The documentation is not built: npm run build\n')
  }
  return reply.code(404).header('Cache-Control', 'no-cache').type('text/html; charset=utf-8').send(page)
}
