import { withoutPort } from '../domain/access/network.ts'
import { isAddressWithin, withoutIpv4Mapping } from './address-filter.ts'

/**
 * The caller's address: the nearest one in `X-Forwarded-For` (latest last) that is not a trusted proxy. The caller
 * itself could have written everything before an untrusted address.
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
