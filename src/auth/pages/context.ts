import type { FastifyRequest } from 'fastify'
import type { Database } from '../../database/connect.ts'
import type { OAuthClient } from '../../domain/access/oauth-client.ts'
import type { Clock } from '../../domain/clock.ts'
import type { Language } from '../../wording/language.ts'
import type { Authenticator } from '../authenticate.ts'
import type { RegistrationPolicy } from '../oauth/client-registration.ts'

export interface WebOptions {
  readonly database: Database
  readonly clock: Clock
  readonly authenticator: Authenticator
  /** OAuth 2.0 clients of the configuration; others are in the database. */
  readonly clients: readonly OAuthClient[]
  /** Which clients of assistants register themselves; null: assistants are not served. */
  readonly assistants: RegistrationPolicy | null
  /** Undefined: the address of the request is used. */
  readonly publicUrl: string | undefined
  /** The address of the script that asks for passkeys; null: the console is not built. */
  readonly passkeyScript: string | null
}

export interface WebContext extends Omit<WebOptions, 'clients' | 'publicUrl' | 'assistants' | 'passkeyScript'> {
  readonly languageOf: (request: FastifyRequest) => Language
  /** True if browsers reach us over TLS. */
  readonly isSecure: (request: FastifyRequest) => boolean
}

export interface OAuthContext extends WebContext {
  readonly clients: readonly OAuthClient[]
  readonly assistants: RegistrationPolicy | null
  readonly passkeyScript: string | null
  /** The address by which the browser reaches us. */
  readonly rootOf: (request: FastifyRequest) => string
}
