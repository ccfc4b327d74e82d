import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keyScopes } from '../../domain/key-scopes.ts'
import type { OAuthContext } from '../pages/context.ts'
import { maximumFormBytes, readForm } from '../pages/form.ts'
import { answerClientCredentials } from './client-credentials.ts'
import { exchangeCode } from './codes.ts'

/**
 * `POST /oauth/token` exchanges a code and its verifier for a session (public clients; RFC 6749, 4.1.3; RFC 7636), or
 * an API key for an access token (4.4).
 */
export function addTokenRoutes(server: FastifyInstance, context: OAuthContext): void {
  const url = '/oauth/token'
  server.post(url, { bodyLimit: maximumFormBytes }, async (request, reply) => {
    const form = readForm(request)
    const grants = form?.getAll('grant_type') ?? []
    if (form !== null && grants.length === 1 && grants[0] === 'client_credentials') {
      return answerClientCredentials(context, request, reply, form)
    }
    const required = ['grant_type', 'code', 'redirect_uri', 'client_id', 'code_verifier']
    if (form === null || required.some((name) => form.getAll(name).length !== 1))
      return refuse(reply, 'invalid_request')
    const value = (name: string) => form.get(name) ?? ''
    if (value('grant_type') !== 'authorization_code') return refuse(reply, 'unsupported_grant_type')
    const session = await exchangeCode(context.database, {
      code: value('code'),
      clientId: value('client_id'),
      redirectUri: value('redirect_uri'),
      codeVerifier: value('code_verifier'),
      userAgent: request.headers['user-agent'] ?? '',
      now: context.clock.now(),
    })
    if (session === null) return refuse(reply, 'invalid_grant')
    const { token, expiration_duration: seconds } = session
    return sendJson(reply.code(200), { access_token: token, token_type: 'Bearer', expires_in: seconds })
  })
  server.options(url, (_request, reply) => reply.code(204).header('Allow', 'POST, OPTIONS').send())
}

function refuse(reply: FastifyReply, error: string): FastifyReply {
  return sendJson(reply.code(400), { error })
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  return reply.headers(headers).send(JSON.stringify(body))
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414). */
export function addMetadataRoute(server: FastifyInstance, rootOf: (request: FastifyRequest) => string): void {
  server.get('/.well-known/oauth-authorization-server', async (request, reply) => {
    const issuer = rootOf(request)
    return reply.header('Content-Type', 'application/json').send(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        response_types_supported: ['code', 'token'],
        response_modes_supported: ['query', 'fragment'],
        grant_types_supported: ['authorization_code', 'implicit', 'client_credentials'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
        scopes_supported: keyScopes,
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
        ui_locales_supported: ['pl', 'en'],
        service_documentation: `${issuer}/v3/public/doc/`,
      }),
    )
  })
}
