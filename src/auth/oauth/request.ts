import { assistantPath, offeredScopes } from '../../domain/access/assistant-access.ts'
import type { KeyScope } from '../../domain/access/key-scopes.ts'
import { isRedirectUri, type OAuthClient } from '../../domain/access/oauth-client.ts'
import { isRedirectOf } from './client-registration.ts'

/** A client's request at the authorization endpoint (RFC 6749, section 4; RFC 7636). */
export interface AuthorizationRequest {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly responseType: 'token' | 'code'
  readonly state: string | null
  /** S256; null for the implicit flow. */
  readonly codeChallenge: string | null
  /** Our own address, for clients that talk to several servers (RFC 9207). */
  readonly issuer: string
  /** An assistant's login (RFC 8707: its resource is `/mcp`), with the scopes that it may get. Null: a session. */
  readonly offered: readonly KeyScope[] | null
}

/** The parameters that travel with the login form. */
export const requestParameters = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const

export type ReadRequest =
  | { readonly request: AuthorizationRequest }
  /** The client or the redirect address is wrong. This is shown to the person and never redirected. */
  | { readonly fault: 'unknown_client' | 'wrong_redirect' }
  /** The client's own mistake, reported to the client. */
  | { readonly redirect: string }

function single(parameters: URLSearchParams, name: string): string | null {
  const values = parameters.getAll(name)
  return values.length === 1 ? (values[0] ?? null) : null
}

export function clientIdOf(parameters: URLSearchParams): string {
  return single(parameters, 'client_id') ?? ''
}

/** Validates a request after its client was looked up. */
export function readRequest(
  parameters: URLSearchParams,
  known: { readonly client: OAuthClient | null; readonly issuer: string; readonly servesAssistants: boolean },
): ReadRequest {
  const { client, issuer } = known
  if (client === null) return { fault: 'unknown_client' }
  const redirectUri = single(parameters, 'redirect_uri')
  const isTheirs = redirectUri !== null && isRedirectOf(client, redirectUri)
  if (!isTheirs || !isRedirectUri(redirectUri) || !URL.canParse(redirectUri)) return { fault: 'wrong_redirect' }
  const wanted = single(parameters, 'response_type')
  const state = single(parameters, 'state')
  const responseType = wanted === 'code' ? 'code' : 'token'
  const codeChallenge = responseType === 'code' ? single(parameters, 'code_challenge') : null
  const isAssistants = client.is_registered === true || parameters.has('resource')
  const offered = isAssistants ? offeredScopes(single(parameters, 'scope')) : null
  const request = { client, redirectUri, responseType, state, codeChallenge, issuer, offered } as const
  const error = errorOf(parameters, request, wanted) ?? targetErrorOf(parameters, request, known.servesAssistants)
  return error === null ? { request } : { redirect: returnAddress(request, { error }) }
}

function errorOf(parameters: URLSearchParams, request: AuthorizationRequest, wanted: string | null): string | null {
  const isRepeated = requestParameters.some((name) => parameters.getAll(name).length > 1)
  if (isRepeated || wanted === null) return 'invalid_request'
  if (wanted !== request.responseType) return 'unsupported_response_type'
  if (request.responseType === 'token') return request.client.is_implicit_flow_allowed ? null : 'unauthorized_client'
  const isChallenged = /^[A-Za-z0-9_-]{43}$/.test(request.codeChallenge ?? '')
  return isChallenged && single(parameters, 'code_challenge_method') === 'S256' ? null : 'invalid_request'
}

/** RFC 8707: the only resource with tokens of its own is that of assistants, and its tokens come by codes. */
function targetErrorOf(
  parameters: URLSearchParams,
  { issuer, offered, responseType }: AuthorizationRequest,
  servesAssistants: boolean,
): string | null {
  if (offered === null) return null
  const resource = single(parameters, 'resource')
  if (!servesAssistants || (resource !== null && resource !== `${issuer}${assistantPath}`)) return 'invalid_target'
  return responseType === 'token' ? 'unauthorized_client' : null
}

/**
 * The address to which the browser returns. Parameters go into the fragment (implicit) or the query (code), with the
 * state as received and the issuer.
 */
export function returnAddress(
  { redirectUri, responseType, state, issuer }: Omit<AuthorizationRequest, 'client' | 'codeChallenge' | 'offered'>,
  values: Readonly<Record<string, string>>,
): string {
  const parameters = new URLSearchParams({ ...values, ...(state === null ? {} : { state }), iss: issuer })
  if (responseType === 'token') return `${redirectUri}#${parameters}`
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`
}

/** The address as a source of `form-action`, which browsers also apply to redirects after a form. */
export function formTarget(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  // A policy cannot name an IPv6 address.
  return isWeb && !hostname.startsWith('[') ? origin : protocol
}
