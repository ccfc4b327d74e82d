import { isRedirectUri, type OAuthClient } from '../../domain/access/oauth-client.ts'

/** The redirect addresses that self-registered clients of assistants (RFC 7591) may have. */
export interface RegistrationPolicy {
  /** On the reader's own machine (RFC 8252, section 7.3). */
  readonly isLoopbackAllowed: boolean
  /** Over TLS, with a port unless it is the usual one. */
  readonly hosts: readonly string[]
}

const mark = 'self.'
const most = { nameLength: 60, addresses: 8, idLength: 1500 } as const

const loopbackAddress = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/

function isAllowed(address: string, { isLoopbackAllowed, hosts }: RegistrationPolicy): boolean {
  if (!isRedirectUri(address) || !URL.canParse(address)) return false
  if (loopbackAddress.test(address)) return isLoopbackAllowed
  const { protocol, host } = new URL(address)
  return protocol === 'https:' && hosts.includes(host)
}

/** Leaves letters and digits, so that the name cannot imitate a sentence or an address on the page of the consent. */
function cleanName(name: unknown): string {
  const letters = typeof name === 'string' ? name.replaceAll(/[^\p{L}\p{N} ._()+-]/gu, '') : ''
  return letters.replaceAll(/ +/g, ' ').trim().slice(0, most.nameLength).trim()
}

/** A client that registers itself, without a secret; null if it has no address that it may have. */
export function registeredClient(
  { name, addresses }: { readonly name: unknown; readonly addresses: readonly unknown[] },
  policy: RegistrationPolicy,
): OAuthClient | null {
  const uris = addresses
    .slice(0, most.addresses)
    .filter((address): address is string => typeof address === 'string' && isAllowed(address, policy))
  const [first] = uris
  if (first === undefined) return null
  const shown = cleanName(name) || new URL(first).hostname
  const id = `${mark}${Buffer.from(JSON.stringify([shown, ...uris])).toString('base64url')}`
  if (id.length > most.idLength) return null
  return { client_id: id, name: shown, redirect_uris: uris, is_registered: true }
}

/**
 * The client that an id of a registration describes. Registration is open, so the id is the registration: nothing is
 * stored, every process knows it, and a stricter policy ends it.
 */
export function clientOfRegistration(id: string, policy: RegistrationPolicy): OAuthClient | null {
  if (!id.startsWith(mark) || id.length > most.idLength) return null
  const parts = partsOf(id.slice(mark.length))
  if (parts === null) return null
  const [name, ...addresses] = parts
  const client = registeredClient({ name, addresses }, policy)
  return client?.client_id === id ? client : null
}

function partsOf(encoded: string): readonly unknown[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    return Array.isArray(parts) ? parts : null
  } catch {
    return null
  }
}

/** True if the client declared the address. A registered client takes any free port of its machine. */
export function isRedirectOf({ redirect_uris: own, is_registered: isRegistered }: OAuthClient, address: string) {
  if (own.includes(address)) return true
  const portless = isRegistered === true ? withoutPort(address) : null
  return portless !== null && own.some((uri) => withoutPort(uri) === portless)
}

function withoutPort(address: string): string | null {
  const [, host, rest] = loopbackAddress.exec(address) ?? []
  return host === undefined ? null : `${host}${rest}`
}

/** `off`, or a comma list of `loopback` and hosts; null for any other text. */
export function parseRegistrationPolicy(text: string): RegistrationPolicy | null {
  if (text === 'off') return { isLoopbackAllowed: false, hosts: [] }
  const parts = text.split(',').map((part) => part.trim())
  const hosts = parts.filter((part) => part !== 'loopback')
  const areHosts = hosts.every(
    (host) => /^[a-z0-9.-]+(:\d{1,5})?$/.test(host) && host.includes('.') && URL.canParse(`https://${host}`),
  )
  return areHosts ? { isLoopbackAllowed: parts.includes('loopback'), hosts } : null
}
