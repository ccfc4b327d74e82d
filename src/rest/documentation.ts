import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { documentationReturnPath } from '../domain/access/oauth-client.ts'
import type { Language } from '../wording/language.ts'
import { documentationPage, pageStyle, returnPage, startScript } from './documentation-page.ts'
import { exampleBaseUrl } from './guide.ts'
import { languageOf } from './language.ts'

/** Where people read what the interface offers. */
/** Where all operations of the API are. */
export const basePath = '/v3'
export const documentationPath = `${basePath}/public/doc/`

const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The reader's files come with the program, so that the page works offline. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'oauth2-redirect.js', 'favicon-32x32.png'] as const

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

const pageHeaders = {
  'Content-Security-Policy': policy,
  'Content-Type': 'text/html; charset=utf-8',
  // The page that people come back to from logging in has a token behind its address.
  'Referrer-Policy': 'same-origin',
}
const descriptionHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Language',
}

type Describe = (language: Language) => Promise<string>

export interface DocumentationOptions {
  /** The OpenAPI document as JSON. */
  readonly describe: Describe
  /** Where the client of a request reaches the API, `/v3` included. */
  readonly baseUrlOf: (request: FastifyRequest) => string
}

/** A base URL that is text alone, whatever a client has sent as its host. */
const plainUrl = /^https?:\/\/[\w.:[\]/~-]+$/

/**
 * Each language's description is kept once it was asked for. Its examples call the server that was asked, not the one
 * that the stored document names.
 */
function descriptions(describe: Describe): (language: Language, baseUrl: string) => Promise<Buffer> {
  const known = new Map<Language, readonly Buffer[]>()
  return async (language, baseUrl) => {
    const parts = known.get(language) ?? partsOf(await describe(language))
    known.set(language, parts)
    const url = Buffer.from(plainUrl.test(baseUrl) ? baseUrl : exampleBaseUrl)
    return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [url, part])))
  }
}

/** The parts between the places of the base URL. They are bytes, so an answer costs only copying them. */
function partsOf(description: string): readonly Buffer[] {
  return description.split(exampleBaseUrl).map((part) => Buffer.from(part))
}

/** Serves the OpenAPI document at `/v3/public/swagger.json` and a reader for it at `/v3/public/doc/`. */
export async function serveDocumentation(
  server: FastifyInstance,
  { describe, baseUrlOf }: DocumentationOptions,
): Promise<void> {
  const describedIn = descriptions(describe)
  await server.register(fastifyStatic, { root, serve: false })
  server.get('/v3/public/swagger.json', async (request, reply) =>
    reply.headers(descriptionHeaders).send(await describedIn(languageOf(request), baseUrlOf(request))),
  )
  for (const near of ['/v3', '/v3/', '/v3/public/doc']) {
    server.get(near, (_request, reply) => reply.redirect(documentationPath))
  }
  server.get(documentationPath, (request, reply) =>
    reply.headers({ ...pageHeaders, Vary: 'Accept-Language' }).send(documentationPage(languageOf(request))),
  )
  // Its address holds what was granted: it is kept nowhere and goes nowhere.
  server.get(documentationReturnPath, (_request, reply) =>
    reply.headers({ ...pageHeaders, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).send(returnPage),
  )
  server.get(`${documentationPath}start.js`, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript),
  )
  server.get(`${documentationPath}page.css`, (_request, reply) => reply.type('text/css; charset=utf-8').send(pageStyle))
  for (const file of files) server.get(`${documentationPath}${file}`, (_request, reply) => reply.sendFile(file))
}
