import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../auth/authenticate.ts'
import type { Login } from '../auth/callers.ts'
import { proveAccount, type Unproven } from '../auth/oidc/identities.ts'
import { formToken, isOwnForm, maximumFormBytes, readForm } from '../auth/pages/form.ts'
import {
  canUsePasskeys,
  hasResponse,
  passkeyForm,
  passkeyOrigin,
  responseIn,
  sendLoginOptions,
} from '../auth/pages/passkey-form.ts'
import { createSession } from '../auth/sessions.ts'
import { expirationDuration } from '../domain/access/credentials.ts'
import { html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { pageText, problemText } from '../wording/texts.ts'
import { sendPage } from './context.ts'
import { cookieOf, keep, keepLogin, type OidcContext, originOf, root, sendRefusal } from './oidc-replies.ts'
import { destinationOf } from './paths.ts'

/** The password or a passkey of an account, before the identity of a provider is linked with it for the first time. */

const proofCookie = 'latarnik_oidc_proof'

interface Shown {
  readonly username: string
  readonly to: string
}

/** Leads to the form. The browser keeps the secret that the link waits for. */
export function askForProof(
  context: OidcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, username, to }: Unproven & Shown,
): FastifyReply {
  keep(context, request, reply, [proofCookie, token])
  const query = new URLSearchParams({ username, to })
  return reply.header('Cache-Control', 'no-store').redirect(`${context.prefix}${root}/proof?${query}`, 303)
}

function sendForm(
  context: OidcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { username, to, problem }: Shown & { readonly problem: string | null },
): FastifyReply {
  const language = context.languageOf(request)
  const token = formToken(request, reply, context.isSecure(request))
  const action = `${context.prefix}${root}/proof`
  const hasPasskeys = canUsePasskeys(context, request)
  const hidden = [['username', username] as const, ['to', to] as const, ['form_token', token] as const]
  return sendPage(reply, reply.statusCode, {
    language,
    title: pageText('oidc_proof_title', language),
    script: hasPasskeys ? context.passkeyScript : null,
    content: html`
<p>${pageText('oidc_proof_intro', language, { provider: context.oidc.name })}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="${action}">
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="form_token" value="${token}">
<label for="username">${pageText('username', language)}</label>
<input id="username" name="username" value="${username}" autocomplete="username" readonly>
<label for="password">${pageText('password', language)}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required autofocus>
<label for="code">${pageText('oidc_proof_code', language)}</label>
<input id="code" name="code" autocomplete="one-time-code">
<div class="actions"><button type="submit">${pageText('log_in', language)}</button></div>
</form>
${hasPasskeys ? passkeyForm({ language, action, hidden, isFurther: true }) : null}`,
  })
}

type Transaction = Parameters<typeof proveAccount>[0]

/** The session of the account whose proof is right, and which the link waits for; null: it waits for another. */
function provenSession(context: OidcContext, request: FastifyRequest, form: URLSearchParams) {
  const { authenticator, oidc } = context
  const origin = originOf(request)
  const { ipAddress, userAgent } = origin
  const token = cookieOf(request, proofCookie) ?? ''
  const now = oidc.clock.now()
  const make = async (transaction: Transaction, login: Login, isVerified: boolean) => {
    const isProven =
      login.scope === 'customer' &&
      (await proveAccount(transaction, { token, accountId: login.account_id, ipAddress, now }))
    const expirationDurationSeconds = expirationDuration.default
    return isProven
      ? createSession(transaction, { login, isVerified, userAgent, expirationDurationSeconds, now })
      : null
  }
  if (hasResponse(form)) {
    const answer = { ...passkeyOrigin(context, request), response: responseIn(form) }
    return authenticator.passkeys.grant(answer, (transaction, login) => make(transaction, login, true))
  }
  const [username, password, code] = ['username', 'password', 'code'].map((name) => form.get(name) ?? '')
  const attempt = { username: username ?? '', password: password ?? '', code: code?.trim() || undefined }
  return authenticator.grant({ ...origin, ...attempt, method: 'session' }, (transaction, { login, isVerified }) =>
    make(transaction, login, isVerified),
  )
}

/** Why the proof failed; of a passkey in words of its own. */
function reasonOf({ problems }: Refusal, isByPasskey: boolean, language: Language): string {
  if (isByPasskey && problems.every(({ error }) => error === 'incorrect_credentials')) {
    return pageText('passkey_failed', language)
  }
  return problems.map(({ error, facts }) => problemText(error, language, facts)).join(' ')
}

async function takeProof(context: OidcContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(request) ?? new URLSearchParams()
  const language = context.languageOf(request)
  const shown = { username: form.get('username') ?? '', to: form.get('to') ?? '' }
  if (!isOwnForm(request, form))
    return sendForm(context, request, reply.code(403), { ...shown, problem: pageText('form_is_stale', language) })
  if (cookieOf(request, proofCookie) === null) return sendRefusal(context, request, reply, 'oidc_failed')
  const outcome = await provenSession(context, request, form)
  if ('problems' in outcome) {
    const { retryAfterSeconds } = outcome
    if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
    const problem = reasonOf(outcome, hasResponse(form), language)
    return sendForm(context, request, reply.code(retryAfterSeconds === undefined ? 422 : 429), { ...shown, problem })
  }
  keep(context, request, reply, [proofCookie, null])
  if (outcome.granted === null) return sendRefusal(context, request, reply, 'oidc_failed')
  keepLogin(context, request, reply, outcome.granted.token)
  return reply.header('Cache-Control', 'no-store').redirect(context.prefix + destinationOf(shown.to), 303)
}

/** `GET` and `POST /auth/oidc/proof`, and the challenge of a passkey. */
export function addProof(server: FastifyInstance, context: OidcContext): void {
  server.get(`${root}/proof`, (request, reply) => {
    if (cookieOf(request, proofCookie) === null) return sendRefusal(context, request, reply, 'oidc_failed')
    const { username, to } = request.query as { username?: unknown; to?: unknown }
    const [name, destination] = [username, to].map((given) => (typeof given === 'string' ? given : ''))
    return sendForm(context, request, reply, { username: name ?? '', to: destination ?? '', problem: null })
  })
  server.post(`${root}/proof`, { bodyLimit: maximumFormBytes }, (request, reply) => takeProof(context, request, reply))
  server.post(`${root}/proof/options`, { bodyLimit: maximumFormBytes }, (request, reply) =>
    sendLoginOptions(context, request, reply),
  )
}
