import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { accountOf, type Identity, type Unproven } from '../auth/oidc/identities.ts'
import type { PendingLogin } from '../auth/oidc/provider.ts'
import { withoutPort } from '../domain/access/network.ts'
import { ruleFor } from '../domain/access/oidc-rules.ts'
import type { PagesContext } from './context.ts'
import { addProof, askForProof } from './oidc-proof.ts'
import {
  cookieOf,
  keep,
  keepLogin,
  keepProvider,
  loggedInCookie,
  type OidcContext,
  originOf,
  root,
  sendProblems,
  sendRefusal,
  setCookie,
} from './oidc-replies.ts'
import { destinationOf } from './paths.ts'
import { askForSecondStep } from './second-step.ts'

/** The login through an identity provider (OpenID Connect Core 1.0, Authorization Code Flow with PKCE). */

const journeyCookie = 'latarnik_oidc'

function journeyOf(request: FastifyRequest): PendingLogin | null {
  const written = cookieOf(request, journeyCookie)
  if (written === null) return null
  try {
    const { state, nonce, verifier, to } = JSON.parse(
      Buffer.from(written, 'base64url').toString(),
    ) as Partial<PendingLogin>
    const isWhole = [state, nonce, verifier, to].every((part) => typeof part === 'string')
    return isWhole ? { state: `${state}`, nonce: `${nonce}`, verifier: `${verifier}`, to: `${to}` } : null
  } catch {
    // A cookie that is not ours is none.
    return null
  }
}

/** True after too many failures of the address. Successful logins do not count: an office may share an address. */
async function isTooMany(
  { authenticator }: OidcContext,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const refusal = await authenticator.admitIdentity(withoutPort(request.ip), false)
  if (refusal === null) return false
  reply.header('Retry-After', String(refusal.retryAfterSeconds ?? 60)).code(429)
  return true
}

async function begin(context: OidcContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { to } = request.query as { to?: unknown }
  try {
    const callback = `${context.rootOf(request)}${root}/callback`
    const { url, journey } = await context.oidc.provider.begin(callback, typeof to === 'string' ? to.slice(0, 500) : '')
    keep(context, request, reply, [journeyCookie, Buffer.from(JSON.stringify(journey)).toString('base64url')])
    return reply.header('Cache-Control', 'no-store').redirect(url, 303)
  } catch (error) {
    request.log.warn({ err: error }, 'the identity provider does not answer')
    return sendRefusal(context, request, reply, 'oidc_away')
  }
}

async function identityOf(
  context: OidcContext,
  request: FastifyRequest,
  journey: PendingLogin,
): Promise<Identity | null> {
  try {
    const [, query = ''] = request.url.split('?')
    return await context.oidc.provider.finish(`${context.rootOf(request)}${root}/callback?${query}`, journey)
  } catch (error) {
    request.log.warn({ err: error }, 'a login through the identity provider failed')
    await context.authenticator.admitIdentity(withoutPort(request.ip), true)
    return null
  }
}

/** Anybody may write the address of somebody else, so none of several accounts is chosen. The operator links one. */
function refuseSeveral(
  context: OidcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { issuer, subject }: Identity,
): FastifyReply {
  request.log.warn({ issuer, subject }, 'several accounts have the address of an identity; the operator links one')
  return sendRefusal(context, request, reply, 'oidc_several', { subject })
}

async function finish(context: OidcContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  if (await isTooMany(context, request, reply)) return reply.type('text/plain').send('429\n')
  const journey = journeyOf(request)
  keep(context, request, reply, [journeyCookie, null])
  const identity = journey === null ? null : await identityOf(context, request, journey)
  if (journey === null || identity === null) return sendRefusal(context, request, reply, 'oidc_failed')
  const rule = ruleFor(context.oidc.rules, identity.claims)
  const { subject } = identity
  if (rule === null) return sendRefusal(context, request, reply, 'oidc_unknown', { subject })
  const { defaults, clock } = context.oidc
  const origin = originOf(request)
  const linking = { rule, defaults, ipAddress: origin.ipAddress, now: clock.now() }
  const unproven: Unproven[] = []
  let isSeveral = false
  const outcome = await context.authenticator.logInByIdentity({
    ...origin,
    async accountOf(transaction) {
      const found = await accountOf(transaction, identity, linking)
      if (found === null || typeof found === 'number') return found
      if (found === 'several') isSeveral = true
      else unproven.push(found)
      return null
    },
  })
  const [proof] = unproven
  if (proof !== undefined) return askForProof(context, request, reply, { ...proof, to: destinationOf(journey.to) })
  if (outcome === null && isSeveral) return refuseSeveral(context, request, reply, identity)
  if (outcome === null) return sendRefusal(context, request, reply, 'oidc_unknown', { subject })
  if ('problems' in outcome) return sendProblems(context, request, reply, outcome.problems)
  reply.header('Cache-Control', 'no-store')
  if (outcome.isVerified) {
    keepLogin(context, request, reply, outcome.session.token)
    return reply.redirect(context.prefix + destinationOf(journey.to), 303)
  }
  keepProvider(context, request, reply)
  return askForSecondStep(context, request, reply, { token: outcome.session.token, to: journey.to })
}

/**
 * The page at the provider that ends the login there; null for who logged in otherwise, and while the provider does not
 * answer. The browser goes there when it has logged out here.
 */
export async function endAtProvider(
  { oidc, prefix, isSecure, rootOf }: Pick<PagesContext, 'oidc' | 'prefix' | 'isSecure' | 'rootOf'>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | null> {
  if (oidc === null || cookieOf(request, loggedInCookie) === null) return null
  setCookie(reply, { name: loggedInCookie, value: '', path: `${prefix}/`, life: 0, isSecure: isSecure(request) })
  try {
    return await oidc.provider.end(`${rootOf(request)}/login`)
  } catch (error) {
    request.log.warn({ err: error }, 'the identity provider does not answer')
    return null
  }
}

/** The pages under `/auth/oidc`. */
export function addOidc(server: FastifyInstance, context: OidcContext): void {
  server.get(`${root}/login`, (request, reply) => begin(context, request, reply))
  server.get(`${root}/callback`, (request, reply) => finish(context, request, reply))
  addProof(server, context)
}
