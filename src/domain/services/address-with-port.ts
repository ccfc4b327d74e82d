/** Digits of a port that something can listen on. */
export function isPort(digits: string): boolean {
  return /^\d{1,5}$/.test(digits) && Number(digits) >= 1 && Number(digits) <= 65_535
}

/** The address with the port that is a setting of its own; an IPv6 address gets brackets. */
export function addressWithPort(address: string, port: number | null | undefined): string {
  if (port == null) return address
  const [authority = '', ...rest] = address.split(/(?=[/?#])/)
  const isBareIpv6 = !authority.startsWith('[') && !authority.includes('@') && authority.split(':').length > 2
  const hostAt = authority.lastIndexOf('@') + 1
  const host = authority.slice(hostAt).replace(/^(\[[^\]]*\]|[^:]*):\d+$/, '$1')
  return `${isBareIpv6 ? `[${authority}]` : authority.slice(0, hostAt) + host}:${port}${rest.join('')}`
}
