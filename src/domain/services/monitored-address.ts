import { plainName, registrableDomain } from '../expiry/registration.ts'
import type { Problem } from '../input/problem.ts'
import type { ProblemDetail } from '../input/problem-codes.ts'
import type { ServiceType } from './service-types.ts'
import { isDomainName } from './setting-grammars.ts'

/** The address to store, and the problems with it. */
export interface ReadAddress {
  /** Without the protocol prefix; valid only when there are no problems. */
  readonly address: string
  readonly problems: readonly Problem[]
}

type AddressFault =
  | 'unwanted'
  | 'missing'
  | 'protocol'
  | 'characters'
  | 'host'
  | 'port'
  | 'port_missing'
  | 'ipv4_only'
  | 'host_only'
  | 'port_apart'
  | 'domain'

const longestAddress = 2048

/**
 * Reads the monitored address of a service. The type's own prefix is accepted and removed; another prefix is a problem
 * (specification: Service, `address`; answers §7). Problems: missing_value, value_too_long, incorrect_value with a
 * detail.
 */
export function addressProblems(type: ServiceType, input: string, pointer: string): ReadAddress {
  const address = withoutPrefix(type, input.trim())
  if (address.length > longestAddress) {
    return { address, problems: [{ error: 'value_too_long', field: pointer, facts: { maximum: longestAddress } }] }
  }
  const fault = faultOf(type, address)
  if (fault === undefined) return { address: normalised(type, address), problems: [] }
  if (fault === 'missing') return { address, problems: [{ error: 'missing_value', field: pointer }] }
  const detail: ProblemDetail = `address_${fault}`
  return { address, problems: [{ error: 'incorrect_value', field: pointer, facts: { detail } }] }
}

function withoutPrefix(type: ServiceType, address: string): string {
  const { addressPrefix } = type
  const hasPrefix = addressPrefix !== '' && address.toLowerCase().startsWith(addressPrefix)
  return hasPrefix ? address.slice(addressPrefix.length) : address
}

/** A lone IPv6 address needs no brackets, because nothing can follow it. A domain has one spelling. */
function normalised(type: ServiceType, address: string): string {
  if (type.addressForm === 'domain') return plainName(address)
  return type.addressForm === 'host' ? address.replace(/^\[(.*)\]$/, '$1') : address
}

function faultOf(type: ServiceType, address: string): AddressFault | undefined {
  if (type.addressForm === 'none') return address === '' ? undefined : 'unwanted'
  if (address === '') return 'missing'
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return 'protocol'
  if (/[\p{Z}\p{C}\\]/u.test(address)) return 'characters'
  const onlyIpv6 = type.category === 'ipv6'
  switch (type.addressForm) {
    case 'web': {
      const authority = /^[^/?#]*/.exec(address)?.[0] ?? ''
      return authorityFault(authority.slice(authority.lastIndexOf('@') + 1), onlyIpv6)
    }
    case 'host':
      if (/[/?#@]/.test(address)) return 'host_only'
      if (isIpv6(address)) return undefined
      return /^(\[[^\]]*\]|[^:]*):\d*$/.test(address) ? portFault(type) : hostFault(address, onlyIpv6)
    case 'domain':
      if (/[/?#@:]/.test(address)) return 'host_only'
      return registrableDomain(address) === null ? 'domain' : undefined
    case 'host_port':
      if (/[/?#@]/.test(address)) return 'host'
      return /:\d+$/.test(address) && !isIpv6(address) ? authorityFault(address, onlyIpv6) : 'port_missing'
  }
}

/** A port in an address that has none: many types have it as a setting. */
function portFault({ settings }: ServiceType): AddressFault {
  return settings.some(({ setting_id }) => setting_id === 'port') ? 'port_apart' : 'host_only'
}

/** host or host:port, an IPv6 address in brackets. */
function authorityFault(authority: string, onlyIpv6: boolean): AddressFault | undefined {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(authority)
  if (match === null) return 'host'
  const port = match[2]
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535)) return 'port'
  return hostFault(match[1] ?? '', onlyIpv6)
}

function hostFault(host: string, onlyIpv6: boolean): AddressFault | undefined {
  if (host.startsWith('[')) return isIpv6(host.slice(1, -1)) ? undefined : 'host'
  if (/(^|\.)(\d+|0x[0-9a-f]*)\.?$/i.test(host)) {
    // A last label that is a number makes every client read an IPv4 address; only its plain spelling is accepted.
    if (!isIpv4(host)) return 'host'
    return onlyIpv6 ? 'ipv4_only' : undefined
  }
  return host !== '.' && !/[*/]/.test(host) && isDomainName(host) ? undefined : 'host'
}

function isIpv4(host: string): boolean {
  const parts = host.split('.')
  return parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}

/** RFC 4291 text: eight groups, one `::` for a run of zeros, an IPv4 tail in place of the last two. No zone index. */
function isIpv6(text: string): boolean {
  const halves = text.split('::')
  if (halves.length > 2 || text.startsWith(':::')) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const tail = groups.at(-1)
  const hasIpv4Tail = tail?.includes('.') === true
  if (hasIpv4Tail && !(isIpv4(tail) && text.endsWith(tail))) return false
  const hexGroups = hasIpv4Tail ? groups.slice(0, -1) : groups
  if (!hexGroups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return false
  const width = hexGroups.length + (hasIpv4Tail ? 2 : 0)
  return halves.length === 2 ? width <= 7 : width === 8
}
