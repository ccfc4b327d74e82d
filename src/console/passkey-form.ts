import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../auth/authenticate.ts'
import { isOwnForm, readForm } from '../auth/pages/form.ts'
import type { PasskeyOrigin } from '../auth/passkeys/context.ts'
import type { AssertionOptions } from '../auth/passkeys/login.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { pageText, problemText } from '../wording/texts.ts'
import type { PagesContext } from './context.ts'
import { originOf } from './oidc-replies.ts'

/** The part of a login page that asks for a passkey; its script is `web/login/passkey-login.ts`. */

export function passkeyOrigin({ rootOf }: PagesContext, request: FastifyRequest): PasskeyOrigin {
  return { ...originOf(request), root: rootOf(request) }
}

export function canUsePasskeys(context: PagesContext, request: FastifyRequest): boolean {
  return context.passkeyScript !== null && context.authenticator.passkeys.isAvailable(context.rootOf(request))
}

interface Shown {
  readonly language: Language
  /** Where the answer goes; its challenge comes from `options` below it. */
  readonly action: string
  readonly to: string
  readonly formToken: string
  /** It stands beside another form, and not alone. */
  readonly isFurther: boolean
}

/** Hidden until its script runs in a browser that has passkeys. */
export function passkeyForm({ language, action, to, formToken, isFurther }: Shown): Html {
  const text = (key: Parameters<typeof pageText>[0]) => pageText(key, language)
  return html`
<form class="passkey" method="post" action="${action}" data-options="${action}/options" data-failed="${text('passkey_failed')}" data-cancelled="${text('passkey_cancelled')}" data-elsewhere="${text('passkey_elsewhere')}" hidden>
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="response" value="">
<div class="actions"><button type="submit" ${isFurther ? html`class="quiet"` : null}>${text('use_passkey')}</button></div>
<p class="problem" role="alert" hidden></p>
</form>`
}

/** The answer to the script: the input of the browser, or the reason in words. */
export async function sendOptions(
  context: PagesContext,
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

/** The answer in a form; undefined if it is no JSON. */
export function responseIn(form: URLSearchParams): unknown {
  try {
    return JSON.parse(form.get('response') ?? '')
  } catch {
    // It proves nothing then, like any other wrong answer.
    return undefined
  }
}
