import { hasHost, type PageHosts, pageUrl } from '../domain/status-pages/page-host.ts'

/** The parts of a page that decide its address. */
export interface PageAddress {
  readonly slug: string
  /** A host name of its own, or one that it asks for. */
  readonly host: string | null
  /** Null: the host is not its own yet. */
  readonly host_proven_at: number | null
  readonly host_is_free: boolean
}

/** Where visitors find a page, without a slash at the end: at its own host, or below the installation's address. */
export function pageUrlOf(page: PageAddress, publicUrl: string, hosts: PageHosts): string {
  const { slug, host, host_proven_at: provenAt, host_is_free: isFree } = page
  return pageUrl({ slug, host: hasHost({ host, provenAt, isFree }, hosts) ? host : null }, publicUrl)
}
