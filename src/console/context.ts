import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth/authenticate.ts'
import { type Page, pageHeaders, renderPage } from '../auth/pages/page.ts'
import type { Language } from '../wording/language.ts'

export interface PagesContext {
  readonly authenticator: Pick<Authenticator, 'logIn' | 'logInByLink' | 'ownerOfLoginLink'>
  readonly languageOf: (request: FastifyRequest) => Language
  /** The path of PUBLIC_URL, without a slash at its end. */
  readonly prefix: string
  /** True if browsers reach us over TLS. */
  readonly isSecure: (request: FastifyRequest) => boolean
}

export function sendPage(reply: FastifyReply, status: number, page: Page): FastifyReply {
  return reply.code(status).headers(pageHeaders(page)).send(renderPage(page))
}
