import type { Config } from '../config/config.ts'
import type { PageHosts } from '../domain/status-pages/page-host.ts'

/** The host names that status pages may have; never that of the API. */
export function pageHostsOf({
  statusPageHosts: hosts,
  statusPages,
  publicUrl,
}: Pick<Config, 'statusPageHosts' | 'statusPages' | 'publicUrl'>): PageHosts {
  return {
    ...hosts,
    own: [publicUrl, statusPages?.url].flatMap((url) => (url === undefined ? [] : new URL(url).hostname)),
  }
}
