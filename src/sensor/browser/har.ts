import type { Request, Response } from 'playwright-core'
import { hideSecrets } from '../hide-secrets.ts'
import { type Header, shownHeader } from '../http/headers.ts'
import { within } from './within.ts'

/**
 * HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), without contents, cookies, credentials and request bodies.
 */

export interface ArchivedPage {
  readonly id: string
  readonly title: string
  readonly startedAt: number
  /** Time until the document was parsed; null if it was not. */
  contentMs: number | null
  /** Time until the load event. */
  loadMs: number | null
}

export interface ArchivedRequest {
  readonly request: Request
  readonly startedAt: number
  readonly pageId: string | null
}

export interface Archived {
  readonly browser: { readonly name: string; readonly version: string }
  readonly pages: readonly ArchivedPage[]
  readonly requests: readonly ArchivedRequest[]
  readonly isFinished: (request: Request) => boolean
}

export interface HarView {
  readonly secrets: readonly string[]
  /** The address that was dialled for the URL; null if none was. */
  readonly ipOf: (url: string) => string | null
}

const longestUrl = 2000
const mostParameters = 100
/** Limit per message; the headers left out only repeat the address or add bulk. */
const longestHeaders = 16_384
const unknown = -1
/** Some of the driver's answers may never come, such as the headers of a request that was never sent. */
const patienceMs = 1500

export async function harText({ browser, pages, requests, isFinished }: Archived, view: HarView): Promise<string> {
  const entries = await Promise.all(requests.map((one) => entryOf(one, isFinished(one.request), view)))
  const log = {
    version: '1.2',
    creator: { name: 'Latarnik', version: '1' },
    browser,
    pages: pages.map(({ id, title, startedAt, contentMs, loadMs }) => ({
      startedDateTime: new Date(startedAt).toISOString(),
      id,
      title: shownUrl(title),
      pageTimings: { onContentLoad: contentMs ?? unknown, onLoad: loadMs ?? unknown },
    })),
    entries,
  }
  return hideSecrets(JSON.stringify({ log }), view.secrets)
}

async function entryOf({ request, startedAt, pageId }: ArchivedRequest, isFinished: boolean, { ipOf }: HarView) {
  const url = request.url()
  const response = request.existingResponse()
  // If the driver has no answer, the archive has only the request's own facts, and unknown sizes.
  const told = response === null ? null : await within(patienceMs, tell(response, isFinished)).catch(() => null)
  const timings = timingsOf(request)
  const ip = ipOf(url)
  return {
    ...(pageId === null ? {} : { pageref: pageId }),
    startedDateTime: new Date(startedAt).toISOString(),
    time: Object.entries(timings).reduce((sum, [name, ms]) => (name === 'ssl' ? sum : sum + Math.max(0, ms)), 0),
    request: {
      method: request.method(),
      url: shownUrl(url),
      httpVersion: told?.httpVersion ?? '',
      cookies: [],
      headers: shownHeaders(told?.sent ?? listOf(request.headers())),
      queryString: pairsOf(url),
      headersSize: told?.sizes?.requestHeadersSize ?? unknown,
      bodySize: told?.sizes?.requestBodySize ?? unknown,
    },
    response: responseOf(request, response, told),
    cache: {},
    timings,
    ...(ip === null ? {} : { serverIPAddress: ip }),
    _resourceType: request.resourceType(),
  }
}

interface Told {
  readonly sent: readonly Header[]
  readonly received: readonly Header[]
  readonly httpVersion: string
  readonly sizes: Awaited<ReturnType<Request['sizes']>> | null
}

async function tell(response: Response, isFinished: boolean): Promise<Told> {
  const request = response.request()
  const [sent, received, version, sizes] = await Promise.all([
    request.headersArray(),
    response.headersArray(),
    response.httpVersion(),
    isFinished ? request.sizes() : null,
  ])
  return { sent, received, httpVersion: protocolName(version), sizes }
}

function responseOf(request: Request, response: Response | null, told: Told | null) {
  const headers = told?.received ?? (response === null ? [] : listOf(response.headers()))
  const headerOf = (wanted: string) => headers.find(({ name }) => name.toLowerCase() === wanted)?.value
  const bodySize = told?.sizes?.responseBodySize ?? unknown
  const failure = request.failure()
  return {
    status: response?.status() ?? 0,
    statusText: response?.statusText() ?? '',
    httpVersion: told?.httpVersion ?? '',
    cookies: [],
    headers: shownHeaders(headers),
    // For a compressed body only the compressed size is known.
    content: {
      size: headerOf('content-encoding') === undefined ? bodySize : unknown,
      mimeType: headerOf('content-type') ?? 'x-unknown',
    },
    redirectURL: shownUrl(request.redirectedTo()?.url() ?? ''),
    headersSize: told?.sizes?.responseHeadersSize ?? unknown,
    bodySize,
    ...(failure === null ? {} : { _error: failure.errorText }),
  }
}

/** Milliseconds; -1 for phases that did not happen. Connecting leads only to the proxy, which is on this machine. */
function timingsOf(request: Request) {
  const at = request.timing()
  const between = (from: number, to: number) => (from < 0 || to < 0 ? unknown : round(Math.max(0, to - from)))
  const first = [at.domainLookupStart, at.connectStart, at.requestStart].find((moment) => moment >= 0)
  return {
    blocked: first === undefined ? unknown : round(first),
    dns: between(at.domainLookupStart, at.domainLookupEnd),
    connect: between(at.connectStart, at.connectEnd),
    ssl: between(at.secureConnectionStart, at.connectEnd),
    send: 0,
    wait: Math.max(0, between(at.requestStart, at.responseStart)),
    receive: Math.max(0, between(at.responseStart, at.responseEnd)),
  }
}

function round(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/**
 * The protocol as servers name it. The browser uses other names (`http/1.0`, `h3`), and so does the driver
 * (`HTTP/2.0`).
 */
export function protocolName(name: string): string {
  return name
    .toUpperCase()
    .replace(/^H(?=\d)/, 'HTTP/')
    .replace(/^HTTP\/([23])\.0$/, 'HTTP/$1')
}

/** As many headers as fit. A page may send a thousand requests, each with as many headers as a browser allows. */
function shownHeaders(headers: readonly Header[]): Header[] {
  let left = longestHeaders
  return headers.map(shownHeader).filter(({ name, value }) => {
    left -= name.length + value.length
    return left >= 0
  })
}

function shownUrl(url: string): string {
  return url.length > longestUrl ? `${url.slice(0, longestUrl)}…` : url
}

function listOf(headers: Readonly<Record<string, string>>): Header[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

/** Only the displayed part of the address counts: two megabytes of it would be a million pairs. */
function pairsOf(url: string): Header[] {
  const beginning = url.slice(0, longestUrl)
  if (!URL.canParse(beginning)) return []
  return [...new URL(beginning).searchParams].slice(0, mostParameters).map(([name, value]) => ({ name, value }))
}
