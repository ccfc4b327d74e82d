import { oneLine } from '../../domain/text/one-line.ts'
import { type Answer, ask, type HttpExchange, type HttpRequest, type Timeouts } from '../../outgoing/exchange.ts'
import type { DeliveryOutcome, Message, Progress } from '../delivery.ts'
import { digest } from '../digest.ts'
import { constants, type Filling, fillBody, fillUrl } from './template.ts'

/** Any HTTP gateway. */
export interface HttpGateway {
  /** Template. */
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Template; null: the request has no body. */
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Statuses of success, as `201` or `2xx`. */
  readonly success: readonly string[]
  /** An answer that matches is a refusal, whatever its status. */
  readonly refusal: RegExp | null
  /** True if it sends a message only once for the same id. */
  readonly isIdempotent: boolean
  /** The meaning of its answers, if the provider is known. */
  readonly phrases?: GatewayPhrases
}

export interface GatewayPhrases {
  /** The message was accepted before. */
  readonly repeated?: RegExp
  /** This number or this text can never be sent. */
  readonly hopeless?: RegExp
  /** No message can be sent until the operator mends something. */
  readonly broken?: RegExp
}

export const gatewayTimeouts: Timeouts = { connection: 10_000, whole: 30_000 }

export interface Sending {
  readonly gateway: HttpGateway
  /** The name of its messages: `SMS`. */
  readonly name: string
  readonly timeouts: Timeouts
}

/** The host that receives messages. */
export const hostOf = ({ url }: HttpGateway): string => new URL(url).host

/** Sends a message to the gateway. Never rejects for a failing one. */
export async function sendOverHttp(
  { gateway, name, timeouts }: Sending,
  message: Message,
  { to, text }: { readonly to: string; readonly text: string },
  progress: Progress,
): Promise<DeliveryOutcome> {
  const request = requestOf(gateway, { to, text, id: digest(message.key) })
  const beforeSending = gateway.isIdempotent ? async () => undefined : () => progress.handOver()
  return outcomeOf(gateway, `The ${name} gateway`, await ask(request, beforeSending, timeouts))
}

/** The same message becomes the same request, however often it is tried. */
function requestOf(gateway: HttpGateway, filling: Filling): HttpRequest {
  const body = gateway.body === null ? null : fillBody(gateway.body, filling)
  return {
    url: fillUrl(gateway.url, filling),
    method: gateway.method,
    headers: {
      ...(body === null ? {} : { 'Content-Type': body.contentType }),
      ...gateway.headers,
      'Idempotency-Key': filling.id,
    },
    body: body?.content ?? null,
  }
}

function outcomeOf(gateway: HttpGateway, name: string, exchange: HttpExchange): DeliveryOutcome {
  if ('answer' in exchange) return verdictOf(gateway, name, exchange.answer)
  const { error, isSent, isStopped } = exchange
  if (isSent && !gateway.isIdempotent) {
    return { status: 'unconfirmed', error: `${name}'s answer was not seen: ${error}` }
  }
  return {
    ...{ status: 'failed', permanent: false, error: `${name} was not reached: ${error}` },
    ...(isStopped ? {} : { isGatewayDown: true }),
  }
}

function verdictOf(gateway: HttpGateway, name: string, answer: Answer): DeliveryOutcome {
  const { status, text, retryAfter } = answer
  const { repeated, hopeless, broken } = gateway.phrases ?? {}
  const isSuccess = gateway.success.some((one) => one === String(status) || one === `${Math.floor(status / 100)}xx`)
  const isRefused = gateway.refusal?.test(text) === true
  if ((isSuccess && !isRefused) || repeated?.test(text) === true) return { status: 'sent' }
  const isHopeless = hopeless?.test(text) === true
  const isBroken = !isHopeless && broken?.test(text) === true
  const said = oneLine(withoutSecrets(text, gateway), 200)
  return {
    status: 'failed',
    permanent: isHopeless || (!isBroken && !isSuccess && isPermanent(status)),
    isGatewayDown: isBroken || (!isHopeless && !isSuccess && !isPermanent(status)),
    error: `${name} answered ${status}${said === '' ? '' : `: ${said}`}`,
    ...(retryAfter === null ? {} : { retryAfter }),
  }
}

/** Too early, too many, or for the operator to mend: credentials, credit, address, method. */
const passing = [401, 402, 403, 404, 405, 407, 408, 425, 429]

/** True only if the status is about this number or this message. */
function isPermanent(status: number): boolean {
  return status >= 400 && status < 500 && !passing.includes(status)
}

/** Account holders read a gateway's answers; the operator's secrets must not appear there. */
function withoutSecrets(text: string, { url, headers, body }: HttpGateway): string {
  const { username, password, searchParams } = new URL(url)
  const secrets = [
    ...constants(body ?? ''),
    ...Object.values(headers).flatMap((value) => [value, ...value.split(' ')]),
    ...[username, password].map(decodeURIComponent),
    ...searchParams.values(),
  ]
  return secrets
    .filter((secret) => secret.length >= 6)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}
