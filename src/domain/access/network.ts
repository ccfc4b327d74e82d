const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i

/**
 * The network that counts as one caller: an IPv4 address, or the /64 of an IPv6 one. One household or server usually
 * holds a whole /64.
 */
export function networkOf(ipAddress: string | undefined): string {
  return prefixOf(ipAddress, { dotted: 4, groups: 4 })
}

/** Networks that one provider gives to one customer at times: the /24 of an IPv4 address, the /48 of an IPv6 one. */
export function neighbourhoodOf(ipAddress: string | undefined): string {
  return prefixOf(ipAddress, { dotted: 3, groups: 3 })
}

function prefixOf(
  ipAddress: string | undefined,
  { dotted, groups }: { readonly dotted: number; readonly groups: number },
): string {
  // A caller that has already hung up has no address any more.
  const plain = mapped.exec(ipAddress ?? '')?.[1] ?? ipAddress ?? ''
  if (!plain.includes(':')) return plain.split('.').slice(0, dotted).join('.')
  const [head = '', tail] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right].slice(0, groups).join(':')
}

/** Some proxies append the connection's port to the address: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
export function withoutPort(address: string): string {
  const [, inBrackets, beforePort] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(address) ?? []
  return inBrackets ?? beforePort ?? address
}
