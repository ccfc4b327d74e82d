import type { FastifyReply, FastifyRequest } from 'fastify'
import { type KeyScope, keyScopes } from '../../domain/access/key-scopes.ts'
import { withoutPort } from '../../domain/access/network.ts'
import { isKey, issueToken, prefixOf, type UsedKey, useKey } from '../api-keys.ts'
import { obstaclesOf } from '../attempts.ts'
import { readAuthorization } from '../authorization-header.ts'
import type { OAuthContext } from '../pages/context.ts'

/** A program exchanges its API key for a short-lived access token (RFC 6749, section 4.4). */

interface Client {
  readonly id: string
  readonly secret: string
  readonly isInHeader: boolean
}

/** Null: no credentials, or two sets of them. Header values are form-encoded (section 2.3.1). */
function clientOf(request: FastifyRequest, form: URLSearchParams): Client | null {
  const sent = readAuthorization(request.headers.authorization)
  const [ids, secrets] = [form.getAll('client_id'), form.getAll('client_secret')]
  if (sent?.scheme === 'basic') {
    const id = decoded(sent.username)
    const isTwice = secrets.length > 0 || ids.some((other) => other !== id)
    return isTwice ? null : { id, secret: decoded(sent.password), isInHeader: true }
  }
  const [id, secret] = [ids[0], secrets[0]]
  if (id === undefined || secret === undefined || ids.length > 1 || secrets.length > 1) return null
  return { id, secret, isInHeader: false }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** The key is the secret; its identifier or its first characters are the client. */
async function usedKeyOf(context: OAuthContext, client: Client, ipAddress: string): Promise<UsedKey | null> {
  if (!isKey(client.secret)) return null
  const used = await useKey(context.database, client.secret, context.clock.now())
  if (used === undefined || used.isExpired || obstaclesOf(used.login, ipAddress).length > 0) return null
  return [String(used.key.id), prefixOf(client.secret)].includes(client.id) ? used : null
}

/** The wanted scopes; all of the key without a wish, null if the key lacks one. */
function scopesOf(form: URLSearchParams, { key }: UsedKey): readonly KeyScope[] | null {
  const wanted = (form.get('scope') ?? '').split(' ').filter((name) => name !== '')
  const found = keyScopes.filter((scope) => wanted.includes(scope) && key.scopes.includes(scope))
  if (wanted.length === 0) return key.scopes
  return found.length === new Set(wanted).size ? found : null
}

function sendJson(reply: FastifyReply, status: number, body: object): FastifyReply {
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', Pragma: 'no-cache' }
  return reply.code(status).headers(headers).send(JSON.stringify(body))
}

function refuseClient(reply: FastifyReply): FastifyReply {
  reply.header('WWW-Authenticate', 'Basic realm="Latarnik"')
  return sendJson(reply, 401, { error: 'invalid_client' })
}

/** Answers `grant_type=client_credentials`. */
export async function answerClientCredentials(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  form: URLSearchParams,
): Promise<FastifyReply> {
  const client = clientOf(request, form)
  if (client === null || form.getAll('scope').length > 1) {
    const isMissing = request.headers.authorization === undefined && form.get('client_secret') === null
    return isMissing ? refuseClient(reply) : sendJson(reply, 400, { error: 'invalid_request' })
  }
  const used = await usedKeyOf(context, client, withoutPort(request.ip))
  if (used === null) return refuseClient(reply)
  const scopes = scopesOf(form, used)
  if (scopes === null) return sendJson(reply, 400, { error: 'invalid_scope' })
  const {
    token,
    scopes: granted,
    expiresInSeconds,
  } = await issueToken(context.database, used, scopes, context.clock.now())
  return sendJson(reply, 200, {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    scope: granted.join(' '),
  })
}
