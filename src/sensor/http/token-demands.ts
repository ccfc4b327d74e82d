import type { Settings } from '../protocol.ts'
import { readOptionalText } from '../settings.ts'

/** The client credentials of OAuth 2.0. */
export interface TokenDemands {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope: string | null
  /** Where the id and the secret go (RFC 6749, section 2.3.1). */
  readonly authentication: 'header' | 'body'
}

/** Null without OAuth 2.0. */
export function readTokenDemands(settings: Settings): TokenDemands | null {
  const [url, clientId, clientSecret] = ['oauth_token_url', 'oauth_client_id', 'oauth_client_secret'].map((id) =>
    readOptionalText(settings, id),
  )
  if (!url || !clientId || !clientSecret) return null
  const isInBody = readOptionalText(settings, 'oauth_client_authentication') === 'body'
  const scope = readOptionalText(settings, 'oauth_scope')
  return { url, clientId, clientSecret, scope, authentication: isInBody ? 'body' : 'header' }
}
