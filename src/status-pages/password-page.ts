import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PagePasswordLimit } from '../auth/page-password-limit.ts'
import { readForm } from '../auth/pages/form.ts'
import { verifyPassword } from '../auth/password.ts'
import type { PageRow } from '../database/status-pages/status-page-rows.ts'
import { withoutPort } from '../domain/access/network.ts'
import { html } from '../wording/html.ts'
import { languageOf } from '../wording/language.ts'
import { statusPageText } from '../wording/status-pages.ts'
import { policyOf, shellText } from './shell.ts'

export const privateHeaders = {
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const

/** The form says nothing of the page but its language: not even its title. */
export function sendPasswordForm(reply: FastifyReply, page: PageRow, problem: string | null): FastifyReply {
  const language = languageOf(page.language_id)
  const title = statusPageText('password_title', language)
  const text = shellText({
    ...{ language, title, description: title, accent: null, isIndexed: false, head: html`` },
    content: html`<main>
<h1>${title}</h1>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="post">
<label for="password">${statusPageText('password', language)}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required autofocus>
<button type="submit">${statusPageText('show', language)}</button>
</form>
</main>`,
  })
  return reply
    .headers({
      ...privateHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyOf(null),
    })
    .send(text)
}

/** Null: the password is right; otherwise what to tell, and for how many seconds to wait. */
export async function passwordProblem(
  request: FastifyRequest,
  page: PageRow,
  limit: PagePasswordLimit,
): Promise<{ readonly text: string; readonly waitSeconds: number | null } | null> {
  const language = languageOf(page.language_id)
  const password = readForm(request)?.get('password') ?? ''
  const outcome = await limit.attempt(withoutPort(request.ip), page.id, () =>
    verifyPassword(page.password_hash, password),
  )
  if ('waitSeconds' in outcome) {
    const { waitSeconds } = outcome
    return { text: statusPageText('wait', language, { seconds: waitSeconds }), waitSeconds }
  }
  return outcome.isRight ? null : { text: statusPageText('wrong_password', language), waitSeconds: null }
}
