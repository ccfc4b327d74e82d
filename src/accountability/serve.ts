import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Language } from '../wording/language.ts'
import { KeptFigures, type KeptFiguresParts } from './kept-figures.ts'
import { accountabilityData, accountabilityPage, accountabilityPolicy, unavailablePage } from './page.ts'

export interface AccountabilityOptions extends KeptFiguresParts {
  readonly languageOf: (request: FastifyRequest) => Language
}

const headers = {
  'Content-Security-Policy': accountabilityPolicy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
}
/** Seconds after which a visitor may try again. */
const pause = '60'

/** `/accountability` for people and `/accountability.json` for programs, open to everyone. */
export function serveAccountability(server: FastifyInstance, options: AccountabilityOptions): void {
  const kept = new KeptFigures(options)
  server.get('/accountability', async (request, reply) => {
    const language = options.languageOf(request)
    reply.headers(headers).type('text/html; charset=utf-8')
    const shown = await kept.find()
    if (shown === null) return missing(reply, unavailablePage(language))
    reply.header('Vary', 'Accept-Language')
    return send(request, reply, accountabilityPage(shown, kept.isStale(shown), language))
  })
  server.get('/accountability.json', async (request, reply) => {
    reply.headers({ ...headers, 'Access-Control-Allow-Origin': '*' }).type('application/json; charset=utf-8')
    const shown = await kept.find()
    return shown === null ? missing(reply, '{}\n') : send(request, reply, accountabilityData(shown))
  })
}

function missing(reply: FastifyReply, body: string): FastifyReply {
  return reply.code(503).headers({ 'Retry-After': pause, 'Cache-Control': 'no-store' }).send(body)
}

function send(request: FastifyRequest, reply: FastifyReply, body: string): FastifyReply {
  const tag = `W/"${createHash('sha1').update(body).digest('base64url')}"`
  reply.headers({ ETag: tag, 'Cache-Control': 'public, max-age=60' })
  return request.headers['if-none-match'] === tag ? reply.code(304).send() : reply.send(body)
}
