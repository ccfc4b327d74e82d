import type { HostedPage } from '../database/status-pages/status-page-rows.ts'
import { hasHost, type PageHosts } from '../domain/status-pages/page-host.ts'

export function hasOwnHost(page: HostedPage, hosts: PageHosts): boolean {
  return hasHost({ host: page.host, provenAt: page.host_proven_at, isFree: page.host_is_free }, hosts)
}

/** The page without a host that it only claims. */
export function withOwnHost<P extends HostedPage>(page: P, hosts: PageHosts): P {
  return hasOwnHost(page, hosts) ? page : { ...page, host: null }
}
