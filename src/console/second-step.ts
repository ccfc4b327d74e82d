import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../auth/authenticate.ts'
import { formToken, isOwnForm, maximumFormBytes, readForm } from '../auth/pages/form.ts'
import { canUsePasskeys, passkeyForm, passkeyOrigin, responseIn, sendOptions } from '../auth/pages/passkey-form.ts'
import type { Caller } from '../domain/access/caller.ts'
import { html } from '../wording/html.ts'
import { pageText, problemText } from '../wording/texts.ts'
import { type PagesContext, sendPage } from './context.ts'
import { cookieOf, originOf, sendProblems, setCookie } from './oidc-replies.ts'
import { destinationOf } from './paths.ts'
import { keepSession } from './session-cookie.ts'

/** The second factor of a login by password or by an identity provider: a passkey, or a code. */

const path = '/login/second-step'
const waitingCookie = 'latarnik_waiting'
/** Seconds, like the life of a session without its second factor. */
const patience = 300

function keepWaiting(context: PagesContext, request: FastifyRequest, reply: FastifyReply, token: string | null): void {
  const [value, life, isSecure] = [token ?? '', token === null ? 0 : patience, context.isSecure(request)]
  setCookie(reply, { name: waitingCookie, value, path: `${context.prefix}${path}`, life, isSecure })
}

/** Leads from a right password to the page of the second factor; the browser keeps the session that lacks it. */
export function askForSecondStep(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, to }: { readonly token: string; readonly to: string },
): FastifyReply {
  keepWaiting(context, request, reply, token)
  const query = new URLSearchParams({ to: destinationOf(to) })
  return reply.header('Cache-Control', 'no-store').redirect(`${context.prefix}${path}?${query}`, 303)
}

/** The owner of the session that waits; null: it has expired, or there is none. */
async function waitingCaller(context: PagesContext, request: FastifyRequest): Promise<Caller | Refusal | null> {
  const token = cookieOf(request, waitingCookie)
  if (token === null) return null
  const outcome = await context.authenticator.authenticate({
    ...originOf(request),
    authorization: `Bearer ${token}`,
    isUnverifiedAllowed: true,
  })
  if (outcome === null) return null
  return 'caller' in outcome ? outcome.caller : outcome
}

function startAgain({ prefix }: PagesContext, reply: FastifyReply, to: string): FastifyReply {
  return reply.redirect(`${prefix}/login?${new URLSearchParams({ to })}`, 303)
}

/**
 * The caller, or the answer to a browser whose login has not come this far. The answer stands within an object, because
 * a bare reply would be awaited like a promise.
 */
async function admitted(context: PagesContext, request: FastifyRequest, reply: FastifyReply, to: string) {
  const waiting = await waitingCaller(context, request)
  if (waiting !== null && !('problems' in waiting)) return { caller: waiting }
  const isOver =
    waiting === null || waiting.problems.every(({ error }) => /^(session_expired|incorrect_credentials)$/.test(error))
  return { answer: isOver ? startAgain(context, reply, to) : sendProblems(context, request, reply, waiting.problems) }
}

interface Shown {
  readonly to: string
  readonly problem: string | null
}

async function sendForm(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { caller, to, problem }: Shown & { readonly caller: Caller },
): Promise<FastifyReply> {
  const language = context.languageOf(request)
  const token = formToken(request, reply, context.isSecure(request))
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  const hasPasskeys =
    canUsePasskeys(context, request) &&
    (await context.authenticator.passkeys.hasAny(caller.account_id, context.rootOf(request)))
  const action = `${context.prefix}${path}`
  const hidden = [['to', to] as const, ['form_token', token] as const]
  const byPasskey = hasPasskeys ? passkeyForm({ language, action, hidden, isFurther: false }) : null
  return sendPage(reply, reply.statusCode, {
    language,
    title: text('second_step_title'),
    script: hasPasskeys ? context.passkeyScript : null,
    content: html`
<p>${text(hasPasskeys ? 'second_step_passkey' : 'second_step_intro')}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
${byPasskey}
<form method="post" action="${action}">
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="form_token" value="${token}">
<label for="code">${text('code')}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" required autofocus>
<div class="actions"><button type="submit" ${hasPasskeys ? html`class="quiet"` : null}>${text('log_in')}</button></div>
</form>`,
  })
}

async function take(context: PagesContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(request) ?? new URLSearchParams()
  const language = context.languageOf(request)
  const to = form.get('to') ?? ''
  const waiting = await admitted(context, request, reply, to)
  if (waiting.answer !== undefined) return waiting.answer
  const again = (problem: string, status: number) =>
    sendForm(context, request, reply.code(status), { ...waiting, to, problem })
  if (!isOwnForm(request, form)) return again(pageText('form_is_stale', language), 403)
  const { authenticator } = context
  const outcome = form.has('response')
    ? await authenticator.passkeys.complete(waiting.caller, {
        ...passkeyOrigin(context, request),
        response: responseIn(form),
      })
    : await authenticator.verifySession(waiting.caller, form.get('code')?.trim() ?? '', originOf(request))
  if ('problems' in outcome) {
    const { problems, retryAfterSeconds } = outcome
    if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
    const text = problems.map(({ error, facts }) => problemText(error, language, facts)).join(' ')
    return again(text, retryAfterSeconds === undefined ? 422 : 429)
  }
  const wrong = form.has('response') ? pageText('passkey_failed', language) : pageText('wrong_code', language)
  if (!outcome.isRight) return again(wrong, 422)
  keepWaiting(context, request, reply, null)
  keepSession(reply, cookieOf(request, waitingCookie), context.isSecure(request))
  return reply.header('Cache-Control', 'no-store').redirect(context.prefix + destinationOf(to), 303)
}

/** `GET` and `POST /login/second-step`. */
export function addSecondStep(server: FastifyInstance, context: PagesContext): void {
  server.get(path, async (request, reply) => {
    const { to } = request.query as { to?: unknown }
    const destination = typeof to === 'string' ? to : ''
    const waiting = await admitted(context, request, reply, destination)
    if (waiting.answer !== undefined) return waiting.answer
    return sendForm(context, request, reply, { ...waiting, to: destination, problem: null })
  })
  server.post(path, { bodyLimit: maximumFormBytes }, (request, reply) => take(context, request, reply))
  server.post(`${path}/options`, { bodyLimit: maximumFormBytes }, async (request, reply) => {
    const waiting = await admitted(context, request, reply, '')
    if (waiting.answer !== undefined) return waiting.answer
    const origin = passkeyOrigin(context, request)
    const { passkeys } = context.authenticator
    return sendOptions(context, request, reply, () => passkeys.beginConfirmation(waiting.caller, origin))
  })
}
