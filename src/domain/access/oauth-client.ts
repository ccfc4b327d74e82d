/** An application that may ask for access through OAuth 2.0 (specification: Authentication; answers §5, §15). */
export interface OAuthClient {
  readonly client_id: string
  readonly name: string
  /** Compared character by character. */
  readonly redirect_uris: readonly string[]
  /**
   * The client may receive tokens directly in the redirect address, as the specification allows. Otherwise it gets
   * codes with PKCE only.
   */
  readonly is_implicit_flow_allowed?: boolean
  /** It registered itself: it can serve assistants alone, and nobody has confirmed its name. */
  readonly is_registered?: boolean
}

/**
 * The program's own documentation page. People log in to it like to any other application; no other client may have
 * this id.
 */
export const documentationClientId = 'latarnik-documentation'

/** The redirect path of that page, below the address of the installation. */
export const documentationReturnPath = '/v3/public/doc/oauth2-redirect.html'

/** The OAuth client of an installation's documentation page. */
export function documentationClient(root: string): OAuthClient {
  return {
    client_id: documentationClientId,
    name: 'Latarnik API',
    redirect_uris: [`${root.replace(/\/$/, '')}${documentationReturnPath}`],
  }
}

/** A browser must not run, read or show addresses with these schemes. */
const dangerousProtocols = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'view-source:']

/**
 * An absolute address without a fragment or a password, to which a browser may be sent (RFC 6749, section 3.1.2). ASCII
 * only (RFC 3986), because it becomes part of headers.
 */
export function isRedirectUri(text: string): boolean {
  if (text.length > 2000 || /[^!-~]|[#"<>\\^`{|}]/.test(text)) return false
  const [, protocol = '', authority] = /^([a-z][a-z0-9+.-]*:)(?:\/\/([^/?]*))?[^/]?/i.exec(text) ?? []
  if (protocol === '' || dangerousProtocols.includes(protocol.toLowerCase())) return false
  // The host becomes a source of `form-action`, so it must not hold characters that separate parts of a content policy.
  return /^https?:$/i.test(protocol) ? /^[^@;,'*]+$/.test(authority ?? '') : !authority?.includes('@')
}

/** Letters, digits and a few signs, because it appears in addresses and logs. */
export function isClientId(text: string): boolean {
  return /^[A-Za-z0-9._~-]{1,100}$/.test(text)
}

function isClient(value: unknown): value is OAuthClient {
  if (typeof value !== 'object' || value === null) return false
  const { client_id: id, name, redirect_uris: uris, ...rest } = value as Readonly<Record<string, unknown>>
  const { is_implicit_flow_allowed: isImplicit = false, ...others } = rest
  const isNamed = typeof id === 'string' && isClientId(id) && typeof name === 'string' && name.trim() !== ''
  const hasUris = Array.isArray(uris) && uris.length > 0
  const areRight = hasUris && uris.every((uri) => typeof uri === 'string' && isRedirectUri(uri))
  return isNamed && areRight && typeof isImplicit === 'boolean' && isEmpty(others)
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0
}

/**
 * The clients in a JSON array of `{client_id, name, redirect_uris, is_implicit_flow_allowed?}`; null for any other
 * text.
 */
export function parseOAuthClients(json: string): readonly OAuthClient[] | null {
  try {
    const clients: unknown = JSON.parse(json)
    if (!Array.isArray(clients) || !clients.every(isClient)) return null
    return new Set(clients.map((client) => client.client_id)).size === clients.length ? clients : null
  } catch {
    return null
  }
}
