import { BlockList, isIP, isIPv4 } from 'node:net'

export interface AddressRange {
  readonly address: string
  readonly prefixLength: number
  readonly family: 'ipv4' | 'ipv6'
}

/** Reads an IPv4 or IPv6 address or CIDR range; undefined for anything else. */
export function parseAddressRange(text: string): AddressRange | undefined {
  const [address = '', prefix, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined
  const bits = version === 4 ? 32 : 128
  if (prefix !== undefined && !/^(0|[1-9]\d{0,2})$/.test(prefix)) return undefined
  const prefixLength = prefix === undefined ? bits : Number(prefix)
  if (prefixLength > bits) return undefined
  return { address, prefixLength, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** A dual-stack socket shows an IPv4 peer as `::ffff:192.0.2.1`; the filter and the limits mean 192.0.2.1. */
export function withoutIpv4Mapping(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return mapped !== undefined && isIPv4(mapped) ? mapped : address
}

/** True if the address lies in one of the ranges. Unreadable ranges match nothing. */
export function isAddressWithin(address: string, ranges: readonly string[]): boolean {
  const plain = withoutIpv4Mapping(address)
  const version = isIP(plain)
  if (version === 0) return false
  const list = new BlockList()
  for (const text of ranges) {
    const range = parseAddressRange(text)
    if (range !== undefined) list.addSubnet(range.address, range.prefixLength, range.family)
  }
  return list.check(plain, version === 4 ? 'ipv4' : 'ipv6')
}
