import { type Html, html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { pageText } from '../../wording/texts.ts'

/**
 * The fields of every login form: username, password, and the code of a second factor. Browsers offer passkeys in the
 * field of the username where a script asks for them.
 */
export function loginFields(language: Language, username: string, offersPasskeys = false): Html {
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  return html`
<label for="username">${text('username')}</label>
<input id="username" name="username" value="${username}" autocomplete="${offersPasskeys ? 'username webauthn' : 'username'}" autocapitalize="none" spellcheck="false" maxlength="64" required ${username === '' ? html`autofocus` : null}>
<label for="password">${text('password')}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="256" required ${username === '' ? null : html`autofocus`}>
<label for="code">${text('code')}</label>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="40" aria-describedby="code-hint">
<p class="hint" id="code-hint">${text('code_hint')}</p>`
}
