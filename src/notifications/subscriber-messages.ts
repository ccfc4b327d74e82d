import sql from 'sql-template-tag'
import type { DeliveryOutcome, Message, Progress, Transport } from '../channels/delivery.ts'
import type { Mailer } from '../channels/email/mail.ts'
import { lettersGateway } from '../channels/index.ts'
import type { Database, Executor } from '../database/connect.ts'
import type { Clock } from '../domain/clock.ts'
import type { StoredSettings } from '../domain/services/extended-settings.ts'
import { noPageHosts, type PageHosts } from '../domain/status-pages/page-host.ts'
import type { SubscriberKind } from '../domain/status-pages/subscriber.ts'
import type { ClaimRequest } from '../outbox/claims.ts'
import type { NoticeOfIncident } from '../outbox/incident-notices.ts'
import { type ClaimedMessage, claiming, endingOf } from '../outbox/messages.ts'
import { type PageAddress, pageUrlOf } from '../outbox/page-address.ts'
import { subscriberToken } from '../outbox/subscriber-links.ts'
import { confirmSubscriber, disableSubscriber } from '../outbox/subscribers.ts'
import { languageOf } from '../wording/language.ts'
import { type Attempted, type ClaimMessages, type OutboxMessage, unneeded } from './outbox-message.ts'
import { plainHtml } from './plain-html.ts'
import {
  challengePayload,
  conditionOf,
  incidentUrl,
  noticePayload,
  type SubscriberReader,
  type WordedNotice,
  wordConfirmation,
  wordLinks,
  wordNotice,
} from './subscriber-text.ts'

export interface SubscriberOptions {
  readonly database: Database
  readonly clock: Clock
  /** Where people reach the program, without `/v3`. */
  readonly publicUrl: string
  /** Host names that pages may have for themselves. */
  readonly pageHosts?: PageHosts
}

interface SubscriberMessage extends ClaimedMessage, PageAddress {
  readonly kind: 'subscriber_confirmation' | 'subscriber_links' | 'status_page_notice'
  readonly destination: string | null
  readonly subscriber_id: number
  readonly subscriber_kind: SubscriberKind
  readonly subscriber_address: string
  readonly settings: StoredSettings
  readonly is_confirmed: boolean
  readonly disabled_reason: string | null
  readonly page_id: number
  readonly owner_id: number
  readonly is_owner_blocked: boolean
  readonly title: string
  readonly language_id: string
  readonly time_zone_id: string
  /** Null: the message is about the subscription itself. */
  readonly facts: NoticeOfIncident | null
  /** The incident, or the planned stop. */
  readonly told_id: string | null
}

type Queue = 'subscriber_mail' | 'subscriber_hook'

function claimMessages(database: Executor, queue: Queue, request: ClaimRequest): Promise<SubscriberMessage[]> {
  return database.query<SubscriberMessage>(sql`
    with ${claiming(queue, request)}
    select claimed.id, claimed.kind, claimed.address, claimed.attempts, claimed.created_at, claimed.next_attempt_at, claimed.handed_over_at,
      claimed.destination, claimed.subscriber_id, subscriber.kind as subscriber_kind, subscriber.address as subscriber_address, subscriber.settings,
      subscriber.confirmed_at is not null as is_confirmed, subscriber.disabled_reason,
      page.id as page_id, page.owner_id, page.slug, page.host, page.host_proven_at, page.host_is_free,
      page.title, page.language_id, page.time_zone_id, notice.facts, coalesce(notice.incident_id::text, notice.stop_id) as told_id,
      owner.is_blocked or coalesce(parent.is_blocked, false) as is_owner_blocked
    from claimed join status_page_subscribers subscriber on subscriber.id = claimed.subscriber_id
    join status_pages page on page.id = subscriber.status_page_id
    join accounts owner on owner.id = page.owner_id
    left join accounts parent on parent.id = owner.parent_account_id
    left join status_page_notices notice on notice.id = claimed.notice_id
    order by claimed.id`)
}

type Keyed = SubscriberOptions & { readonly key: () => Promise<Buffer> }

/** Mails to the subscribers of status pages. */
export function subscriberMailsBy(options: Keyed, mailer: Mailer): ClaimMessages {
  return async (request) => {
    const key = await options.key()
    const messages = await claimMessages(options.database, 'subscriber_mail', request)
    return messages.map((message) =>
      outboxMessageOf(options, message, {
        channel: lettersGateway.id,
        send: (progress) => sendMail(mailer, message, readerOf(options, key, message), progress),
      }),
    )
  }
}

/** Messages to webhooks, chat channels and browsers of subscribers. */
export function subscriberHooksBy(options: Keyed, transport: Transport): ClaimMessages {
  return async (request) => {
    const key = await options.key()
    const messages = await claimMessages(options.database, 'subscriber_hook', request)
    return messages.map((message) =>
      outboxMessageOf(options, message, {
        channel: message.subscriber_kind,
        send: (progress) => sendHook({ options, transport, key }, message, progress),
      }),
    )
  }
}

function readerOf(
  { publicUrl, pageHosts = noPageHosts }: SubscriberOptions,
  key: Buffer,
  message: SubscriberMessage,
): SubscriberReader {
  const { subscriber_id: id } = message
  const pageUrl = pageUrlOf(message, publicUrl, pageHosts)
  const link = (path: string, token: string) => `${pageUrl}/subscribe/${path}?token=${token}`
  const manage = subscriberToken(key, 'manage', id)
  return {
    ...{ pageUrl, pageId: message.page_id, title: message.title },
    ...{ languageId: message.language_id, timeZoneId: message.time_zone_id },
    confirmUrl: link('confirm', subscriberToken(key, 'confirm', id)),
    changeUrl: link('manage', manage),
    leaveUrl: link('leave', manage),
  }
}

function wordingOf({ kind, facts, told_id: toldId }: SubscriberMessage, reader: SubscriberReader): WordedNotice {
  if (facts !== null && toldId !== null) return wordNotice(facts, toldId, reader)
  return kind === 'subscriber_links' ? wordLinks(reader) : wordConfirmation(reader)
}

/** The owner may have been blocked after the message was written. */
function isWanted(message: SubscriberMessage): boolean {
  const { kind, is_confirmed: isConfirmed, disabled_reason: reason, is_owner_blocked: isBlocked } = message
  if (isBlocked) return false
  return kind === 'status_page_notice'
    ? isConfirmed && reason === null
    : kind !== 'subscriber_confirmation' || !isConfirmed
}

const notWanted = unneeded('The subscriber does not wait for it any more')

async function sendMail(
  mailer: Mailer,
  message: SubscriberMessage,
  reader: SubscriberReader,
  progress: Progress,
): Promise<Attempted> {
  if (!isWanted(message)) return notWanted
  const worded = wordingOf(message, reader)
  const language = languageOf(message.language_id)
  // A confirmation has nothing to leave yet.
  const leaving = {
    'List-Unsubscribe': `<${reader.leaveUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
  const outcome = await mailer.send(
    {
      ...{ ...worded, attachment: null, html: plainHtml(worded.text, { language, hasPicture: false }) },
      ...{ key: keysOf(message).key, address: message.subscriber_address, decidedAt: message.created_at },
      // Not everybody is told of an incident from its beginning.
      thread: message.told_id === null ? null : { kind: 'series', key: keysOf(message).threadKey },
      headers: message.kind === 'subscriber_confirmation' ? {} : leaving,
    },
    progress,
  )
  return { subject: worded.subject, outcome: withoutAddress(outcome, message) }
}

/** The same for the messages about one incident. */
function keysOf({ id, told_id: toldId, subscriber_id: subscriberId }: SubscriberMessage) {
  return {
    key: `subscriber-message-${id}`,
    threadKey: toldId === null ? `subscription-${subscriberId}` : `incident-${toldId}-${subscriberId}`,
  }
}

/** Mail servers repeat the address in their answers, which are logged. */
function withoutAddress(outcome: DeliveryOutcome, { subscriber_address: address }: SubscriberMessage): DeliveryOutcome {
  return 'error' in outcome ? { ...outcome, error: outcome.error.replaceAll(address, '***') } : outcome
}

interface Hooked {
  readonly options: Keyed
  readonly transport: Transport
  readonly key: Buffer
}

async function sendHook(
  { options, transport, key }: Hooked,
  message: SubscriberMessage,
  progress: Progress,
): Promise<Attempted> {
  if (!isWanted(message)) return notWanted
  const { kind, facts, told_id: toldId, subscriber_id: id, created_at: decidedAt } = message
  const reader = readerOf(options, key, message)
  const worded = wordingOf(message, reader)
  const challenge = subscriberToken(key, 'challenge', id)
  const isNotice = facts !== null && toldId !== null
  const payload = isNotice
    ? noticePayload(facts, { toldId, decidedAt }, reader)
    : challengePayload({ challenge, secret: String(message.settings['secret'] ?? ''), decidedAt }, reader)
  const told: Message = {
    ...{ ...worded, ...keysOf(message), channelId: message.subscriber_kind, address: message.subscriber_address },
    ...{ settings: message.settings, serviceId: null, decidedAt, language: languageOf(message.language_id) },
    attachment: { fileName: 'event.json', contentType: 'application/json', content: JSON.stringify(payload) },
    link: isNotice ? incidentUrl(toldId, reader) : reader.confirmUrl,
    condition: isNotice ? conditionOf(facts) : 'confirmation',
    ...(isNotice ? { changeLink: reader.changeUrl } : {}),
  }
  const outcome = await transport.deliver(told, progress)
  const isChallenge = kind === 'subscriber_confirmation' && message.subscriber_kind === 'webhook'
  if (!isChallenge || outcome.status !== 'sent') return { subject: worded.subject, outcome }
  if (outcome.reference !== challenge) return { subject: worded.subject, outcome: noChallenge }
  await options.database.transaction((transaction) => confirmSubscriber(transaction, id, options.clock.now()))
  return { subject: worded.subject, outcome }
}

const noChallenge: DeliveryOutcome = {
  status: 'failed',
  permanent: true,
  error: 'The answer does not have the challenge',
}

interface Sending {
  readonly channel: string
  readonly send: (progress: Progress) => Promise<Attempted>
}

/** True if the address is dead: for mail every refusal for good, for hooks only an answer that says so. */
function isDead({ outcome, isAsked = true }: Attempted, queue: Queue): boolean {
  if (outcome.status !== 'failed' || !outcome.permanent || !isAsked) return false
  return queue === 'subscriber_mail' || outcome.isGone === true || outcome.isGatewayDown === undefined
}

function outboxMessageOf(
  { database }: SubscriberOptions,
  message: SubscriberMessage,
  { channel, send }: Sending,
): OutboxMessage {
  const { destination, owner_id: accountId, subscriber_id: subscriberId } = message
  const queue = message.subscriber_kind === 'email' ? 'subscriber_mail' : 'subscriber_hook'
  return {
    what: queue,
    channel,
    analysis: null,
    identity: { message_id: message.id, subscriber_id: subscriberId, kind: message.kind },
    ...(destination === null ? {} : { goesTo: { destination, accountId } }),
    attempts: message.attempts,
    createdAt: message.created_at,
    handedOverAt: message.handed_over_at,
    async send(progress) {
      const attempted = await send(progress)
      const { outcome } = attempted
      if (isDead(attempted, queue) && 'error' in outcome) await disableSubscriber(database, subscriberId, outcome.error)
      return attempted
    },
    ...endingOf(database, message),
  }
}
