import { type Html, html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { pageText } from '../../wording/texts.ts'
import { loginFields } from '../pages/login-fields.ts'
import { type AuthorizationRequest, returnAddress } from './request.ts'

export interface LoginForm {
  readonly language: Language
  readonly wanted: AuthorizationRequest
  /** Why the last attempt failed. */
  readonly problem: string | null
  readonly username: string
  readonly hidden: readonly (readonly [name: string, value: string])[]
}

export function loginForm({ language, wanted, problem, username, hidden }: LoginForm): Html {
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  const client = wanted.client.name
  const target = new URL(wanted.redirectUri)
  const host = target.host === '' ? target.protocol : target.host
  return html`
<p>${pageText('login_intro', language, { client })}</p>
<p class="hint">${pageText('login_returns_to', language, { target: host })}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="/oauth/authorize">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${loginFields(language, username)}
<div class="actions">
<button type="submit">${text('log_in')}</button>
<a href="${returnAddress(wanted, { error: 'access_denied' })}">${text('cancel')}</a>
</div>
</form>`
}
