import * as client from 'openid-client'
import { joinedClaims } from '../../domain/access/oidc-rules.ts'
import { isStorableJson } from '../../domain/input/storable.ts'
import type { Identity } from './identities.ts'

export interface ProviderOptions {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The secrets of one login, which the browser keeps until it comes back from the provider. */
export interface PendingLogin {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** The page of the console that was asked for. */
  readonly to: string
}

/** The description of a provider is read again after so many milliseconds. */
const keptFor = 3_600_000
/** Seconds that a provider has for an answer. */
const timeout = 10

/** The provider signs with a key that the known ones do not have, as after an abrupt change of its keys. */
function isOfOtherKey(error: unknown): boolean {
  if (!(error instanceof client.ClientError)) return false
  const isForged = error.cause instanceof Error && error.cause.message === 'JWT signature verification failed'
  return error.code === 'OAUTH_KEY_SELECTION_FAILED' || isForged
}

/** The identity provider of the installation (OpenID Connect Core 1.0; the operator names it). */
export class Provider {
  readonly #options: ProviderOptions
  #found: { readonly configuration: Promise<client.Configuration>; readonly at: number } | null = null

  constructor(options: ProviderOptions) {
    this.#options = options
  }

  async #discover(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options
    const url = new URL(issuer)
    // On one machine the provider may speak without TLS.
    const isLocal = url.protocol === 'http:'
    return client.discovery(url, clientId, clientSecret, undefined, {
      timeout,
      // Without TLS nothing but its signature vouches for an identity token, so it is verified everywhere.
      execute: [client.enableNonRepudiationChecks, ...(isLocal ? [client.allowInsecureRequests] : [])],
    })
  }

  /** Rejects while the provider does not answer; the next call tries again. */
  #configuration(): Promise<client.Configuration> {
    const now = performance.now()
    if (this.#found !== null && now - this.#found.at < keptFor) return this.#found.configuration
    const configuration = this.#discover()
    this.#found = { configuration, at: now }
    configuration.catch(() => {
      // The caller hears of it.
      this.#found = null
    })
    return configuration
  }

  /** The address at the provider that a browser goes to, and what it keeps until it is back. */
  async begin(redirectUri: string, to: string): Promise<{ readonly url: string; readonly journey: PendingLogin }> {
    const configuration = await this.#configuration()
    const journey = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
      to,
    }
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: journey.state,
      nonce: journey.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(journey.verifier),
      code_challenge_method: 'S256',
    })
    return { url: url.href, journey }
  }

  /** The identity of the browser that came back to `url`. Rejects if anything about it is not right. */
  async finish(url: string, { state, nonce, verifier }: PendingLogin): Promise<Identity> {
    const configuration = await this.#configuration()
    const tokens = await client
      .authorizationCodeGrant(configuration, new URL(url), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        // The library reads keys again after a minute; the next try shall not wait for that.
        if (isOfOtherKey(error)) this.#found = null
        throw error
      })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('The provider sent no identity token.')
    const { userinfo_endpoint: endpoint } = configuration.serverMetadata()
    const more =
      endpoint === undefined ? {} : await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    const joined = joinedClaims(claims, more)
    if (!isStorableJson(joined)) throw new Error('The provider sent claims with characters that no database stores.')
    return { issuer: claims.iss, subject: claims.sub, claims: joined }
  }

  /** The address at the provider that ends the login there; null if it has none. */
  async end(returnTo: string): Promise<string | null> {
    const configuration = await this.#configuration()
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null
    const { clientId } = this.#options
    return client.buildEndSessionUrl(configuration, { client_id: clientId, post_logout_redirect_uri: returnTo }).href
  }
}
