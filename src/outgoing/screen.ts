import { BlockList, isIP, isIPv4 } from 'node:net'

/** The addresses that may be dialled: all, or all except the denied ranges, of which these CIDRs are allowed. */
export type Allowed = 'all' | readonly string[]

/** True if the literal address may be dialled. */
export type Screen = (ip: string) => boolean

/**
 * Forbidden targets for a service open to strangers: private, loopback, link-local, metadata, multicast, documentation,
 * and IPv6 forms that lead to an IPv4 address (IANA's registries of special-purpose addresses).
 */
const deniedRanges = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's platform talks to its machines from here, and answers them.
  '168.63.129.16/32',
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  '100::/64',
  '100:0:0:1::/64',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '::ffff:0:0:0/96',
  '2001::/32',
  '2001:2::/48',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
] as const

export function createScreen(allowed: Allowed): Screen {
  if (allowed === 'all') return () => true
  const denied = listOf(deniedRanges)
  const opened = listOf(allowed)
  return (ip) => {
    if (!isPlain(ip)) return false
    const embedded = isatapIpv4(ip)
    const isDenied = isInside(denied, ip) || embedsIpv4(ip) || (embedded !== null && isInside(denied, embedded))
    return isInside(opened, ip) || !isDenied
  }
}

/** The IPv4 address that an ISATAP identifier leads to, below whatever prefix (RFC 5214); null for others. */
function isatapIpv4(ip: string): string | null {
  if (isIP(ip) !== 6) return null
  const [head = '', tail] = new URL(`http://[${ip}]/`).hostname.slice(1, -1).split('::')
  const [left, right] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''))
  const zeros = Array.from({ length: 8 - (left?.length ?? 0) - (right?.length ?? 0) }, () => '0')
  const groups = [...(left ?? []), ...zeros, ...(right ?? [])].map((group) => Number.parseInt(group, 16))
  const [high = 0, low = 0] = groups.slice(6)
  const isIsatap = (groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe
  return isIsatap ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : null
}

/** True unless it is a name or bound to a link (`fe80::1%eth0`). */
function isPlain(ip: string): boolean {
  return isIP(ip) !== 0 && !ip.includes('%')
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    const family = isIPv4(network) ? 'ipv4' : 'ipv6'
    list.addSubnet(network, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family)
  }
  return list
}

/** Node's BlockList judges an IPv4-mapped IPv6 address by the IPv4 rules. */
function isInside(list: BlockList, ip: string): boolean {
  const family = isIP(ip)
  return family !== 0 && list.check(ip, family === 4 ? 'ipv4' : 'ipv6')
}

/** The old IPv4-compatible form `::a.b.c.d` (RFC 4291, deprecated) is never a public target. */
function embedsIpv4(ip: string): boolean {
  return isIP(ip) === 6 && compatible.check(ip, 'ipv6') && !mapped.check(ip, 'ipv6')
}

const compatible = new BlockList()
compatible.addSubnet('::', 96, 'ipv6')
const mapped = new BlockList()
mapped.addSubnet('::ffff:0:0', 96, 'ipv6')
