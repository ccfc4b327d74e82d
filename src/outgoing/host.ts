import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { Failure } from './failure.ts'

/** A host that can be looked up or dialled: a canonical literal address, or a name in its ASCII form. */
export interface Host {
  readonly name: string
  /** 0 for a name. */
  readonly family: 0 | 4 | 6
}

export interface HostAndPort {
  readonly host: Host
  readonly port: number
}

const plainName = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*\.?$/
/** Characters that would end the host within an address; URL parsers would silently drop the rest. */
const notInHosts = /[\s/\\?#@:%[\]]/
const onlyDigitsLast = /(?:^|\.)(?:0x[0-9a-f]*|[0-9]+)\.?$/

/**
 * Reads a host as a browser does. Decimal, hex, octal and short spellings of IPv4 become the address that they mean, so
 * that screening sees the dialled address. International names become ASCII.
 */
export function parseHost(text: string): Host {
  const trimmed = text.trim().toLowerCase()
  const bare = trimmed.startsWith('[') && trimmed.endsWith(']') ? trimmed.slice(1, -1) : trimmed
  const literal = isIP(bare)
  if (literal === 4) return { name: bare, family: 4 }
  if (literal === 6) return { name: canonicalIpv6(bare), family: 6 }
  if (notInHosts.test(bare)) throw notAHost(text)
  const looksNumeric = onlyDigitsLast.test(bare)
  if (!looksNumeric && plainName.test(bare) && !bare.includes('xn--')) return { name: bare, family: 0 }
  const canonical = looksNumeric ? canonicalIpv4(bare) : domainToASCII(bare)
  const family = isIP(canonical)
  if (family === 4) return { name: canonical, family: 4 }
  if (canonical !== '' && plainName.test(canonical) && canonical.length <= 254) return { name: canonical, family: 0 }
  throw notAHost(text)
}

function notAHost(text: string): Failure {
  return new Failure('address_invalid', `${JSON.stringify(text)} is not a host name or an address`)
}

/** `host`, `host:port`, `[ipv6]:port` or a bare IPv6 address. */
export function parseHostAndPort(text: string, defaultPort: number | null): HostAndPort {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text.trim())
  const hostText = match === null ? text : (match[1] ?? '')
  const port = match?.[2] === undefined ? defaultPort : Number(match[2])
  if (port === null || port < 1 || port > 65_535) {
    throw new Failure('address_invalid', `${JSON.stringify(text)} has no valid port`)
  }
  return { host: parseHost(hostText), port }
}

function canonicalIpv4(text: string): string {
  return URL.canParse(`http://${text}/`) ? new URL(`http://${text}/`).hostname : ''
}

function canonicalIpv6(text: string): string {
  if (!URL.canParse(`http://[${text}]/`)) {
    throw new Failure('address_invalid', `${JSON.stringify(text)} is not an address that can be dialled`)
  }
  return new URL(`http://[${text}]/`).hostname.slice(1, -1)
}
