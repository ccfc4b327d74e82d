import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type AddressFamily, type CheckedAddress, refusedOnTheWay } from '../../outgoing/dial.ts'
import { Failure } from '../../outgoing/failure.ts'
import { parseHost } from '../../outgoing/host.ts'
import type { Attempt } from '../attempt.ts'
import type { Equipment } from '../equipment.ts'
import { NoCommonProtocol } from '../tls.ts'
import { type CertificateProperties, certificateProperties } from './certificate-properties.ts'
import type { CookieJar } from './cookies.ts'
import { exchange, type HttpExchangeOptions } from './exchange.ts'
import { exchangeHttp2 } from './exchange-http2.ts'
import { headerValues } from './headers.ts'
import { newReceived, type Received, type ResponseHead, type WireRequest } from './received.ts'
import { type Hop, isRedirect, nextHop } from './redirect.ts'
import type { HttpDemands } from './request.ts'
import { explainResponse, wireRequest } from './wire.ts'

export interface Walk {
  readonly attempt: Attempt
  readonly equipment: Equipment
  readonly family: AddressFamily
  readonly demands: HttpDemands
  readonly cookies: CookieJar
  /** The certificate of the last hop. */
  readonly met: { certificate: CertificateProperties | null }
}

/** The last response of a walk. */
export interface Arrival {
  readonly hop: Hop
  readonly received: Received
  readonly head: ResponseHead
  readonly certificate: CertificateProperties | null
}

/** Walks along the redirects to the last response, as a browser does. */
export async function follow(walk: Walk): Promise<Arrival> {
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
    if (!demands.followRedirects || !isRedirect(head)) {
      return { hop, received, head, certificate: walk.met.certificate }
    }
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
    walk.met.certificate = null
    const socket = await openConnection(walk, hop, addresses, ['http/1.1'])
    if ((await exchange(attempt, socket, wire, options)) === 'done') return
    if (url.protocol === 'http:') throw new Failure('http_not_spoken', 'the server speaks HTTP/2 without TLS only')
  } catch (error) {
    if (!(error instanceof NoCommonProtocol)) throw error
  }
  await visitHttp2(walk, hop, addresses, { wire, ...options })
}

async function visitHttp2(
  walk: Walk,
  hop: Hop,
  addresses: readonly CheckedAddress[],
  { wire, ...options }: HttpExchangeOptions & { readonly wire: WireRequest },
): Promise<void> {
  const socket = await secureConnection(walk, hop, addresses, ['h2'])
  await exchangeHttp2(walk.attempt, socket, wire, { ...options, origin: hop.url })
}

function openConnection(
  walk: Walk,
  hop: Hop,
  addresses: readonly CheckedAddress[],
  protocols: readonly string[],
): Promise<Socket> {
  if (hop.url.protocol === 'https:') return secureConnection(walk, hop, addresses, protocols)
  return walk.equipment.dialler.connect(walk.attempt, addresses, portOf(hop.url))
}

async function secureConnection(
  { attempt, equipment, demands, met }: Walk,
  { url, isHome }: Hop,
  addresses: readonly CheckedAddress[],
  protocols: readonly string[],
): Promise<TLSSocket> {
  const socket = await equipment.dialler.connect(attempt, addresses, portOf(url))
  const { verifyCertificate, certificateDays } = demands
  const secure = await equipment.tls.handshake(attempt, socket, parseHost(url.hostname), {
    verifyCertificate,
    certificateDays,
    protocols,
    clientCertificate: isHome ? demands.clientCertificate : null,
  })
  const isAsked = demands.assertions.some(({ source }) => source === 'certificate')
  if (isAsked) met.certificate = certificateProperties(secure.getPeerCertificate())
  return secure
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}
