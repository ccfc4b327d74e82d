import type { Clock } from '../domain/clock.ts'
import { errorText } from '../domain/text/error-text.ts'
import type { Dialler } from '../outgoing/dial.ts'
import { ask, askScreened, type HttpExchange, type HttpRequest, type Timeouts } from '../outgoing/exchange.ts'
import { type DeliveryOutcome, type Message, type Progress, refused, type Transport } from './delivery.ts'
import { integrationOf, integrations } from './index.ts'
import type { Integration, Sender } from './integration.ts'
import { sentSecrets, shownAnswer, shownRequest } from './shown-exchange.ts'
import { atChosenUrl, type VendorUrls } from './vendors.ts'

export interface IntegrationTransportOptions {
  readonly clock: Clock
  /** Connects to addresses that users name. */
  readonly dialler: Dialler
  readonly vendorUrls: VendorUrls
  readonly timeouts?: Timeouts
  /** Default: an installation without a name or keys. */
  readonly sender?: () => Promise<Sender>
  /** The integration of a message's channel. Default: a channel of notifications. */
  readonly find?: (channelId: string) => Integration | undefined
}

const usualTimeouts: Timeouts = { connection: 10_000, whole: 30_000 }

/** The limit of messages in progress; waiting for a slow destination costs almost nothing. */
const mostUnderWay = 2000

export const integrationTransportId = 'integrations'

/** Carries the messages of all integrations. */
export function integrationTransport(options: IntegrationTransportOptions): Transport {
  const { find = integrationOf } = options
  return {
    id: integrationTransportId,
    notificationChannelIds: integrations.map(({ channel }) => channel.id),
    concurrency: mostUnderWay,
    async deliver(message, progress) {
      const integration = find(message.channelId)
      if (integration === undefined) return refused(`There is no channel ${message.channelId}`)
      return send(options, integration, message, progress)
    },
    close: () => undefined,
  }
}

async function send(
  { clock, dialler, vendorUrls, timeouts = usualTimeouts, sender }: IntegrationTransportOptions,
  integration: Integration,
  message: Message,
  progress: Progress,
): Promise<DeliveryOutcome> {
  const { isIdempotent, read } = integration
  const sentAt = clock.now()
  const by = await sender?.()
  const request = requestOf(integration, { ...message, sentAt }, by)
  if ('cannot' in request) return refused(`${integration.channel.words.en.name}: ${request.cannot}`)
  const beforeSending = isIdempotent ? async () => undefined : () => progress.handOver()
  const asked = (given: HttpRequest, before: () => Promise<void>) => {
    const chosen = atChosenUrl(integration, given.url, vendorUrls)
    return chosen === null
      ? askScreened(dialler, given, before, timeouts)
      : ask({ ...given, url: chosen }, before, timeouts)
  }
  const amending = integration.amend(message, message.settings)
  if (amending !== null) await asked(amending, async () => undefined)
  const startedAt = performance.now()
  const exchange = await asked(request, beforeSending)
  const masked = (text: string) => withoutSecrets(text, message, integration, sentSecrets(message, request))
  progress.saw?.({
    request: shownRequest(integration, { ...message, sentAt }, request, by),
    response: 'answer' in exchange ? shownAnswer(exchange.answer, masked) : null,
    durationMs: Math.round(performance.now() - startedAt),
  })
  if (!('answer' in exchange)) return unanswered(integration, exchange, masked)
  // Masks before the text is cut, and again after parsing, because a secret escaped in JSON appears only then.
  const outcome = read({ ...exchange.answer, text: masked(exchange.answer.text) })
  return 'error' in outcome ? { ...outcome, error: masked(outcome.error) } : outcome
}

/** A destination may have supplied keys that cannot encrypt anything. */
function requestOf(integration: Integration, message: Message & { readonly sentAt: number }, sender?: Sender) {
  try {
    return integration.request(message, message.settings, sender)
  } catch (error) {
    return { cannot: errorText(error) }
  }
}

function unanswered(
  { channel, isIdempotent }: Integration,
  exchange: Exclude<HttpExchange, { answer: unknown }>,
  masked: (text: string) => string,
): DeliveryOutcome {
  const name = channel.words.en.name
  const error = masked(exchange.error)
  const { isSent, isStopped, isRefused } = exchange
  if (isRefused) return refused(`${name} was not reached: the address is not a public one`)
  if (isSent && !isIdempotent) return { status: 'unconfirmed', error: `${name}'s answer was not seen: ${error}` }
  const failed = { status: 'failed', permanent: false, error: `${name} was not reached: ${error}` } as const
  return isStopped ? failed : { ...failed, isGatewayDown: true }
}

/** Shorter secrets would mask ordinary words. */
const shortestSecret = 6

/** People who may not see secrets read the log of notifications, and a destination may repeat a secret. */
function withoutSecrets(
  text: string,
  { settings }: Message,
  integration: Integration,
  further: readonly string[],
): string {
  return integration.settings
    .filter(({ isSecret }) => isSecret)
    .flatMap(({ setting_id }) => writtenForms(String(settings[setting_id] ?? '')))
    .concat(further)
    .filter((secret) => secret.length >= shortestSecret)
    .reduce((masked, secret) => masked.replaceAll(secret, '***'), text)
}

/**
 * The forms in which a secret may be repeated, whole or one of several. For a secret address also its path, as servers
 * report it.
 */
function writtenForms(secret: string): readonly string[] {
  const { pathname = '', search = '' } = URL.canParse(secret) ? new URL(secret) : {}
  return [secret, encodeURIComponent(secret), ...secret.split(/[\s,]+/), `${pathname}${search}`, pathname]
}
