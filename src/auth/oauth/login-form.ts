import type { KeyScope } from '../../domain/access/key-scopes.ts'
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
  /** Scopes that the person has ticked. */
  readonly granted: readonly string[]
  readonly hidden: readonly (readonly [name: string, value: string])[]
  /** The form of a passkey; null: browsers permit none here. */
  readonly byPasskey: Html | null
}

export function loginForm(form: LoginForm): Html {
  const { language, wanted, problem, username, hidden, byPasskey } = form
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  const client = wanted.client.name
  const target = new URL(wanted.redirectUri)
  const host = target.host === '' ? target.protocol : target.host
  return html`
<p>${pageText(wanted.offered === null ? 'login_intro' : 'assistant_intro', language, { client })}</p>
${wanted.client.is_registered === true ? html`<p class="hint">${text('assistant_unknown')}</p>` : null}
<p class="hint">${pageText('login_returns_to', language, { target: host })}</p>
${problem === null ? null : html`<p class="problem" role="alert">${problem}</p>`}
<form method="post" action="/oauth/authorize">
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${wanted.offered === null ? null : scopeFields(wanted.offered, form)}
${loginFields(language, username)}
<div class="actions">
<button type="submit">${text('log_in')}</button>
<a href="${returnAddress(wanted, { error: 'access_denied' })}">${text('cancel')}</a>
</div>
</form>
${byPasskey}`
}

const scopeTexts = {
  write: 'assistant_may_write',
  notifications: 'assistant_may_notifications',
  reports: 'assistant_may_reports',
} as const

/** Nothing but reading is granted until the person ticks it. */
function scopeFields(offered: readonly KeyScope[], { language, granted }: LoginForm): Html {
  const boxes = Object.entries(scopeTexts).filter(([scope]) => offered.some((one) => one === scope))
  if (boxes.length === 0) return html``
  return html`
<fieldset><legend>${pageText('assistant_may', language)}</legend>
${boxes.map(
  ([scope, key]) =>
    html`<label class="choice"><input type="checkbox" name="grant" value="${scope}"${granted.includes(scope) ? html` checked` : null}> ${pageText(key, language)}</label>`,
)}
</fieldset>`
}
