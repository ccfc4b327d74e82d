import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { Clock } from '../../domain/clock.ts'
import type { OAuthClient } from '../../domain/oauth-client.ts'
import type { Language } from '../../wording/language.ts'
import type { Authenticator } from '../authenticate.ts'
import { addAuthorizeRoutes } from '../oauth/authorize.ts'
import { addMetadataRoute, addTokenRoutes } from '../oauth/token.ts'
import { addPasswordRoutes } from './password-page.ts'

export interface WebOptions {
  readonly database: Database
  readonly clock: Clock
  readonly authenticator: Authenticator
  /** OAuth 2.0 clients of the configuration; others stand in the database. */
  readonly clients: readonly OAuthClient[]
  /** Undefined: where the request came in. */
  readonly publicUrl: string | undefined
}

export interface WebContext extends Omit<WebOptions, 'clients' | 'publicUrl'> {
  readonly languageOf: (request: FastifyRequest) => Language
  /** Whether browsers reach us over TLS. */
  readonly isSecure: (request: FastifyRequest) => boolean
}

/** Everything of logging in that is no operation of the API: OAuth 2.0, its login form, the page that sets a password. */
export function loginPages({ publicUrl, ...options }: WebOptions) {
  const rootOf = (request: FastifyRequest) => publicUrl ?? `${request.protocol}://${request.host}`
  return async (server: FastifyInstance, languageOf: WebContext['languageOf']): Promise<void> => {
    const isSecure = (request: FastifyRequest) => rootOf(request).startsWith('https:')
    const context = { ...options, languageOf, isSecure, rootOf }
    addAuthorizeRoutes(server, context)
    addTokenRoutes(server, context)
    addMetadataRoute(server, rootOf)
    addPasswordRoutes(server, context)
  }
}
