import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isObject } from '../../domain/input/json.ts'
import type { OAuthContext } from '../pages/context.ts'
import { maximumFormBytes } from '../pages/form.ts'
import { registeredClient } from './client-registration.ts'

/** `POST /oauth/register`: clients of assistants register themselves (RFC 7591), as far as the operator allows it. */
export function addRegistrationRoutes(server: FastifyInstance, { assistants }: OAuthContext): void {
  if (assistants === null) return
  const url = '/oauth/register'
  server.post(url, { bodyLimit: maximumFormBytes }, async (request, reply) => {
    reply.headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    const refuse = (error: string, description: string) =>
      reply.code(400).send(JSON.stringify({ error, error_description: description }))
    const wanted = jsonOf(request)
    const addresses = wanted?.['redirect_uris']
    if (wanted === null || !Array.isArray(addresses))
      return refuse('invalid_client_metadata', 'redirect_uris must be a list, in JSON.')
    const client = registeredClient({ name: wanted['client_name'], addresses }, assistants)
    if (client === null)
      return refuse('invalid_redirect_uri', 'The installation allows none of these addresses (OAUTH_REGISTRATION).')
    const { client_id: id, name, redirect_uris: uris } = client
    return reply.code(201).send(
      JSON.stringify({
        ...{ client_id: id, client_name: name, redirect_uris: uris, token_endpoint_auth_method: 'none' },
        ...{ grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
      }),
    )
  })
  server.options(url, (_request, reply) => reply.code(204).header('Allow', 'POST, OPTIONS').send())
}

function jsonOf({ headers, body }: FastifyRequest): Readonly<Record<string, unknown>> | null {
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '') || !Buffer.isBuffer(body)) return null
  try {
    const value: unknown = JSON.parse(body.toString('utf8'))
    return isObject(value) ? value : null
  } catch {
    return null
  }
}
