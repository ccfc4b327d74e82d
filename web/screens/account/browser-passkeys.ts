import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { Sent } from '../../api/bodies.ts'
import { change } from '../../api/calls.ts'
import type { passkeyWords } from './passkey-words.ts'

/** Passkeys of this browser. The library is loaded when somebody uses one. */

const library = () => import('@simplewebauthn/browser')

type Words = (typeof passkeyWords)['en']

/** A passkey that was not used, in words for the person. */
export class NoPasskey extends Error {}

export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function'
}

function faultOf(error: unknown, words: Words): NoPasskey {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const name = cause instanceof Error ? cause.name : ''
  if (name === 'InvalidStateError') return new NoPasskey(words.present)
  return new NoPasskey(name === 'NotAllowedError' || name === 'AbortError' ? words.cancelled : words.failed)
}

/** Makes a passkey and registers it. */
export async function addPasskey(
  { name, password }: { readonly name: string; readonly password: string },
  words: Words,
): Promise<void> {
  const proof = password === '' ? {} : { current_password: password }
  // The browser's own type of what WebAuthn says.
  const answer: object = await change('POST', '/passkeys/options', proof)
  const options = answer as PublicKeyCredentialCreationOptionsJSON
  const site = options.rp.id ?? location.hostname
  if (site !== location.hostname) throw new NoPasskey(words.otherSite(site))
  const { startRegistration } = await library()
  const response = await startRegistration({ optionsJSON: options }).catch((error: unknown) => {
    throw faultOf(error, words)
  })
  await change('POST', '/passkeys', { name, response: { ...response, response: { ...response.response } } })
}

/** The answer of the browser, as the API takes it. */
export type Passkey = NonNullable<Sent<'POST', '/accounts/my_account/2fa/disable'>['passkey']>

/** Proves the second factor by a passkey, for one request. */
export async function provePasskey(words: Words): Promise<Passkey> {
  const options = await change('POST', '/sessions/my_session/2fa/passkey_options')
  const { startAuthentication } = await library()
  const { response, ...rest } = await startAuthentication({ optionsJSON: options }).catch((error: unknown) => {
    throw faultOf(error, words)
  })
  return { ...rest, response: { ...response } }
}
