import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticator } from '../auth/authenticate.ts'
import type { Provider } from '../auth/oidc/provider.ts'
import { type LoginPage, pageHeaders, renderPage } from '../auth/pages/page.ts'
import type { AccountDefaults } from '../domain/access/account-defaults.ts'
import type { OidcRule } from '../domain/access/oidc-rules.ts'
import type { Clock } from '../domain/clock.ts'
import type { Language } from '../wording/language.ts'

/** The login through an identity provider. */
export interface OidcLogin {
  readonly provider: Pick<Provider, 'begin' | 'finish' | 'end'>
  /** Shown on the login page. */
  readonly name: string
  readonly rules: readonly OidcRule[]
  /** Language and time zone of accounts that it makes. */
  readonly defaults: AccountDefaults
  readonly clock: Clock
}

export interface PagesContext {
  readonly authenticator: Pick<
    Authenticator,
    | 'logIn'
    | 'grant'
    | 'admitIdentity'
    | 'logInByLink'
    | 'ownerOfLoginLink'
    | 'logInByIdentity'
    | 'authenticate'
    | 'verifySession'
    | 'admit'
    | 'askForNewPassword'
    | 'passkeys'
  >
  /** Null: there is no identity provider. */
  readonly oidc: OidcLogin | null
  /** The address of the script that asks for passkeys; null: the console is not built. */
  readonly passkeyScript: string | null
  /** The address of this installation, without a slash at its end. */
  readonly rootOf: (request: FastifyRequest) => string
  readonly languageOf: (request: FastifyRequest) => Language
  /** The path of PUBLIC_URL, without a slash at its end. */
  readonly prefix: string
  /** True if browsers reach us over TLS. */
  readonly isSecure: (request: FastifyRequest) => boolean
}

export function sendPage(reply: FastifyReply, status: number, page: LoginPage): FastifyReply {
  return reply.code(status).headers(pageHeaders(page)).send(renderPage(page))
}
