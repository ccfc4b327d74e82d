import type { Problem } from '../domain/input/problem.ts'
import type { SubscriberKind } from '../domain/status-pages/subscriber.ts'
import type { SubscriberAddress } from '../outbox/subscribers.ts'
import type { Answer } from '../outgoing/exchange.ts'
import { completeAddress, destinationHost } from './addressing.ts'
import { membersOf } from './answer-members.ts'
import { addressProblems } from './declare.ts'
import { digest } from './digest.ts'
import { discord } from './discord.ts'
import { channelOf } from './index.ts'
import type { Integration } from './integration.ts'
import { slack } from './slack.ts'
import { teams } from './teams.ts'
import type { VendorUrls } from './vendors.ts'
import { webPushChannel } from './web-push.ts'
import { webhook } from './webhook.ts'
import { rotatedSecret, signatureHeaders } from './webhook-signature.ts'

/** A hook that was deleted: its subscriber is told nothing more. */
function withEnd(integration: Integration): Integration {
  return {
    ...integration,
    tells: () => true,
    read(answer) {
      const outcome = integration.read(answer)
      const isGone = answer.status === 404 || answer.status === 410
      return outcome.status === 'failed' && isGone ? { ...outcome, isGone } : outcome
    },
  }
}

/**
 * The challenge that a server repeats as `{"challenge": "…"}`. An echo of the whole request has it one level deeper.
 */
function repeatedChallenge({ text }: Answer): { readonly reference?: string } {
  const { challenge } = membersOf(text)
  return typeof challenge === 'string' ? { reference: challenge.slice(0, 200) } : {}
}

/**
 * A webhook of a subscriber. Its body is the attachment, and it is signed like every webhook. Its URL may be a secret
 * of a stranger, so errors do not repeat it.
 */
const subscriberWebhook: Integration = {
  ...withEnd(webhook),
  settings: webhook.settings.map((format) => (format.setting_id === 'url' ? { ...format, isSecret: true } : format)),
  request({ key, attachment, sentAt, decidedAt }, { url, secret }) {
    const body = String(attachment?.content ?? '{}')
    const signed = signatureHeaders({ id: digest(key), sentAt: sentAt ?? decidedAt, body }, String(secret))
    const headers = { 'User-Agent': 'Latarnik', 'Content-Type': 'application/json; charset=utf-8', ...signed }
    return { url: String(url), method: 'POST', headers, body }
  },
  read(answer) {
    const outcome = withEnd(webhook).read(answer)
    return outcome.status === 'sent' ? { ...outcome, ...repeatedChallenge(answer) } : outcome
  },
}

const hooks: ReadonlyMap<string, Integration> = new Map([
  ['webhook', subscriberWebhook],
  ['slack', withEnd(slack)],
  ['teams', withEnd(teams)],
  ['discord', withEnd(discord)],
  ['web_push', withEnd(webPushChannel)],
])

/** The integration that carries messages to subscribers of this kind; undefined for e-mail. */
export function subscriberIntegration(kind: string): Integration | undefined {
  return hooks.get(kind)
}

/** The address of a visitor as the owner of the page sees it: of a webhook the host, as its path may be a secret. */
export function withoutSecretPath(address: SubscriberAddress): SubscriberAddress {
  const [host = '', ...path] = address.address.split('/')
  return address.kind === 'webhook' && path.length > 0 ? { ...address, address: `${host}/…` } : address
}

/** The keys of a browser's push subscription. */
export interface PushKeys {
  readonly p256dh: string
  readonly auth: string
}

export interface GivenAddress {
  readonly kind: SubscriberKind
  readonly address: string
  /** For `web_push`. */
  readonly keys?: PushKeys
}

type Completed = { readonly address: SubscriberAddress } | { readonly problems: readonly Problem[] }

/**
 * The subscriber's address from the text that a person entered. Problems: incorrect_value, value_too_long, at
 * `data.address`.
 */
export function subscriberAddress({ kind, address, keys }: GivenAddress, vendorUrls: VendorUrls): Completed {
  if (kind === 'email') {
    const problems = addressProblems(channelOf('email'), address)
    return problems.length > 0
      ? { problems }
      : { address: { kind, address, settings: {}, destination: null, sameness: address.toLowerCase() } }
  }
  const own = kind === 'web_push' ? { endpoint: address, ...keys } : { url: address }
  const settings = kind === 'webhook' ? { ...own, secret: rotatedSecret(null).fresh } : own
  const given = { notification_channel_id: kind, settings }
  const { row, problems } = completeAddress(given, null, { vendorUrls, isSent: (field) => field in given })
  if (problems.length > 0 || row.settings === undefined || row.address === undefined) {
    return { problems: problems.map((problem) => ({ ...problem, field: 'data.address' })) }
  }
  const destination = destinationHost(kind, row.settings)
  return { address: { kind, address: row.address, settings: row.settings, destination, sameness: address } }
}
