import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { formToken, isOwnForm, maximumFormBytes, readForm } from '../auth/pages/form.ts'
import { withoutPort } from '../domain/access/network.ts'
import { html } from '../wording/html.ts'
import { pageText, problemText } from '../wording/texts.ts'
import { type PagesContext, sendPage } from './context.ts'

export const forgottenPasswordPath = '/login/forgotten-password'

/** `GET` and `POST`: a form that asks for a mailed link. Its answer is the same for a user who does not exist. */
export function addForgottenPassword(server: FastifyInstance, context: PagesContext): void {
  server.get(forgottenPasswordPath, async (request, reply) => sendForm(context, request, reply, null))
  server.post(forgottenPasswordPath, { bodyLimit: maximumFormBytes }, (request, reply) =>
    answer(context, request, reply),
  )
}

async function answer(context: PagesContext, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const form = readForm(request) ?? new URLSearchParams()
  const language = context.languageOf(request)
  if (!isOwnForm(request, form)) return sendForm(context, request, reply.code(403), pageText('form_is_stale', language))
  const refusal = await context.authenticator.admit(withoutPort(request.ip))
  if (refusal !== null) {
    const { problems, retryAfterSeconds: seconds = 0 } = refusal
    const problem = problems.map(({ error }) => problemText(error, language, { retry_after: seconds })).join(' ')
    return sendForm(context, request, reply.code(429).header('Retry-After', String(seconds)), problem)
  }
  await context.authenticator.askForNewPassword(form.get('username')?.trim() ?? '')
  return sendPage(reply, 200, {
    language,
    title: pageText('forgotten_title', language),
    script: null,
    content: html`<p role="status">${pageText('forgotten_done', language)}</p>${back(context, request)}`,
  })
}

function back(context: PagesContext, request: FastifyRequest) {
  return html`<p class="or"><a href="${context.prefix}/login">${pageText('forgotten_back', context.languageOf(request))}</a></p>`
}

function sendForm(
  context: PagesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  problem: string | null,
): FastifyReply {
  const language = context.languageOf(request)
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  const token = formToken(request, reply, context.isSecure(request))
  return sendPage(reply, reply.statusCode, {
    language,
    title: text('forgotten_title'),
    script: null,
    content: html`
<p>${text('forgotten_intro')}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="${context.prefix}${forgottenPasswordPath}">
<input type="hidden" name="form_token" value="${token}">
<label for="username">${text('username')}</label>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" maxlength="64" required autofocus>
<div class="actions"><button type="submit">${text('forgotten_send')}</button></div>
</form>
${back(context, request)}`,
  })
}
