import { parse } from 'tldts'
import type { ServiceType } from '../services/service-types.ts'
import { isDomainName } from '../services/setting-grammars.ts'
import type { Expiry } from './expiry.ts'
import { plainName } from './registration.ts'

/** The domain of a service's host, whose registration is watched beside the checks of the service. */

export interface WatchedDomain {
  /** In ASCII. */
  readonly name: string
  /** Null: its registry publishes no end. Undefined: nothing is known of it at the moment. */
  readonly end: Expiry | null | undefined
}

/** The registered domain above the host of an address; null for an IP address and a name of a private network. */
export function domainOfAddress({ addressForm }: Pick<ServiceType, 'addressForm'>, address: string): string | null {
  if (addressForm === 'none' || addressForm === 'domain') return null
  const authority = addressForm === 'web' ? (/^[^/?#]*/.exec(address)?.[0] ?? '') : address
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
  const name = plainName(host)
  if (!isDomainName(name)) return null
  const { domain, isIcann } = parse(name)
  return isIcann === true ? domain : null
}
