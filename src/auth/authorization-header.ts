export type Credentials =
  | { readonly scheme: 'basic'; readonly username: string; readonly password: string }
  | { readonly scheme: 'bearer'; readonly token: string }
  | { readonly scheme: 'unreadable' }

/**
 * Reads an Authorization header (RFC 7617 with UTF-8, RFC 6750); null if it is absent or has another scheme. The sender
 * is not authenticated yet, so reading must take time linear in its length.
 */
export function readAuthorization(header: string | undefined): Credentials | null {
  const text = (header ?? '').trim()
  const space = text.indexOf(' ')
  const [scheme, rest] = space < 0 ? [text, ''] : [text.slice(0, space), text.slice(space).trim()]
  if (/^bearer$/i.test(scheme)) {
    return /^[A-Za-z0-9._~+/-]+=*$/.test(rest) ? { scheme: 'bearer', token: rest } : { scheme: 'unreadable' }
  }
  return /^basic$/i.test(scheme) ? readBasic(rest) : null
}

function readBasic(encoded: string): Credentials {
  const text = /^[A-Za-z0-9+/]+=*$/.test(encoded) ? decodeUtf8(Buffer.from(encoded, 'base64')) : null
  const colon = text?.indexOf(':') ?? -1
  if (text === null || colon < 0) return { scheme: 'unreadable' }
  return { scheme: 'basic', username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}
