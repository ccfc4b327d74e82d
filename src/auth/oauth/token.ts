import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assistantPath } from '../../domain/access/assistant-access.ts'
import { keyScopes } from '../../domain/access/key-scopes.ts'
import { withoutPort } from '../../domain/access/network.ts'
import type { OAuthContext } from '../pages/context.ts'
import { maximumFormBytes, readForm } from '../pages/form.ts'
import { type AssistantTokens, refreshAssistantLogin } from './assistant-logins.ts'
import { answerClientCredentials } from './client-credentials.ts'
import { findClient } from './clients.ts'
import { exchangeCode } from './codes.ts'

/**
 * `POST /oauth/token` exchanges a code and its verifier for a session or for tokens of an assistant (public clients;
 * RFC 6749, 4.1.3; RFC 7636), a refresh token for new ones (6), or an API key for an access token (4.4).
 */
export function addTokenRoutes(server: FastifyInstance, context: OAuthContext): void {
  const url = '/oauth/token'
  server.post(url, { bodyLimit: maximumFormBytes }, async (request, reply) => {
    const form = readForm(request)
    const [grant, ...more] = form?.getAll('grant_type') ?? []
    if (form === null || grant === undefined || more.length > 0) return refuse(reply, 'invalid_request')
    if (grant === 'client_credentials') return answerClientCredentials(context, request, reply, form)
    const required = grant === 'refresh_token' ? refreshNeeds : codeNeeds
    if (required.some((name) => form.getAll(name).length !== 1)) return refuse(reply, 'invalid_request')
    const isForeign = form.getAll('resource').some((one) => one !== `${context.rootOf(request)}${assistantPath}`)
    if (isForeign) return refuse(reply, 'invalid_target')
    if (grant === 'authorization_code') return answerCode(context, request, reply, form)
    return grant === 'refresh_token'
      ? answerRefresh(context, request, reply, form)
      : refuse(reply, 'unsupported_grant_type')
  })
  server.options(url, (_request, reply) => reply.code(204).header('Allow', 'POST, OPTIONS').send())
}

const codeNeeds = ['code', 'redirect_uri', 'client_id', 'code_verifier']
const refreshNeeds = ['refresh_token', 'client_id']

async function answerCode(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams,
): Promise<FastifyReply> {
  const { database, clock, clients: configured, assistants } = context
  const value = (name: string) => form.get(name) ?? ''
  const known = { configured, root: context.rootOf(request), assistants }
  const exchanged = await exchangeCode(database, {
    code: value('code'),
    clientId: value('client_id'),
    clientName: (await findClient(database, known, value('client_id')))?.name ?? null,
    redirectUri: value('redirect_uri'),
    codeVerifier: value('code_verifier'),
    userAgent: request.headers['user-agent'] ?? '',
    now: clock.now(),
  })
  if (exchanged === null) return refuse(reply, 'invalid_grant')
  if ('tokens' in exchanged) return sendTokens(reply, exchanged.tokens)
  const { token, expiration_duration: seconds } = exchanged.session
  return sendJson(reply.code(200), { access_token: token, token_type: 'Bearer', expires_in: seconds })
}

async function answerRefresh(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams,
): Promise<FastifyReply> {
  const { database, clock, clients: configured, assistants } = context
  const clientId = form.get('client_id') ?? ''
  const client = await findClient(database, { configured, root: context.rootOf(request), assistants }, clientId)
  if (client === null || assistants === null) return refuse(reply, 'invalid_grant')
  const scope = form.get('scope')
  const refreshed = await refreshAssistantLogin(database, {
    ...{ token: form.get('refresh_token') ?? '', clientId, now: clock.now(), ipAddress: withoutPort(request.ip) },
    scopes: scope?.split(' ').filter((name) => name !== '') ?? null,
  })
  return 'error' in refreshed ? refuse(reply, refreshed.error) : sendTokens(reply, refreshed.tokens)
}

function sendTokens(reply: FastifyReply, tokens: AssistantTokens): FastifyReply {
  return sendJson(reply.code(200), {
    access_token: tokens.token,
    token_type: 'Bearer',
    expires_in: tokens.expiresInSeconds,
    refresh_token: tokens.refreshToken,
    scope: tokens.scopes.join(' '),
  })
}

function refuse(reply: FastifyReply, error: string): FastifyReply {
  return sendJson(reply.code(400), { error })
}

function sendJson(reply: FastifyReply, body: object): FastifyReply {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }
  return reply.headers(headers).send(JSON.stringify(body))
}

/** `GET /.well-known/oauth-authorization-server` (RFC 8414). */
export function addMetadataRoute(server: FastifyInstance, { rootOf, assistants }: OAuthContext): void {
  const registers = assistants !== null && (assistants.isLoopbackAllowed || assistants.hosts.length > 0)
  server.get('/.well-known/oauth-authorization-server', async (request, reply) => {
    const issuer = rootOf(request)
    // Without PUBLIC_URL it is the asker's own Host, so nobody else may be given the answer.
    return reply.headers({ 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).send(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/oauth/authorize`,
        token_endpoint: `${issuer}/oauth/token`,
        ...(registers ? { registration_endpoint: `${issuer}/oauth/register` } : {}),
        response_types_supported: ['code', 'token'],
        response_modes_supported: ['query', 'fragment'],
        grant_types_supported: ['authorization_code', 'implicit', 'client_credentials', 'refresh_token'],
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
