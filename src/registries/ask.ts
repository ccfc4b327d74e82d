import type { AnswerTimes, RegistryFault } from '../domain/expiry/registration.ts'
import { createDialler, type Dialler } from '../outgoing/dial.ts'
import { type Answer, askScreened, pauseIn } from '../outgoing/exchange.ts'
import type { Resolve } from '../outgoing/resolver.ts'
import type { Allowed } from '../outgoing/screen.ts'

/** One question to a registry's server over HTTP, with its redirects. */

/** The ways to the servers of registries. */
export interface RegistryWays {
  /** To the servers that the installation or the list of servers names. */
  readonly servers: Dialler
  /** To other hosts that a server leads to: public ones alone. */
  readonly elsewhere: Dialler
}

export function registryWays(allow: Allowed, resolve?: Resolve): RegistryWays {
  const resolver = resolve === undefined ? {} : { resolve }
  return { servers: createDialler({ allow, ...resolver }), elsewhere: createDialler({ allow: [], ...resolver }) }
}

/** Milliseconds. The whole is shorter than a lease of the domain, over all redirects. */
const limits = { connection: 5000, whole: 10_000 }
const mostRedirects = 3

export type RegistryReply = AnswerTimes &
  (
    | { readonly kind: 'content'; readonly text: string; readonly etag: string | null }
    | { readonly kind: 'unchanged' }
    | { readonly kind: 'missing' }
    | { readonly kind: 'failed'; readonly fault: RegistryFault }
  )

interface Question {
  readonly url: string
  /** The known answer's; null: none is known. */
  readonly etag: string | null
  /** Bytes. */
  readonly longest: number
}

const headers = ['cache-control', 'etag']
const refusals = [403, 429, 503]
const redirects = [301, 302, 303, 307, 308]

/** Never rejects. */
export async function askServer(question: Question, ways: RegistryWays): Promise<RegistryReply> {
  const first = new URL(question.url)
  let url = first
  for (let count = 0; count <= mostRedirects; count += 1) {
    const isHome = url.hostname === first.hostname
    const exchange = await askScreened(
      isHome ? ways.servers : ways.elsewhere,
      { url: url.href, method: 'GET', headers: headersOf(question), body: null, wanted: { ...question, headers } },
      async () => undefined,
      limits,
    )
    if (!('answer' in exchange)) return failed('registry_silent', `${url.host}: ${exchange.error}`)
    const { answer } = exchange
    if (!redirects.includes(answer.status)) return replyOf(answer, url.host)
    const next = target(answer.headers?.['location'], url)
    if (next === null) return failed('registry_answer_invalid', `${url.host} redirects to no address`)
    url = next
  }
  return failed('registry_answer_invalid', `${first.host} redirects too often`)
}

function headersOf({ etag }: Question): Readonly<Record<string, string>> {
  return {
    Accept: 'application/rdap+json, application/json;q=0.9',
    'User-Agent': 'Latarnik',
    ...(etag === null ? {} : { 'If-None-Match': etag }),
  }
}

/** A redirect never leads from TLS to plain text. */
function target(location: string | undefined, from: URL): URL | null {
  if (location === undefined || !URL.canParse(location, from.href)) return null
  const to = new URL(location, from)
  const isHttp = to.protocol === 'https:' || (to.protocol === 'http:' && from.protocol === 'http:')
  return isHttp && to.username === '' ? to : null
}

function replyOf(answer: Answer, host: string): RegistryReply {
  const { status, text, headers: got = {} } = answer
  const times = { maxAge: maxAgeIn(got['cache-control']), retryAfter: pauseIn(got['retry-after'], got['date']) }
  if (status === 200) return { ...times, kind: 'content', text, etag: got['etag']?.slice(0, 500) ?? null }
  if (status === 304) return { ...times, kind: 'unchanged' }
  // Another server's 404, such as a proxy's, says nothing of a domain.
  if (status === 404 && /json/i.test(got['content-type'] ?? '')) return { ...times, kind: 'missing' }
  const symbol = refusals.includes(status) ? 'registry_refused' : 'registry_answer_invalid'
  return { ...times, kind: 'failed', fault: { symbol, message: `${host}: status ${status}` } }
}

function maxAgeIn(cacheControl: string | undefined): number | null {
  const [, seconds] = /\bmax-age\s*=\s*"?(\d{1,9})/i.exec(cacheControl ?? '') ?? []
  return seconds === undefined ? null : Number(seconds) * 1000
}

function failed(symbol: RegistryFault['symbol'], message: string): RegistryReply {
  return { kind: 'failed', fault: { symbol, message }, maxAge: null, retryAfter: null }
}
