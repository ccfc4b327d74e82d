import { withoutPort } from '../domain/network.ts'
import { isAddressWithin, withoutIpv4Mapping } from './address-filter.ts'

/**
 * The caller's address: the nearest one that is no trusted proxy, of those that the proxies have written down (`X-Forwarded-For`, the
 * latest last). What stands before an address that is not trusted was written by whoever sits there.
 */
export function forwardedAddress(peer: string, header: string | undefined, trustedProxies: readonly string[]): string {
  const hops = (header ?? '').split(',').map((hop) => hop.trim())
  let address = withoutIpv4Mapping(peer)
  for (const hop of hops.reverse()) {
    if (hop === '' || !isAddressWithin(address, trustedProxies)) break
    address = withoutIpv4Mapping(withoutPort(hop))
  }
  return address
}
