import { isIP } from 'node:net'
import type { Screen } from '../outgoing/screen.ts'

/**
 * Domains outside the public name system (RFC 6761, RFC 6762, RFC 8375, RFC 9476, ICANN's `internal`), or often made
 * up.
 */
const privateDomains = [
  'localhost',
  'local',
  'internal',
  'home.arpa',
  'alt',
  'lan',
  'home',
  'corp',
  'intranet',
  'localdomain',
]

/** True if only the station's network can know the name: a single word, or a name below such a domain. */
export function isPrivateName(name: string): boolean {
  const plain = (name.endsWith('.') ? name.slice(0, -1) : name).toLowerCase()
  if (plain === '' || isIP(plain) !== 0) return false
  return !plain.includes('.') || privateDomains.some((domain) => plain === domain || plain.endsWith(`.${domain}`))
}

/**
 * The address behind a name of `in-addr.arpa` or `ip6.arpa`; null for every other name and for a part of an address.
 */
export function reversedAddress(name: string): string | null {
  const plain = name.toLowerCase().replace(/\.$/, '')
  const four = /^((?:\d{1,3}\.){3}\d{1,3})\.in-addr\.arpa$/.exec(plain)?.[1]
  if (four !== undefined) return four.split('.').toReversed().join('.')
  const six = /^((?:[0-9a-f]\.){32})ip6\.arpa$/.exec(plain)?.[1]
  if (six === undefined) return null
  const digits = six.replaceAll('.', '').split('').toReversed().join('')
  return digits.replaceAll(/.{4}(?=.)/g, '$&:')
}

/**
 * True if a question is about the station's own network: a private name, or the reverse name of a forbidden address.
 */
export function asksPrivately(name: string, mayBeShown: Screen): boolean {
  if (isPrivateName(name)) return true
  if (!/\.(in-addr|ip6)\.arpa\.?$/i.test(name)) return false
  const address = reversedAddress(name)
  return address === null || !mayBeShown(address)
}
