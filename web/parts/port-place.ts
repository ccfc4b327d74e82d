/** The place of a service's port: in its address, in a setting of its own, or nowhere. */
export type PortPlace = 'address' | 'setting' | 'none'

const hostPort = new Set(['tcp_connect', 'udp', 'tls', 'grpc'])
/** Before a path; an IPv6 address without brackets has no port. */
const leading = /^((?:[^/?#]*@)?(?:\[[^\]]*\]|[^:/?#@]*)):(\d+)(?=[/?#]|$)/

/** The address may have the port where the setting has no usual value. */
export function portPlace(typeId: string, formats: readonly PortFormat[]): PortPlace {
  const format = formats.find(({ setting_id }) => setting_id === 'port')
  if (format !== undefined) return format.default === null ? 'address' : 'setting'
  const base = typeId.replace(/_ipv6$/, '')
  return hostPort.has(base) || base === 'webappcheck' ? 'address' : 'none'
}

interface PortFormat {
  readonly setting_id: string
  readonly default?: unknown
}

const withoutScheme = (address: string) => address.trim().replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')

/** `[2001:db8::1]:25` as `2001:db8::1` and `25`; a protocol, a login and a path go. */
export function splitPort(address: string): { readonly host: string; readonly port: string | null } {
  const bare = withoutScheme(address)
  const port = leading.exec(bare)?.[2] ?? null
  const authority = bare.replace(/[/?#].*$/s, '').replace(/^.*@/, '')
  const host = port === null ? authority : authority.slice(0, -port.length - 1)
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port }
}

/** The address with this port, in place of one that it has. */
export function withPort(address: string, port: string): string {
  const [, authority = '', rest = ''] = /^([^/?#]*)(.*)$/s.exec(withoutScheme(address).replace(leading, '$1')) ?? []
  const isBareIpv6 = !authority.startsWith('[') && !authority.includes('@') && authority.split(':').length > 2
  return `${isBareIpv6 ? `[${authority}]` : authority}:${port}${rest}`
}
