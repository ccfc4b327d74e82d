import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type AddressFamily, type CheckedAddress, refusedOnTheWay } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHost } from '../../outgoing/host.ts'
import { Attempt, type CheckOutcome, observe } from '../../sensor/attempt.ts'
import type { Equipment } from '../../sensor/equipment.ts'
import { hideSecretsOfOutcome } from '../../sensor/hide-secrets.ts'
import { type CookieJar, createCookieJar } from '../../sensor/http/cookies.ts'
import { decodeBody } from '../../sensor/http/decode-body.ts'
import { type ExchangeOptions, exchange } from '../../sensor/http/exchange.ts'
import { exchangeHttp2 } from '../../sensor/http/exchange-http2.ts'
import { headerValue, headerValues } from '../../sensor/http/headers.ts'
import { judgeContent, judgeSpeed, judgeStatus } from '../../sensor/http/judge.ts'
import { newReceived, type Received, type ResponseHead, type WireRequest } from '../../sensor/http/received.ts'
import { type Hop, isRedirect, nextHop } from '../../sensor/http/redirect.ts'
import { type HttpDemands, readDemands } from '../../sensor/http/request.ts'
import { explainResponse, wireRequest } from '../../sensor/http/wire.ts'
import type { CheckJob } from '../../sensor/protocol.ts'
import { readInteger } from '../../sensor/settings.ts'
import type { Sight } from '../../sensor/sight.ts'
import { NoCommonProtocol } from '../../sensor/tls.ts'

interface Walk {
  readonly attempt: Attempt
  readonly equipment: Equipment
  readonly family: AddressFamily
  readonly demands: HttpDemands
  readonly cookies: CookieJar
}

interface Arrival {
  readonly hop: Hop
  readonly received: Received
  readonly head: ResponseHead
}

/** Up when a browser's user would see the page: http and https, redirects followed. */
export async function checkHttp(
  job: CheckJob,
  equipment: Equipment,
  family: AddressFamily,
  sight: Sight,
): Promise<CheckOutcome> {
  const attempt = new Attempt(job.address, readInteger(job.settings, 'timeout'), sight.moreMs)
  let secrets: readonly string[] = []
  const outcome = await observe(attempt, async () => {
    const demands = readDemands(job)
    secrets = demands.secrets
    const { hop, received, head } = await follow({ attempt, equipment, family, demands, cookies: createCookieJar() })
    attempt.stop()
    attempt.dataSize = received.bodyBytes
    await judgeAll(attempt, { hop, received, head }, demands)
  })
  return hideSecretsOfOutcome(outcome, secrets)
}

/** The status is judged first: a 500 with a broken page is a 500. */
async function judgeAll(attempt: Attempt, { hop, received, head }: Arrival, demands: HttpDemands): Promise<void> {
  const body = await decodeBody(received, headerValue(head, 'content-encoding')).catch((error: unknown) => {
    judgeStatus(head, demands)
    throw error
  })
  attempt.explain = () => explainResponse(attempt, { url: hop.url, received, secrets: demands.secrets }, body)
  judgeStatus(head, demands)
  await judgeContent(head, body, demands)
  judgeSpeed(attempt, demands)
}

/** Walks along the redirects to the last response, as a browser does. */
async function follow(walk: Walk): Promise<Arrival> {
  const { attempt, demands } = walk
  const visited = new Set<string>()
  let homeIp: string | null = null
  let hop: Hop = { url: demands.url, method: demands.method, content: demands.content, isHome: true }
  for (let redirects = 0; ; redirects += 1) {
    const received = newReceived()
    const { url } = hop
    attempt.evidence.base_url = url.href
    attempt.explain = () => explainResponse(attempt, { url, received, secrets: demands.secrets }, null)
    await visit(walk, hop, received).catch((error: unknown) => {
      throw redirects === 0 ? error : refusedOnTheWay(error, homeIp)
    })
    if (redirects === 0) homeIp = attempt.evidence.ip_address
    const { head } = received
    if (head === null) throw new Failure('http_closed_before_response', 'no response')
    if (!demands.followRedirects || !isRedirect(head)) return { hop, received, head }
    visited.add(stateOf(hop, walk.cookies))
    walk.cookies.keep(url, headerValues(head, 'set-cookie'))
    const next = nextHop(hop, head)
    if (redirects >= demands.maximumRedirects) {
      throw new Failure(
        'http_too_many_redirects',
        `more than ${demands.maximumRedirects} redirects, the next to ${next.url.href}`,
      )
    }
    if (visited.has(stateOf(next, walk.cookies))) {
      throw new Failure('http_redirect_loop', `${next.url.href} was visited before`)
    }
    hop = next
  }
}

/**
 * A site may redirect a browser to the same address after setting a cookie; only a repetition of the same request is a
 * loop.
 */
function stateOf({ url, method }: Hop, cookies: CookieJar): string {
  return `${method} ${url.href} ${cookies.header(url) ?? ''}`
}

async function visit(walk: Walk, hop: Hop, received: Received): Promise<void> {
  const { attempt, equipment, demands, family } = walk
  const { url } = hop
  const addresses = await equipment.dialler.resolve(attempt, parseHost(url.hostname), family)
  const wire = wireRequest(hop, demands, walk.cookies.header(url))
  const isHeadEnough = (head: ResponseHead): boolean => demands.followRedirects && isRedirect(head)
  const options = { received, isHeadEnough }
  try {
    const socket = await openConnection(walk, url, addresses, ['http/1.1'])
    if ((await exchange(attempt, socket, wire, options)) === 'done') return
    if (url.protocol === 'http:') throw new Failure('http_not_spoken', 'the server speaks HTTP/2 without TLS only')
  } catch (error) {
    if (!(error instanceof NoCommonProtocol)) throw error
  }
  await visitHttp2(walk, url, addresses, { wire, ...options })
}

async function visitHttp2(
  walk: Walk,
  url: URL,
  addresses: readonly CheckedAddress[],
  { wire, ...options }: ExchangeOptions & { readonly wire: WireRequest },
): Promise<void> {
  const socket = await secureConnection(walk, url, addresses, ['h2'])
  await exchangeHttp2(walk.attempt, socket, wire, { ...options, origin: url })
}

function openConnection(
  walk: Walk,
  url: URL,
  addresses: readonly CheckedAddress[],
  protocols: readonly string[],
): Promise<Socket> {
  if (url.protocol === 'https:') return secureConnection(walk, url, addresses, protocols)
  return walk.equipment.dialler.connect(walk.attempt, addresses, portOf(url))
}

async function secureConnection(
  { attempt, equipment, demands }: Walk,
  url: URL,
  addresses: readonly CheckedAddress[],
  protocols: readonly string[],
): Promise<TLSSocket> {
  const socket = await equipment.dialler.connect(attempt, addresses, portOf(url))
  const { verifyCertificate, certificateDays } = demands
  return await equipment.tls.handshake(attempt, socket, parseHost(url.hostname), {
    verifyCertificate,
    certificateDays,
    protocols,
  })
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
