import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

/** The reader's files come with the program, so that the page works offline. */
const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Latarnik API</title>
<link rel="icon" href="./favicon-32x32.png">
<link rel="stylesheet" href="./swagger-ui.css">
</head>
<body>
<noscript>The interactive documentation needs JavaScript; the description itself is at <a href="../swagger.json">swagger.json</a>.</noscript>
<main id="reader"></main>
<script src="./swagger-ui-bundle.js"></script>
<script src="./start.js"></script>
</body>
</html>
`

const start = `window.onload = function () {
  SwaggerUIBundle({
    url: '../swagger.json', dom_id: '#reader', deepLinking: true, filter: true,
    docExpansion: 'none', tryItOutEnabled: true, persistAuthorization: false, validatorUrl: null,
  })
}
`

const policy =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Serves the OpenAPI document at `/v3/public/swagger.json` and a reader for it at `/v3/public/doc/`. */
export async function serveDocumentation(server: FastifyInstance, document: unknown): Promise<void> {
  const json = Buffer.from(JSON.stringify(document))
  await server.register(fastifyStatic, { root, serve: false })
  server.get('/v3/public/swagger.json', (_request, reply) =>
    reply.header('Content-Type', 'application/json').header('Cache-Control', 'no-cache').send(json),
  )
  server.get('/', (_request, reply) => reply.redirect('/v3/public/doc/'))
  server.get('/v3/public/doc', (_request, reply) => reply.redirect('/v3/public/doc/'))
  server.get('/v3/public/doc/', (_request, reply) =>
    reply.header('Content-Security-Policy', policy).type('text/html; charset=utf-8').send(page),
  )
  server.get('/v3/public/doc/start.js', (_request, reply) => reply.type('text/javascript; charset=utf-8').send(start))
  for (const file of files) server.get(`/v3/public/doc/${file}`, (_request, reply) => reply.sendFile(file))
}
