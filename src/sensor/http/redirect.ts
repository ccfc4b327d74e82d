import { Failure } from '../../outgoing/failure.ts'
import { headerValue } from './headers.ts'
import type { ResponseHead } from './received.ts'

/** The values that change from one hop to the next. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly content: string | null
  /** False once a redirect has led to another origin: credentials are not sent there (RFC 9110, section 15.4). */
  readonly isHome: boolean
}

const redirecting = new Set([301, 302, 303, 307, 308])

export function isRedirect(head: ResponseHead): boolean {
  return redirecting.has(head.status) && headerValue(head, 'location') !== null
}

/** The address and the method to which the response sends a browser. */
export function nextHop(hop: Hop, head: ResponseHead): Hop {
  const location = (headerValue(head, 'location') ?? '').trim()
  if (!URL.canParse(location, hop.url.href)) {
    throw new Failure('http_redirect_invalid', `status ${head.status} leads to ${JSON.stringify(location)}`)
  }
  const url = new URL(location, hop.url)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Failure(
      'http_redirect_invalid',
      `status ${head.status} leads to ${JSON.stringify(location)}, not to http or https`,
    )
  }
  if (url.hash === '') url.hash = hop.url.hash
  const becomesGet =
    (head.status === 303 && hop.method !== 'HEAD') ||
    (hop.method === 'POST' && (head.status === 301 || head.status === 302))
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    content: becomesGet ? null : hop.content,
    isHome: hop.isHome && url.origin === hop.url.origin,
  }
}
