import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formToken, isOwnForm, maximumFormBytes, readForm } from '../auth/pages/form.ts'
import { withoutPort } from '../domain/access/network.ts'
import { html } from '../wording/html.ts'
import { pageText, problemText } from '../wording/texts.ts'
import { type PagesContext, sendPage } from './context.ts'
import { keepSession } from './session-cookie.ts'

const path = '/login/link'

/** The address that the start and `latarnik account login-link` print. */
export function loginLinkAddress(publicUrl: string, token: string): string {
  return `${publicUrl.replace(/\/$/, '')}${path}?${new URLSearchParams({ token })}`
}

/**
 * `GET /login/link?token=…` shows a button, and `POST` logs in once. Programs that only fetch the link (a chat's
 * preview, a mail scanner) do not use it up.
 */
export function addLoginLink(server: FastifyInstance, context: PagesContext): void {
  server.get(path, async (request, reply) => {
    const { token } = request.query as { token?: unknown }
    return sendButton(context, request, reply, typeof token === 'string' ? token : '')
  })
  server.post(path, { bodyLimit: maximumFormBytes }, (request, reply) => answer(context, request, reply))
}

async function sendButton(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<FastifyReply> {
  const username = await context.authenticator.ownerOfLoginLink(token)
  if (username === null) return sendBroken(context, request, reply, 'login_link_is_over')
  const language = context.languageOf(request)
  const form = formToken(request, reply, context.isSecure(request))
  const title = pageText('login_title', language)
  const content = html`
<p>${pageText('login_link_intro', language, { username })}</p>
<form method="post" action="${context.prefix}${path}">
<input type="hidden" name="token" value="${token}">
<input type="hidden" name="form_token" value="${form}">
<div class="actions"><button type="submit" autofocus>${pageText('log_in', language)}</button></div>
</form>`
  return sendPage(reply, 200, { language, title, content })
}

async function answer(context: PagesContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(request) ?? new URLSearchParams()
  if (!isOwnForm(request, form)) return sendBroken(context, request, reply.code(403), 'form_is_stale')
  const outcome = await context.authenticator.logInByLink({
    token: form.get('token') ?? '',
    ipAddress: withoutPort(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
  })
  if ('session' in outcome) {
    keepSession(reply, outcome.session.token, context.isSecure(request))
    return reply.redirect(`${context.prefix}/`, 303)
  }
  const language = context.languageOf(request)
  const reasons = outcome.problems.filter(({ error }) => error !== 'incorrect_credentials')
  if (reasons.length === 0) return sendBroken(context, request, reply, 'login_link_is_over')
  const text = reasons.map(({ error, facts }) => problemText(error, language, facts)).join(' ')
  return sendPage(reply, 403, {
    language,
    title: pageText('broken_link_title', language),
    content: html`<p>${text}</p>`,
  })
}

function sendBroken(
  { languageOf, prefix }: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  reason: 'login_link_is_over' | 'form_is_stale',
): FastifyReply {
  const language = languageOf(request)
  const title = pageText('broken_link_title', language)
  const content = html`
<p>${pageText(reason, language)}</p>
<p><a href="${prefix}/login">${pageText('log_in', language)}</a></p>`
  return sendPage(reply, reply.statusCode === 200 ? 404 : reply.statusCode, { language, title, content })
}
