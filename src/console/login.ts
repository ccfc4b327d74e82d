import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formToken, isOwnForm, maximumFormBytes, readForm } from '../auth/pages/form.ts'
import { loginFields } from '../auth/pages/login-fields.ts'
import { withoutPort } from '../domain/network.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { pageText, problemText } from '../wording/texts.ts'
import { type PagesContext, sendPage } from './context.ts'
import { destinationOf } from './paths.ts'
import { keepSession } from './session-cookie.ts'

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
    ipAddress: withoutPort(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
  })
  if ('session' in outcome) {
    keepSession(reply, outcome.session.token, context.isSecure(request))
    return reply.redirect(context.prefix + destinationOf(to), 303)
  }
  const { problems, retryAfterSeconds } = outcome
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
  const facts = retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }
  const text = problems.map(({ error }) => problemText(error, language, facts)).join(' ')
  return again(text, retryAfterSeconds === undefined ? 422 : 429)
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
  return sendPage(reply, reply.statusCode, {
    language,
    title,
    content: formOf({ language, prefix: context.prefix, provider: context.oidc?.name ?? null }, token, shown),
  })
}

interface Surroundings {
  readonly language: Language
  readonly prefix: string
  /** The name of the identity provider; null: there is none. */
  readonly provider: string | null
}

function formOf({ language, prefix, provider }: Surroundings, token: string, { to, username, problem }: Shown): Html {
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  return html`
<p>${text('console_login_intro')}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="${prefix}/login">
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="form_token" value="${token}">
${loginFields(language, username)}
<div class="actions"><button type="submit">${text('log_in')}</button></div>
</form>
${provider === null ? null : html`<p class="or"><a class="button" href="${prefix}/auth/oidc/login?${new URLSearchParams({ to }).toString()}">${pageText('log_in_with', language, { provider })}</a></p>`}`
}
