import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isPassword, passwordLength } from '../../domain/access/credentials.ts'
import { withoutPort } from '../../domain/access/network.ts'
import { type Html, html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { pageText } from '../../wording/texts.ts'
import { setPasswordByLink, usernameOfLink } from '../links.ts'
import type { WebContext } from './context.ts'
import { maximumFormBytes, readForm } from './form.ts'
import { pageHeaders, renderPage } from './page.ts'

/** `GET /password?token=…`, the page of mails that lead to a password, and its form. */
export function addPasswordRoutes(server: FastifyInstance, context: WebContext): void {
  server.get('/password', async (request, reply) => {
    const token = (request.query as { token?: unknown }).token
    return sendForm(context, request, reply, { token: typeof token === 'string' ? token : '', problem: null })
  })
  server.post('/password', { bodyLimit: maximumFormBytes }, async (request, reply) => {
    const form = readForm(request)
    const [token, password] = [form?.get('token') ?? '', form?.get('password') ?? '']
    const language = context.languageOf(request)
    const problem = problemOf(password, form?.get('password_again') ?? '', language)
    if (problem !== null) return sendForm(context, request, reply, { token, problem })
    const origin = { source: 'console', ipAddress: withoutPort(request.ip), now: context.clock.now() } as const
    const username = await setPasswordByLink(context.database, { token, password, ...origin })
    if (username === null) return sendBroken(reply, language)
    const title = pageText('password_done_title', language)
    return send(reply, { language, title, content: html`<p>${pageText('password_done', language, { username })}</p>` })
  })
}

function problemOf(password: string, again: string, language: Language): string | null {
  if (!isPassword(password)) return pageText('password_length', language, passwordLength)
  return password === again ? null : pageText('passwords_differ', language)
}

async function sendForm(
  { database, clock, languageOf }: WebContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { token, problem }: { readonly token: string; readonly problem: string | null },
): Promise<FastifyReply> {
  const language = languageOf(request)
  const username = await usernameOfLink(database, token, clock.now())
  if (username === null) return sendBroken(reply, language)
  const title = pageText('password_title', language)
  return send(reply.code(problem === null ? 200 : 422), {
    language,
    title,
    content: passwordForm(language, { token, username, problem }),
  })
}

function sendBroken(reply: FastifyReply, language: Language): FastifyReply {
  const title = pageText('broken_link_title', language)
  return send(reply.code(404), { language, title, content: html`<p>${pageText('link_is_over', language)}</p>` })
}

function send(reply: FastifyReply, page: Parameters<typeof renderPage>[0]): FastifyReply {
  return reply.headers(pageHeaders(page)).send(renderPage(page))
}

function passwordForm(
  language: Language,
  { token, username, problem }: { token: string; username: string; problem: string | null },
): Html {
  const field = html`type="password" autocomplete="new-password" minlength="${passwordLength.minimum}" maxlength="${passwordLength.maximum}" required`
  return html`
<p>${pageText('password_intro', language, { username })}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="/password">
<input type="hidden" name="token" value="${token}">
<input type="text" name="username" value="${username}" autocomplete="username" readonly hidden>
<label for="password">${pageText('password', language)}</label>
<input id="password" name="password" ${field} aria-describedby="rule" autofocus>
<p class="hint" id="rule">${pageText('password_rule', language, passwordLength)}</p>
<label for="again">${pageText('password_again', language)}</label>
<input id="again" name="password_again" ${field}>
<div class="actions"><button type="submit">${pageText('set_password', language)}</button></div>
</form>`
}
