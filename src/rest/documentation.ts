import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { documentationClientId, documentationReturnPath } from '../domain/oauth-client.ts'

/** Where people read what the interface offers. */
export const documentationPath = '/v3/public/doc/'

const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The reader's files come with the program, so that the page works offline. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'oauth2-redirect.js', 'favicon-32x32.png'] as const

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Latarnik API</title>
<link rel="icon" href="./favicon-32x32.png">
<link rel="stylesheet" href="./swagger-ui.css">
<link rel="stylesheet" href="./page.css">
</head>
<body>
<noscript>The interactive documentation needs JavaScript; the description itself is at <a href="../swagger.json">swagger.json</a>.</noscript>
<main id="reader"></main>
<script src="./swagger-ui-bundle.js"></script>
<script src="./start.js"></script>
</body>
</html>
`

/** Follows the reader's light or dark; logs in by the same form as any other application. */
const start = `(function () {
  const dark = window.matchMedia('(prefers-color-scheme: dark)')
  const paint = function () { document.documentElement.classList.toggle('dark-mode', dark.matches) }
  paint()
  dark.addEventListener('change', paint)
  window.onload = function () {
    const reader = SwaggerUIBundle({
      url: '../swagger.json', dom_id: '#reader', deepLinking: true, filter: true,
      docExpansion: 'none', tryItOutEnabled: true, persistAuthorization: false, validatorUrl: null,
    })
    reader.initOAuth({ clientId: '${documentationClientId}', usePkceWithAuthorizationCodeGrant: true })
  }
})()
`

const returned = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Latarnik API</title></head>
<body><script src="./oauth2-redirect.js"></script></body>
</html>
`

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** What the reader's own style leaves undone: logging in stays in reach, chapters open, the keyboard's place shows, phones do not scroll sideways. */
const style = `body { margin: 0; }
html.dark-mode body { background: #1c2022; }
.swagger-ui > div { display: flex; flex-direction: column; }
.swagger-ui .scheme-container { order: -1; position: sticky; top: 0; z-index: 2; margin: 0; padding: .75rem 0; }
.swagger-ui .info { margin: 1.5rem 0; overflow-wrap: anywhere; }
.swagger-ui .info table { display: block; overflow-x: auto; }
.swagger-ui .info pre { overflow-x: auto; }
.swagger-ui details { margin: .5rem 0; }
.swagger-ui summary { font-size: 1rem; font-weight: 600; cursor: pointer; }
.swagger-ui .btn.authorize { color: #14724a; border-color: #14724a; }
.swagger-ui .btn.authorize svg { fill: #14724a; }
html.dark-mode .swagger-ui .btn.authorize { color: #5fd6a0; border-color: #5fd6a0; }
html.dark-mode .swagger-ui .btn.authorize svg { fill: #5fd6a0; }
@media (max-width: 40rem) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; font-size: 1.125rem; overflow-wrap: anywhere; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 0; }
}
.swagger-ui :focus-visible { outline: 3px solid #2f7fb0; outline-offset: 2px; }
`

const pageHeaders = {
  'Content-Security-Policy': policy,
  'Content-Type': 'text/html; charset=utf-8',
  // The page that people come back to from logging in has a token behind its address.
  'Referrer-Policy': 'same-origin',
}

/** Serves the OpenAPI document at `/v3/public/swagger.json` and a reader for it at `/v3/public/doc/`. */
export async function serveDocumentation(server: FastifyInstance, document: unknown): Promise<void> {
  const json = Buffer.from(JSON.stringify(document))
  await server.register(fastifyStatic, { root, serve: false })
  server.get('/v3/public/swagger.json', (_request, reply) =>
    reply.header('Content-Type', 'application/json').header('Cache-Control', 'no-cache').send(json),
  )
  for (const near of ['/', '/v3', '/v3/', '/v3/public/doc']) {
    server.get(near, (_request, reply) => reply.redirect(documentationPath))
  }
  server.get(documentationPath, (_request, reply) => reply.headers(pageHeaders).send(page))
  // Its address holds what was granted: it is kept nowhere and goes nowhere.
  server.get(documentationReturnPath, (_request, reply) =>
    reply.headers({ ...pageHeaders, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }).send(returned),
  )
  server.get(`${documentationPath}start.js`, (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(start),
  )
  server.get(`${documentationPath}page.css`, (_request, reply) => reply.type('text/css; charset=utf-8').send(style))
  for (const file of files) server.get(`${documentationPath}${file}`, (_request, reply) => reply.sendFile(file))
}
