import type { Attempt } from '../attempt.ts'
import { hiderOf } from '../hide-secrets.ts'
import { fileNameOf, headerValue, headText } from './headers.ts'
import type { Received, WireRequest } from './received.ts'
import type { Hop } from './redirect.ts'
import type { HttpDemands } from './request.ts'

const userAgent = 'Mozilla/5.0 (compatible; Latarnik)'
const ownHeaders = [
  ['User-Agent', userAgent],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['Accept-Encoding', 'gzip, deflate, br'],
  ['Connection', 'close'],
] as const

/** Headers that hold secrets or describe content. They do not follow a redirect to another origin or to a GET. */
const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization'])
const contentHeaders = new Set(['content-type', 'content-length', 'content-encoding', 'content-language'])

/** The request of one hop; the user's headers replace ours of the same name. */
export function wireRequest(hop: Hop, demands: HttpDemands, cookies: string | null): WireRequest {
  const given = demands.headers.filter(([name]) => isSent(name.toLowerCase(), hop, demands))
  const headers: string[] = []
  const add = (name: string, value: string): void => {
    if (!given.some(([other]) => other.length === name.length && other.toLowerCase() === name.toLowerCase())) {
      headers.push(name, value)
    }
  }
  add('Host', hop.url.host)
  for (const [name, value] of ownHeaders) add(name, value)
  if (demands.authorization !== null && hop.isHome) add('Authorization', demands.authorization)
  if (cookies !== null) add('Cookie', cookies)
  if (hop.content !== null) add('Content-Length', String(Buffer.byteLength(hop.content)))
  for (const [name, value] of given) headers.push(name, value)
  return { method: hop.method, path: `${hop.url.pathname}${hop.url.search}`, headers, content: hop.content }
}

function isSent(name: string, hop: Hop, demands: HttpDemands): boolean {
  if (!hop.isHome && (secretHeaders.has(name) || name === 'host')) return false
  return !(hop.content === null && demands.content !== null && contentHeaders.has(name))
}

/** Puts the response into the evidence. `decoded` is the body without its content encoding, if it could be undone. */
export function explainResponse(
  attempt: Attempt,
  { url, received, secrets }: { readonly url: URL; readonly received: Received; readonly secrets: readonly string[] },
  decoded: Buffer | null,
): void {
  const { evidence, facts } = attempt
  const { head } = received
  if (received.warnings.length > 0) facts['warnings'] = received.warnings.join('; ')
  if (received.isCapped) facts['content_is_cut'] = true
  if (head === null) return
  attempt.dataSize = received.bodyBytes
  evidence.status_code = head.status
  evidence.response_headers = headText(head)
  evidence.content_type = headerValue(head, 'content-type')
  evidence.file_name = fileNameOf(head, url, hiderOf(secrets))
  const bytes = decoded ?? received.body.whole()
  evidence.artifacts = [{ typeId: 'content', contentType: evidence.content_type ?? '', bytes }]
}
