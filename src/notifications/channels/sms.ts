import { asOneSms } from '../../domain/sms-text.ts'
import type { Channel, Message, Outcome } from '../channel.ts'
import { digest } from '../digest.ts'
import { refused } from '../parcel.ts'
import { oneLine } from '../plain-text.ts'
import { constants, type Filling, fillBody, fillUrl } from './gateway-template.ts'
import { type Answer, ask, type Exchange, type GatewayRequest, type GatewayTimeouts } from './http-gateway.ts'

/** An HTTP gateway of any shape. */
export interface SmsGateway {
  /** Template. */
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Template; null: the request has none. */
  readonly body: string | null
  readonly headers: Readonly<Record<string, string>>
  /** Statuses, as `201` or `2xx`. */
  readonly success: readonly string[]
  /** An answer that holds it is a refusal, whatever its status. */
  readonly refusal: RegExp | null
  /** It sends a message once, however often it is asked to under one id. */
  readonly isIdempotent: boolean
  readonly isTransliterated: boolean
}

const usualTimeouts: GatewayTimeouts = { connection: 10_000, whole: 30_000 }

export function smsChannel(gateway: SmsGateway, timeouts: GatewayTimeouts = usualTimeouts): Channel {
  return {
    id: 'sms',
    notificationChannelIds: ['sms'],
    concurrency: 4,
    async deliver(message, progress) {
      const to = message.address.replace(/[ -]/g, '')
      if (!/^\+?\d{6,20}$/.test(to)) return refused(`${JSON.stringify(message.address)} is not a telephone number`)
      const request = requestOf(gateway, message, to)
      const beforeSending = gateway.isIdempotent ? async () => undefined : () => progress.handOver()
      return outcomeOf(gateway, await ask(request, beforeSending, timeouts))
    },
    close: () => undefined,
  }
}

/** The same message becomes the same request, however often it is tried. */
function requestOf(gateway: SmsGateway, message: Message, to: string): GatewayRequest {
  const text = asOneSms(oneLine(message.text, 1000), gateway.isTransliterated)
  const filling: Filling = { to, text, id: digest(message.key) }
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

function outcomeOf(gateway: SmsGateway, exchange: Exchange): Outcome {
  if ('answer' in exchange) return verdictOf(gateway, exchange.answer)
  if (exchange.isSent && !gateway.isIdempotent) {
    return { status: 'unconfirmed', error: `The SMS gateway's answer was not seen: ${exchange.error}` }
  }
  return { status: 'failed', permanent: false, error: `The SMS gateway was not reached: ${exchange.error}` }
}

function verdictOf(gateway: SmsGateway, answer: Answer): Outcome {
  const { status, text, retryAfter } = answer
  const isSuccess = gateway.success.some((one) => one === String(status) || one === `${Math.floor(status / 100)}xx`)
  if (isSuccess && gateway.refusal?.test(text) !== true) return { status: 'sent' }
  const said = oneLine(withoutSecrets(text, gateway), 200)
  return {
    status: 'failed',
    permanent: !isSuccess && isPermanent(status),
    error: `The SMS gateway answered ${status}${said === '' ? '' : `: ${said}`}`,
    ...(retryAfter === null ? {} : { retryAfter }),
  }
}

/** Too early, too many, or the operator's to mend: credentials, credit, address, method. */
const passing = [401, 402, 403, 404, 405, 407, 408, 425, 429]

/** Only what speaks of this number or this message. */
function isPermanent(status: number): boolean {
  return status >= 400 && status < 500 && !passing.includes(status)
}

/** Account holders read what a gateway answered; what it was told in confidence is the operator's alone. */
function withoutSecrets(text: string, { url, headers, body }: SmsGateway): string {
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
