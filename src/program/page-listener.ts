import fastify, { type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify'
import { maximumFormBytes } from '../auth/pages/form.ts'
import type { Config } from '../config/config.ts'
import { connectionOptions, guardConnections } from '../rest/connections.ts'
import { languageOf } from '../rest/language.ts'
import { ApiError, statusOf } from '../rest/problems.ts'
import { readBody } from '../rest/read-body.ts'
import { explainListening, urlOf } from './listen.ts'
import type { Log } from './log.ts'
import type { PublicPages } from './public-pages.ts'

export type PageListening = NonNullable<Config['statusPages']>

interface PageListenerParts {
  readonly config: Pick<Config, 'host' | 'trustedProxies'>
  readonly listening: PageListening
  readonly pages: PublicPages
  readonly log: Log
}

/** The status pages and badges on a port of their own, where nothing else is: no API, no console, no login. */
export async function startPageListener({ config, listening, pages, log }: PageListenerParts) {
  const loggerInstance: FastifyBaseLogger = log
  const server = fastify({
    loggerInstance,
    logController: new fastify.LogController({ disableRequestLogging: true }),
    bodyLimit: maximumFormBytes,
    rewriteUrl: ({ url = '/', headers }) => pages.rewriteUrl(url, headers.host),
    trustProxy: config.trustedProxies.length === 0 ? false : [...config.trustedProxies],
    routerOptions: { maxParamLength: 256, ignoreTrailingSlash: false },
    ...connectionOptions(),
  })
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', readBody)
  guardConnections(server)
  answerOthers(server)
  pages.serve(server, languageOf)
  const place = { host: config.host, port: listening.port }
  try {
    await server.listen(place)
  } catch (error) {
    await server.close()
    throw explainListening(error, place, { host: 'HOST', port: 'STATUS_PAGE_PORT' })
  }
  const address = server.server.address()
  const port = address !== null && typeof address === 'object' ? address.port : listening.port
  return { url: urlOf({ host: config.host, port }), stop: () => server.close() }
}

function answerOthers(server: FastifyInstance): void {
  server.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain; charset=utf-8').send('not found\n'))
  server.setErrorHandler((error: FastifyError | ApiError, request, reply) => {
    const stated = error instanceof ApiError ? statusOf(error.problems) : error.statusCode
    const status = stated !== undefined && stated < 500 ? stated : 500
    if (status === 500) request.log.error({ err: error }, 'a status page could not be served')
    return reply.code(status).type('text/plain; charset=utf-8').send(`${status}\n`)
  })
}

/** On the port of the API the addresses of pages lead to their own port. */
export function leadToPages(server: FastifyInstance, pagesUrl: string): void {
  for (const path of ['/status/:slug', '/status/:slug/*', '/badges/:file', '/accountability', '/accountability.json']) {
    server.get(path, (request, reply) => reply.redirect(`${pagesUrl}${request.url}`, 308))
  }
}
