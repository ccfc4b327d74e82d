import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KeyScope } from '../../domain/access/key-scopes.ts'
import { withoutPort } from '../../domain/access/network.ts'
import { html } from '../../wording/html.ts'
import type { Language } from '../../wording/language.ts'
import { pageText, problemText } from '../../wording/texts.ts'
import type { Refusal } from '../authenticate.ts'
import type { OAuthContext } from '../pages/context.ts'
import { formToken, isOwnForm, maximumFormBytes, readForm } from '../pages/form.ts'
import { type LoginPage, pageHeaders, renderPage } from '../pages/page.ts'
import {
  canUsePasskeys,
  hasResponse,
  passkeyForm,
  passkeyOrigin,
  responseIn,
  sendLoginOptions,
} from '../pages/passkey-form.ts'
import type { NewSession } from '../sessions.ts'
import { findClient } from './clients.ts'
import { forgetCodes, issueCode } from './codes.ts'
import { loginForm } from './login-form.ts'
import {
  type AuthorizationRequest,
  clientIdOf,
  formTarget,
  readRequest,
  requestParameters,
  returnAddress,
} from './request.ts'

const url = '/oauth/authorize'

/**
 * `GET /oauth/authorize` shows the login form, `POST` answers it (specification: Authentication; answers §5). A passkey
 * logs in there as at the console.
 */
export function addAuthorizeRoutes(server: FastifyInstance, context: OAuthContext): void {
  server.get(url, async (request, reply) => {
    const question = request.url.indexOf('?')
    const parameters = new URLSearchParams(question < 0 ? '' : request.url.slice(question + 1))
    return withRequest(context, request, reply, parameters, (wanted) =>
      sendForm(context, request, reply, { wanted, parameters, problem: null, status: 200 }),
    )
  })
  server.post(url, { bodyLimit: maximumFormBytes }, async (request, reply) => {
    const form = readForm(request) ?? new URLSearchParams()
    return withRequest(context, request, reply, form, (wanted) => answerForm(context, request, reply, { wanted, form }))
  })
  server.post(`${url}/options`, { bodyLimit: maximumFormBytes }, (request, reply) =>
    sendLoginOptions(context, request, reply),
  )
}

async function withRequest(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  parameters: URLSearchParams,
  proceed: (wanted: AuthorizationRequest) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const issuer = context.rootOf(request)
  const { clients: configured, assistants } = context
  const known = { configured, root: issuer, assistants }
  const client = await findClient(context.database, known, clientIdOf(parameters))
  const read = readRequest(parameters, { client, issuer, servesAssistants: assistants !== null })
  if ('request' in read) return proceed(read.request)
  if ('redirect' in read) return redirect(reply, read.redirect)
  const language = context.languageOf(request)
  const page: LoginPage = {
    language,
    title: pageText('broken_link_title', language),
    content: html`<p>${pageText(read.fault, language)}</p>`,
  }
  return reply.code(400).headers(pageHeaders(page)).send(renderPage(page))
}

interface ShownForm {
  readonly wanted: AuthorizationRequest
  readonly parameters: URLSearchParams
  readonly problem: string | null
  readonly status: number
}

async function sendForm(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { wanted, parameters, problem, status }: ShownForm,
): Promise<FastifyReply> {
  const language = context.languageOf(request)
  const asked = requestParameters.flatMap((name) => {
    const value = parameters.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const hidden = [...asked, ['form_token', formToken(request, reply, context.isSecure(request))] as const]
  const hasPasskeys = canUsePasskeys(context, request)
  const page: LoginPage = {
    language,
    title: pageText('login_title', language),
    script: hasPasskeys ? context.passkeyScript : null,
    content: loginForm({
      language,
      wanted,
      problem,
      username: parameters.get('username') ?? '',
      granted: parameters.getAll('grant'),
      hidden,
      byPasskey: hasPasskeys ? passkeyForm({ language, action: url, hidden, isFurther: true }) : null,
    }),
    formTargets: [formTarget(wanted.redirectUri)],
  }
  return reply.code(status).headers(pageHeaders(page)).send(renderPage(page))
}

async function answerForm(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { wanted, form }: { readonly wanted: AuthorizationRequest; readonly form: URLSearchParams },
): Promise<FastifyReply> {
  const language = context.languageOf(request)
  const again = (problem: string, status: number) =>
    sendForm(context, request, reply, { wanted, parameters: form, problem, status })
  if (!isOwnForm(request, form)) return again(pageText('form_is_stale', language), 403)
  const isByPasskey = hasResponse(form)
  const outcome = await (isByPasskey ? logInByPasskey : logIn)(context, request, wanted, form)
  if ('values' in outcome) return redirect(reply, returnAddress(wanted, outcome.values))
  const { retryAfterSeconds } = outcome
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds))
  const isUnknown = isByPasskey && outcome.problems.every(({ error }) => error === 'incorrect_credentials')
  const problem = isUnknown ? pageText('passkey_failed', language) : problemsText(outcome, language)
  return again(problem, retryAfterSeconds === undefined ? 401 : 429)
}

/** The parameters with which the browser returns to the client. */
interface Granted {
  readonly values: Readonly<Record<string, string>>
}

async function logIn(
  { authenticator, database, clock }: OAuthContext,
  request: FastifyRequest,
  wanted: AuthorizationRequest,
  form: URLSearchParams,
): Promise<Granted | Refusal> {
  const code = form.get('code')?.trim() ?? ''
  const attempt = {
    username: form.get('username')?.trim() ?? '',
    password: form.get('password') ?? '',
    ...(code === '' ? {} : { code }),
    method: 'oauth',
    ipAddress: withoutPort(request.ip),
    userAgent: request.headers['user-agent'] ?? '',
  } as const
  if (wanted.responseType === 'code') {
    await forgetCodes(database, clock.now())
    const outcome = await authenticator.grant(attempt, (transaction, { login }) =>
      issueCode(transaction, { wanted, scopes: chosenScopes(wanted, form) }, login.account_id, clock.now()),
    )
    return 'problems' in outcome ? outcome : { values: { code: outcome.granted } }
  }
  const outcome = await authenticator.logIn(attempt)
  return 'problems' in outcome ? outcome : { values: tokenValues(outcome.session) }
}

/** A passkey is both factors, so what it gives is complete. */
async function logInByPasskey(
  context: OAuthContext,
  request: FastifyRequest,
  wanted: AuthorizationRequest,
  form: URLSearchParams,
): Promise<Granted | Refusal> {
  const { authenticator, database, clock } = context
  const answer = { ...passkeyOrigin(context, request), response: responseIn(form) }
  if (wanted.responseType === 'code') {
    await forgetCodes(database, clock.now())
    const outcome = await authenticator.passkeys.grant(answer, (transaction, login) =>
      issueCode(transaction, { wanted, scopes: chosenScopes(wanted, form) }, login.account_id, clock.now()),
    )
    return 'problems' in outcome ? outcome : { values: { code: outcome.granted } }
  }
  const outcome = await authenticator.passkeys.logIn(answer)
  return 'problems' in outcome ? outcome : { values: tokenValues(outcome.session) }
}

function tokenValues({ token, expiration_duration: seconds }: NewSession): Granted['values'] {
  return { access_token: token, token_type: 'Bearer', expires_in: String(seconds) }
}

/** An assistant reads at least; the person grants the rest. Null: the client gets a session. */
function chosenScopes({ offered }: AuthorizationRequest, form: URLSearchParams): readonly KeyScope[] | null {
  const granted = form.getAll('grant')
  return offered?.filter((scope) => scope === 'read' || granted.includes(scope)) ?? null
}

function problemsText({ problems, retryAfterSeconds }: Refusal, language: Language): string {
  const facts = retryAfterSeconds === undefined ? {} : { retry_after: retryAfterSeconds }
  return problems.map(({ error }) => problemText(error, language, facts)).join(' ')
}

/** 303, because the browser must not post the password to the client. */
function redirect(reply: FastifyReply, address: string): FastifyReply {
  const headers = { Location: address, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' }
  return reply.code(303).headers(headers).send()
}
