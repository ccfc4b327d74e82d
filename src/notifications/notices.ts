import { makeCode } from '../channels/confirmation-codes.ts'
import type { DeliveryOutcome, Message, Transport } from '../channels/delivery.ts'
import { channelOf, programChannelIds } from '../channels/index.ts'
import type { Picture, Wording } from '../channels/wording.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { type IntentFacts, isNotice, type NoticeFacts } from '../domain/notification/notice.ts'
import { acknowledgeToken } from '../outbox/acknowledge-links.ts'
import { noAddress } from '../outbox/intents.ts'
import { languageOf } from '../wording/language.ts'
import { wordAcknowledgement } from './acknowledgement-message.ts'
import { inBatches } from './batches.ts'
import { type ChooseTemplate, templateChooser } from './chosen-templates.ts'
import { withoutCode, wordConfirmation } from './confirmation-message.ts'
import { goesTo, type Handed, handToChannel } from './hand-to-channel.ts'
import {
  type ChannelFilter,
  type ClaimedIntent,
  claimIntents,
  type EndedIntent,
  markHandedOver,
  recordDeliveries,
} from './intents.ts'
import { wordNotice } from './message.ts'
import { messageParts } from './notice-message.ts'
import type { NotifierLog } from './notifier-log.ts'
import { type Gathered, gathered, outboxDigest } from './outbox-digest.ts'
import { type ClaimMessages, type OutboxMessage, refusedUnasked, unneeded } from './outbox-message.ts'
import type { Diagnose, Reader } from './reader.ts'
import { claimedAt, isTooLate, type Limits, refusalOf } from './refusals.ts'
import { wordByTemplate } from './templated.ts'
import { wordTest } from './test-message.ts'

export interface NoticeOptions extends Limits {
  readonly publicUrl: string
  readonly diagnose: Diagnose
  readonly log: NotifierLog
  /** Signs the links that acknowledge failures; none: messages have no such links. */
  readonly linkKey?: () => Promise<Buffer>
  /** Reads the picture of a failed check, if it is kept; never rejects, and takes a moment at most. */
  readonly readPicture?: (facts: NoticeFacts) => Promise<Picture | null>
}

/** The notification intents of one gateway. Results that arrive together are stored together. */
export function noticesFor(options: NoticeOptions, channel: Transport, filter: ChannelFilter): ClaimMessages {
  const { database } = options
  const known = { ...options, chooseTemplate: templateChooser(database) }
  const records: Records = {
    markHandedOver: inBatches((asked) =>
      markHandedOver(
        database,
        asked.map(({ intent }) => intent),
        latest(asked),
      ),
    ),
    recordDelivery: inBatches((asked) => recordDeliveries(database, asked, latest(asked))),
  }
  return async (request) => {
    const intents = await claimIntents(database, filter, request)
    return gathered(intents, goesAlone).map((found) =>
      isDigest(found) ? outboxDigest(known, channel, found) : outboxMessageOf(known, channel, records, found),
    )
  }
}

function isDigest(found: ClaimedIntent | Gathered): found is Gathered {
  return Array.isArray(found)
}

/** It waits for no company, its channel takes every event by itself, or its end is known already. */
function goesAlone(intent: ClaimedIntent): boolean {
  const { digest_at: digestAt, notification_channel_id: channelId, handed_over_at: handedOverAt } = intent
  return digestAt === null || handedOverAt !== null || programChannelIds.includes(channelId) || isTooLate(intent)
}

/** The facts shared by the messages of one gateway. */
interface Known extends NoticeOptions {
  readonly chooseTemplate: ChooseTemplate
}

interface Records {
  markHandedOver(asked: { readonly intent: ClaimedIntent; readonly at: number }): Promise<boolean>
  recordDelivery(asked: EndedIntent & { readonly at: number }): Promise<boolean>
}

function latest(asked: readonly { readonly at: number }[]): number {
  return Math.max(...asked.map(({ at }) => at))
}

function outboxMessageOf(options: Known, channel: Transport, records: Records, intent: ClaimedIntent): OutboxMessage {
  const { service_id, event_id, address_id, notification_channel_id, facts } = intent
  const analysisId = isNotice(facts) ? facts.analysis_id : null
  let handed: Handed | null = null
  return {
    what: 'notification',
    channel: notification_channel_id,
    analysis: analysisId === null ? null : { serviceId: service_id, analysisId },
    identity: { service_id, event_id, address_id, notification_channel_id, analysis_id: analysisId ?? undefined },
    ...goesTo(intent),
    attempts: intent.attempts,
    createdAt: intent.created_at,
    handedOverAt: intent.handed_over_at,
    async send(progress) {
      const refusal = refusalOf(intent)
      if (refusal !== null) return refusedUnasked(refusal)
      const code = await codeOf(options, intent)
      if (code === null) return unneeded('The address was confirmed or changed since, or a newer code was sent')
      const message = await messageOf(options, intent, code)
      if (message === null) return refusedUnasked('The account no longer exists')
      handed = await handToChannel(options, { channel, intent, message, progress })
      return { ...handed, outcome: triedOnce(intent, withoutCode(handed.outcome, code)) }
    },
    markHandedOver: (at) => records.markHandedOver({ intent, at }),
    record: (delivery, at) => records.recordDelivery({ intent, delivery, at, ...recordOf(handed) }),
  }
}

/** Somebody waits for what a trial says, and nobody for a message to an address that was never saved. */
function triedOnce({ address_id: addressId, facts }: ClaimedIntent, outcome: DeliveryOutcome): DeliveryOutcome {
  const isTrial = facts.condition === 'test' && addressId === noAddress
  return isTrial && outcome.status === 'failed' ? { ...outcome, permanent: true } : outcome
}

/** The part of an attempt that the log keeps beside its outcome. */
function recordOf(handed: Handed | null): Pick<EndedIntent, 'exchanged' | 'reference'> {
  if (handed === null) return {}
  const { exchanged, outcome } = handed
  return { exchanged, reference: outcome.status === 'sent' ? (outcome.reference ?? null) : null }
}

/** The code that the message brings; empty: it brings none. Null: nobody waits for the code. */
async function codeOf({ database }: NoticeOptions, intent: ClaimedIntent): Promise<string | null> {
  const { facts, address, address_id: addressId, notification_channel_id: channelId } = intent
  if (facts.condition !== 'confirmation') return ''
  return makeCode(database, { codeId: facts.codeId, addressId, address, channelId }, claimedAt(intent))
}

async function messageOf(options: Known, intent: ClaimedIntent, code: string): Promise<Message | null> {
  const { facts, language_id: language, time_zone_id: zone } = intent
  if (language === null || zone === null) return null
  const { publicUrl, diagnose } = options
  const token = await acknowledgeTokenOf(options, intent)
  const place = { publicUrl, diagnose, acknowledgeToken: token }
  const reader = { language: languageOf(language), zone: timeZoneName(zone) ?? 'UTC', ...place }
  const key = `notice-${intent.service_id}-${intent.repeats ?? intent.event_id}-${intent.address_id}`
  const wording = await wordingOf(options, intent, code, reader)
  return {
    ...messageParts(facts, wording, reader),
    ...(intent.answers === null ? {} : { answers: intent.answers }),
    // Each attempt brings another code: a gateway that takes an id once must not drop it.
    key: facts.condition === 'confirmation' ? `${key}-${intent.attempts}` : key,
    threadKey: `thread-${intent.service_id}-${beginningOf(facts)}-${intent.address_id}`,
    channelId: intent.notification_channel_id,
    address: intent.address,
    settings: intent.settings ?? {},
  }
}

/** A lasting failure that nobody has acknowledged can be acknowledged. */
async function acknowledgeTokenOf({ linkKey }: NoticeOptions, intent: ClaimedIntent): Promise<string | null> {
  const { facts, service_id: serviceId, address_id: addressId } = intent
  if (linkKey === undefined || !isNotice(facts) || facts.change === undefined || facts.change.endedAt !== null)
    return null
  if (facts.condition !== 'failure' && facts.condition !== 'failure_continuation') return null
  return acknowledgeToken(await linkKey(), { serviceId, changeId: Number(facts.change.id), addressId })
}

async function wordingOf(
  { readPicture, chooseTemplate, log }: Known,
  intent: ClaimedIntent,
  code: string,
  reader: Reader,
): Promise<Wording> {
  const { facts, notification_channel_id: channelId } = intent
  if (facts.condition === 'confirmation') return wordConfirmation(code, reader)
  if (facts.condition === 'acknowledgement') return wordAcknowledgement(facts, reader)
  const isIllustrated = isNotice(facts) && channelOf(channelId).style === 'illustrated' && readPicture !== undefined
  const picture = isIllustrated ? await readPicture(facts) : null
  const usual = facts.condition === 'test' ? wordTest(facts, reader) : wordNotice(facts, channelId, reader, picture)
  const template = await chooseTemplate(intent)
  if (template === null) return usual
  try {
    return wordByTemplate(template, facts, reader, usual)
  } catch (error) {
    // The fault is ours, and the message matters more than its words.
    log.error(
      { err: error, account_id: intent.account_id },
      'a template failed: the message is sent in its default wording',
    )
    return usual
  }
}

/** The same for the notices of one failure and of its end. */
function beginningOf(facts: IntentFacts): number {
  if (facts.condition === 'acknowledgement') return facts.change.startedAt
  if (!isNotice(facts)) return facts.decidedAt
  const { condition, previous, sinceAt } = facts
  return condition === 'recovery' && previous?.status === 'failure' ? previous.startedAt : sinceAt
}
