import type { FastifyInstance } from 'fastify'
import type { Registry } from '../rest/declare.ts'
import { modelOf } from './model.ts'
import { configurationSchema } from './schema.ts'

/** Where editors find the schema of this installation; a line in each exported file names it. */
export const schemaPath = '/v3/public/configuration.schema.json'

/** Made when somebody asks for the first time. */
export function serveSchema(server: FastifyInstance, registry: Registry): void {
  let schema: Buffer | undefined
  server.get(schemaPath, (_request, reply) => {
    schema ??= Buffer.from(JSON.stringify(configurationSchema(modelOf(registry))))
    const headers = { 'Content-Type': 'application/schema+json', 'Cache-Control': 'public, max-age=300' }
    return reply.headers({ ...headers, 'Access-Control-Allow-Origin': '*' }).send(schema)
  })
}
