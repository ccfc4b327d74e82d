import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../auth/authenticate.ts'
import { formToken, isOwnForm, maximumFormBytes, readForm } from '../auth/pages/form.ts'
import { loginFields } from '../auth/pages/login-fields.ts'
import { canUsePasskeys, passkeyForm, passkeyOrigin, responseIn, sendLoginOptions } from '../auth/pages/passkey-form.ts'
import { withoutPort } from '../domain/access/network.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { pageText, problemText } from '../wording/texts.ts'
import { type PagesContext, sendPage } from './context.ts'
import { forgottenPasswordPath } from './forgotten-password.ts'
import { destinationOf } from './paths.ts'
import { askForSecondStep } from './second-step.ts'
import { keepSession } from './session-cookie.ts'

const passkeyPath = '/login/passkey'

/** The address of the login, which leads back to the requested page. */
export function loginAddress(path: string): string {
  return `/login?${new URLSearchParams({ to: path })}`
}

/** `GET` and `POST /login`, which give a browser the session of the console. */
export function addLogin(server: FastifyInstance, context: PagesContext): void {
  server.get('/login', async (request, reply) => {
    const { to } = request.query as { to?: unknown }
    return sendForm(context, request, reply, { to: typeof to === 'string' ? to : '', username: '', problem: null })
  })
  server.post('/login', { bodyLimit: maximumFormBytes }, (request, reply) => answer(context, request, reply))
  server.post(passkeyPath, { bodyLimit: maximumFormBytes }, (request, reply) => takePasskey(context, request, reply))
  server.post(`${passkeyPath}/options`, { bodyLimit: maximumFormBytes }, (request, reply) =>
    sendLoginOptions(context, request, reply),
  )
}

/** Takes the answer of a passkey, which logs in by itself. */
async function takePasskey(context: PagesContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(request) ?? new URLSearchParams()
  const language = context.languageOf(request)
  const to = form.get('to') ?? ''
  const again = (problem: string, status: number) =>
    sendForm(context, request, reply.code(status), { to, username: '', problem })
  if (!isOwnForm(request, form)) return again(pageText('form_is_stale', language), 403)
  const response = responseIn(form)
  const outcome = await context.authenticator.passkeys.logIn({ ...passkeyOrigin(context, request), response })
  if ('session' in outcome) return enter(context, request, reply, { token: outcome.session.token, to })
  if (outcome.problems.every(({ error }) => error === 'incorrect_credentials')) {
    return again(pageText('passkey_failed', language), 422)
  }
  return refused(context, request, reply, { ...outcome, to, username: '' })
}

async function answer(context: PagesContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(request) ?? new URLSearchParams()
  const language = context.languageOf(request)
  const [to, username] = [form.get('to') ?? '', form.get('username')?.trim() ?? '']
  const again = (problem: string, status: number) =>
    sendForm(context, request, reply.code(status), { to, username, problem })
  if (!isOwnForm(request, form)) return again(pageText('form_is_stale', language), 403)
  const code = form.get('code')?.trim() ?? ''
  const outcome = await context.authenticator.logIn({
    ...{ username, password: form.get('password') ?? '', ...(code === '' ? {} : { code }) },
    method: 'session',
    isUnverifiedAllowed: true,
    ipAddress: withoutPort(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
  })
  if ('session' in outcome && !outcome.session.is_verified) {
    return askForSecondStep(context, request, reply, { token: outcome.session.token, to })
  }
  if ('session' in outcome) return enter(context, request, reply, { token: outcome.session.token, to })
  return refused(context, request, reply, { ...outcome, to, username })
}

function enter(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, to }: { readonly token: string; readonly to: string },
): FastifyReply {
  keepSession(reply, token, context.isSecure(request))
  return reply.redirect(context.prefix + destinationOf(to), 303)
}

/** The form again, with the reasons. */
function refused(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { problems, retryAfterSeconds, ...shown }: Refusal & Pick<Shown, 'to' | 'username'>,
): FastifyReply {
  const language = context.languageOf(request)
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
  const facts = retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }
  const problem = problems.map(({ error }) => problemText(error, language, facts)).join(' ')
  const status = retryAfterSeconds === undefined ? 422 : 429
  return sendForm(context, request, reply.code(status), { ...shown, problem })
}

interface Shown {
  readonly to: string
  readonly username: string
  readonly problem: string | null
}

function sendForm(context: PagesContext, request: FastifyRequest, reply: FastifyReply, shown: Shown): FastifyReply {
  const language = context.languageOf(request)
  const token = formToken(request, reply, context.isSecure(request))
  const title = pageText('login_title', language)
  const { prefix, oidc } = context
  const hasPasskeys = canUsePasskeys(context, request)
  const surroundings = { language, prefix, provider: oidc?.name ?? null, hasPasskeys }
  return sendPage(reply, reply.statusCode, {
    language,
    title,
    script: hasPasskeys ? context.passkeyScript : null,
    content: formOf(surroundings, token, shown),
  })
}

interface Surroundings {
  readonly language: Language
  readonly prefix: string
  /** The name of the identity provider; null: there is none. */
  readonly provider: string | null
  readonly hasPasskeys: boolean
}

function formOf(
  { language, prefix, provider, hasPasskeys }: Surroundings,
  token: string,
  { to, username, problem }: Shown,
): Html {
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  const hidden = [['to', to] as const, ['form_token', token] as const]
  const byPasskey = { language, action: `${prefix}${passkeyPath}`, hidden, isFurther: true, isOffered: true }
  return html`
<p>${text('console_login_intro')}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="${prefix}/login">
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="form_token" value="${token}">
${loginFields(language, username, hasPasskeys)}
<div class="actions"><button type="submit">${text('log_in')}</button></div>
</form>
<p class="or"><a href="${prefix}${forgottenPasswordPath}">${text('login_forgotten')}</a></p>
${hasPasskeys ? passkeyForm(byPasskey) : null}
${provider === null ? null : html`<p class="or"><a class="button" href="${prefix}/auth/oidc/login?${new URLSearchParams({ to }).toString()}">${pageText('log_in_with', language, { provider })}</a></p>`}`
}
