import {
  type AuthenticationResponseJSON,
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnError,
} from '@simplewebauthn/browser'

/**
 * The button of the login pages that asks for a passkey; without this script, or without passkeys, it stays hidden. At
 * the console's login the browser offers passkeys in the field of the username, too.
 */

interface Challenge {
  readonly options?: PublicKeyCredentialRequestOptionsJSON
  readonly problem?: string
}

/** The input of the browser; the page's own words for a refusal. */
async function challengeOf(form: HTMLFormElement): Promise<Challenge> {
  const body = new URLSearchParams()
  body.set('form_token', new FormData(form).get('form_token')?.toString() ?? '')
  const response = await fetch(form.dataset['options'] ?? '', { method: 'POST', body })
  return (await response.json()) as Challenge
}

function isCancelled(error: unknown): boolean {
  const cause = error instanceof WebAuthnError && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error && (cause.name === 'NotAllowedError' || cause.name === 'AbortError')
}

/** Asks for the passkey and sends its answer with the form. Returns the fault, if there is one. */
async function logIn(form: HTMLFormElement): Promise<string | null> {
  const { failed = '', cancelled = '', elsewhere = '' } = form.dataset
  try {
    const { options, problem = failed } = await challengeOf(form)
    if (options === undefined) return problem
    const site = options.rpId ?? location.hostname
    if (site !== location.hostname) return elsewhere.replace('{site}', site)
    answerWith(form, await startAuthentication({ optionsJSON: options }))
    return null
  } catch (error) {
    return isCancelled(error) ? cancelled : failed
  }
}

function answerWith(form: HTMLFormElement, response: AuthenticationResponseJSON): void {
  const field = form.querySelector<HTMLInputElement>('input[name=response]')
  if (field === null) throw new Error('The form has no place for the answer.')
  field.value = JSON.stringify(response)
  // Choices of the other form count here, too.
  for (const ticked of document.querySelectorAll<HTMLInputElement>('input[name=grant]:checked')) {
    const copy = document.createElement('input')
    Object.assign(copy, { type: 'hidden', name: ticked.name, value: ticked.value })
    form.append(copy)
  }
  form.submit()
}

/** Shorter than the life of a challenge on the server, which is five minutes. */
const renewAfterMs = 240_000
let renewal: ReturnType<typeof setTimeout> | undefined

/** Lets the browser offer passkeys while the person fills in the form. Faults are silent: the button tells them. */
async function offer(form: HTMLFormElement): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return
  // A new request ends the one before it.
  clearTimeout(renewal)
  renewal = setTimeout(() => void offer(form), renewAfterMs)
  try {
    const { options } = await challengeOf(form)
    if (options === undefined || (options.rpId ?? location.hostname) !== location.hostname) return
    const response = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true })
    clearTimeout(renewal)
    answerWith(form, response)
  } catch {
    // Refused, or ended by the button or by the next request.
  }
}

function prepare(form: HTMLFormElement): void {
  const [button, fault] = [form.querySelector('button'), form.querySelector<HTMLElement>('[role=alert]')]
  const isOffered = form.dataset['offered'] === 'true'
  form.hidden = false
  if (isOffered) void offer(form)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button !== null) button.disabled = true
    if (fault !== null) fault.hidden = true
    const problem = await logIn(form)
    if (problem === null) return
    if (isOffered) void offer(form)
    if (button !== null) button.disabled = false
    if (fault === null) return
    fault.textContent = problem
    fault.hidden = false
  })
}

if (browserSupportsWebAuthn()) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-options]')) prepare(form)
}
