import type { Request } from 'playwright-core'
import type { Phases } from '../protocol.ts'
import type { PageWatch } from './page-watch.ts'
import type { VisitProxy } from './proxy.ts'

const mostHops = 25

/**
 * The phases of the newest document, with redirects added up. The proxy times names and connections, the browser the
 * rest. The remaining time up to the load event is `transfer`, so the phases add up to the response time.
 */
export function documentPhases(watch: PageWatch, proxy: VisitProxy, responseMs: number): Phases {
  const parts = { dns: null as number | null, connect: null as number | null, tls: null as number | null }
  let firstByte: number | null = null
  const authorities = new Set<string>()
  for (const hop of hopsOf(watch.document())) {
    const authority = authorityOf(hop.url())
    const dialled = authorities.has(authority) ? null : proxy.dialled(authority)
    authorities.add(authority)
    parts.dns = sum(parts.dns, dialled?.dnsMs ?? null)
    parts.connect = sum(parts.connect, dialled?.connectMs ?? null)
    const { secureConnectionStart, connectEnd, requestStart, responseStart } = hop.timing()
    // The browser does not time a connection that was ready before its request.
    const handshakeMs = secureConnectionStart >= 0 ? connectEnd - secureConnectionStart : (dialled?.tlsMs ?? null)
    if (hop.url().startsWith('https:')) parts.tls = sum(parts.tls, handshakeMs)
    if (responseStart < 0) continue
    // Without a tunnel the proxy dials after the browser has sent its request.
    const dialledMs = hop.url().startsWith('http:') ? (dialled?.dnsMs ?? 0) + (dialled?.connectMs ?? 0) : 0
    firstByte = sum(firstByte, Math.max(0, responseStart - Math.max(0, requestStart) - dialledMs))
  }
  const before = [parts.dns, parts.connect, parts.tls, firstByte].reduce<number>(
    (total, part) => total + (part ?? 0),
    0,
  )
  return {
    ...parts,
    sent: null,
    first_byte: firstByte,
    transfer: firstByte === null ? null : Math.max(0, responseMs - before),
  }
}

function hopsOf(last: Request | null): Request[] {
  const hops: Request[] = []
  for (let hop = last; hop !== null && hops.length < mostHops; hop = hop.redirectedFrom()) hops.unshift(hop)
  return hops
}

function sum(one: number | null, other: number | null): number | null {
  return one === null ? other : one + (other ?? 0)
}

/** `host:port` in the form that the proxy receives; empty for an address outside the web. */
export function authorityOf(url: string): string {
  if (!URL.canParse(url)) return ''
  const { protocol, hostname, port } = new URL(url)
  return hostname === '' ? '' : `${hostname}:${port === '' ? (protocol === 'https:' ? '443' : '80') : port}`
}
