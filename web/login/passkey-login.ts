import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  WebAuthnError,
} from '@simplewebauthn/browser'

/** The button of the login pages that asks for a passkey. Without this script, or without passkeys, it stays hidden. */

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
    const answer = form.querySelector<HTMLInputElement>('input[name=response]')
    if (answer === null) return failed
    answer.value = JSON.stringify(await startAuthentication({ optionsJSON: options }))
    form.submit()
    return null
  } catch (error) {
    return isCancelled(error) ? cancelled : failed
  }
}

function prepare(form: HTMLFormElement): void {
  const [button, fault] = [form.querySelector('button'), form.querySelector<HTMLElement>('[role=alert]')]
  form.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button !== null) button.disabled = true
    if (fault !== null) fault.hidden = true
    const problem = await logIn(form)
    if (problem === null) return
    if (button !== null) button.disabled = false
    if (fault === null) return
    fault.textContent = problem
    fault.hidden = false
  })
}

if (browserSupportsWebAuthn()) {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-options]')) prepare(form)
}
