import type { FastifyReply, FastifyRequest } from 'fastify'
import { withoutPort } from '../domain/access/network.ts'
import { type Html, html } from '../wording/html.ts'
import type { Language } from '../wording/language.ts'
import { pageText, problemText } from '../wording/texts.ts'
import { type OidcLogin, type PagesContext, sendPage } from './context.ts'
import { keepSession } from './session-cookie.ts'

/** Cookies and answers of the login through an identity provider. */

export const root = '/auth/oidc'
export const loggedInCookie = 'latarnik_by_provider'
/** Seconds that a browser may stay at the provider, or before the form of the second factor. */
const patience = 600

type Reason = 'oidc_failed' | 'oidc_away' | 'oidc_several' | 'oidc_unknown'

export interface OidcContext extends PagesContext {
  readonly oidc: OidcLogin
}

export function cookieOf(request: FastifyRequest, name: string): string | null {
  return new RegExp(`(?:^|;\\s*)${name}=([A-Za-z0-9_-]{1,3000})(?:;|$)`).exec(request.headers.cookie ?? '')?.[1] ?? null
}

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
  /** Seconds; null: it ends with the browser. */
  readonly life: number | null
  readonly isSecure: boolean
}

export function setCookie(reply: FastifyReply, { name, value, path, life, isSecure }: Cookie): void {
  const attributes = [
    `Path=${path}`,
    ...(life === null ? [] : [`Max-Age=${life}`]),
    ...['HttpOnly', 'SameSite=Lax', ...(isSecure ? ['Secure'] : [])],
  ]
  reply.header('Set-Cookie', [`${name}=${value}`, ...attributes].join('; '))
}

/** Null removes it. It goes to these pages alone. */
export function keep(
  context: OidcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  [name, value]: [string, string | null],
) {
  const life = value === null ? 0 : patience
  const path = `${context.prefix}${root}`
  setCookie(reply, { name, value: value ?? '', path, life, isSecure: context.isSecure(request) })
}

/** The session of the console, which remembers how it began. */
export function keepLogin(context: OidcContext, request: FastifyRequest, reply: FastifyReply, token: string): void {
  keepSession(reply, token, context.isSecure(request))
  keepProvider(context, request, reply)
}

/** Remembers that the login began at the provider. */
export function keepProvider(context: OidcContext, request: FastifyRequest, reply: FastifyReply): void {
  const isSecure = context.isSecure(request)
  setCookie(reply, { name: loggedInCookie, value: '1', path: `${context.prefix}/`, life: null, isSecure })
}

export function originOf(request: FastifyRequest) {
  return { ipAddress: withoutPort(request.ip), userAgent: request.headers['user-agent'] ?? '' }
}

function withWayBack({ prefix }: PagesContext, language: Language, text: string): Html {
  return html`
<p role="alert">${text}</p>
<p><a href="${prefix}/login">${pageText('log_in', language)}</a></p>`
}

export function sendRefusal(
  context: OidcContext,
  request: FastifyRequest,
  reply: FastifyReply,
  reason: Reason,
  facts: Readonly<Record<string, string>> = {},
): FastifyReply {
  const language = context.languageOf(request)
  return sendPage(reply, reason === 'oidc_away' ? 502 : 403, {
    language,
    title: pageText('login_title', language),
    content: withWayBack(context, language, pageText(reason, language, { provider: context.oidc.name, ...facts })),
  })
}

type Problems = readonly {
  readonly error: Parameters<typeof problemText>[0]
  readonly facts?: Parameters<typeof problemText>[2]
}[]

export function sendProblems(context: PagesContext, request: FastifyRequest, reply: FastifyReply, problems: Problems) {
  const language = context.languageOf(request)
  const text = problems.map(({ error, facts }) => problemText(error, language, facts)).join(' ')
  const content = withWayBack(context, language, text)
  return sendPage(reply, 403, { language, title: pageText('login_title', language), content })
}
