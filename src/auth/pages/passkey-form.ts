import type { FastifyReply, FastifyRequest } from 'fastify'
import { withoutPort } from '../../domain/access/network.ts'
import { type Html, html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { pageText, problemText } from '../../wording/texts.ts'
import type { Authenticator, Refusal } from '../authenticate.ts'
import type { PasskeyOrigin } from '../passkeys/context.ts'
import type { AssertionOptions } from '../passkeys/login.ts'
import { isOwnForm, readForm } from './form.ts'

/** The part of a login page that asks for a passkey; its script is `web/login/passkey-login.ts`. */

export interface PasskeyPages {
  readonly authenticator: Pick<Authenticator, 'passkeys'>
  /** The address of the script; null: the console is not built. */
  readonly passkeyScript: string | null
  readonly rootOf: (request: FastifyRequest) => string
  readonly languageOf: (request: FastifyRequest) => Language
}

export function passkeyOrigin({ rootOf }: Pick<PasskeyPages, 'rootOf'>, request: FastifyRequest): PasskeyOrigin {
  const userAgent = request.headers['user-agent'] ?? ''
  return { ipAddress: withoutPort(request.ip), userAgent, root: rootOf(request) }
}

export function canUsePasskeys(context: PasskeyPages, request: FastifyRequest): boolean {
  return context.passkeyScript !== null && context.authenticator.passkeys.isAvailable(context.rootOf(request))
}

interface Shown {
  readonly language: Language
  /** Where the answer goes; its challenge comes from `options` below it. */
  readonly action: string
  /** Hidden fields beside the answer: the token of the form, and where the login leads. */
  readonly hidden: readonly (readonly [name: string, value: string])[]
  /** It stands beside another form, and not alone. */
  readonly isFurther: boolean
  /** The browser offers passkeys in the field of the username, too. */
  readonly isOffered?: boolean
}

/** Hidden until its script runs in a browser that has passkeys. */
export function passkeyForm({ language, action, hidden, isFurther, isOffered = false }: Shown): Html {
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  return html`
<form class="passkey" method="post" action="${action}" data-options="${action}/options" data-failed="${text('passkey_failed')}" data-cancelled="${text('passkey_cancelled')}" data-elsewhere="${text('passkey_elsewhere')}" ${isOffered ? html`data-offered="true"` : null} hidden>
${hidden.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)}<input type="hidden" name="response" value="">
<div class="actions"><button type="submit" ${isFurther ? html`class="quiet"` : null}>${text('use_passkey')}</button></div>
<p class="problem" role="alert" hidden></p>
</form>`
}

/** The answer to the script: the input of the browser, or the reason in words. */
export async function sendOptions(
  context: PasskeyPages,
  request: FastifyRequest,
  reply: FastifyReply,
  begin: () => Promise<{ readonly options: AssertionOptions } | Refusal>,
): Promise<FastifyReply> {
  const language = context.languageOf(request)
  reply.header('Cache-Control', 'no-store')
  if (!isOwnForm(request, readForm(request) ?? new URLSearchParams())) {
    return reply.code(403).send({ problem: pageText('form_is_stale', language) })
  }
  const begun = await begin()
  if ('options' in begun) return reply.send(begun)
  if (begun.retryAfterSeconds !== undefined) reply.header('Retry-After', String(begun.retryAfterSeconds))
  const problem = begun.problems.map(({ error, facts }) => problemText(error, language, facts)).join(' ')
  return reply.code(begun.retryAfterSeconds === undefined ? 422 : 429).send({ problem })
}

/** The challenge of a login with any passkey of this site. */
export function sendLoginOptions(
  context: PasskeyPages,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { passkeys } = context.authenticator
  return sendOptions(context, request, reply, () => passkeys.beginLogin(passkeyOrigin(context, request)))
}

/** True if a form brings the answer of a passkey; it is empty beside a password. */
export function hasResponse(form: URLSearchParams): boolean {
  return (form.get('response') ?? '') !== ''
}

/** The answer in a form; undefined if it is no JSON. */
export function responseIn(form: URLSearchParams): unknown {
  try {
    return JSON.parse(form.get('response') ?? '')
  } catch {
    // It proves nothing then, like any other wrong answer.
    return undefined
  }
}
