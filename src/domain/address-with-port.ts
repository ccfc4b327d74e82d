/** The address with the port that is a setting of its own; an IPv6 address gets brackets. */
export function addressWithPort(address: string, port: number | null | undefined): string {
  if (port == null) return address
  const [authority = '', ...rest] = address.split(/(?=[/?#])/)
  const isBareIpv6 = !authority.startsWith('[') && !authority.includes('@') && authority.split(':').length > 2
  return `${isBareIpv6 ? `[${authority}]` : authority.replace(/^((?:.*@)?(?:\[[^\]]*\]|[^:]*)):\d+$/, '$1')}:${port}${rest.join('')}`
}
