import type { Database } from '../database/connect.ts'
import type { NoticeFacts, TestFacts } from '../domain/notice.ts'
import { timeZoneName } from '../domain/time-zones.ts'
import { languageOf } from '../wording/language.ts'
import type { Channel, Message } from './channel.ts'
import { type ChannelFilter, type ClaimedIntent, claimIntents, markHandedOver, recordResult } from './intents.ts'
import { type Diagnose, wordNotice } from './message.ts'
import { type Claim, type Parcel, refused } from './parcel.ts'
import { wordTest } from './test-message.ts'

export interface NoticeOptions {
  readonly database: Database
  readonly publicUrl: string
  readonly diagnose: Diagnose
}

/** The notification intents of one gateway. */
export function noticesFor(options: NoticeOptions, channel: Channel, filter: ChannelFilter): Claim {
  return async (now, limit) => {
    const intents = await claimIntents(options.database, filter, now, limit)
    return intents.map((intent) => parcelOf(options, channel, intent))
  }
}

function parcelOf(options: NoticeOptions, channel: Channel, intent: ClaimedIntent): Parcel {
  const { service_id, event_id, address_id, notification_channel_id, facts } = intent
  const analysisId = facts.condition === 'test' ? null : facts.analysis_id
  return {
    what: 'notification',
    channel: notification_channel_id,
    analysis: analysisId === null ? null : { serviceId: service_id, analysisId },
    identity: { service_id, event_id, address_id, notification_channel_id, analysis_id: analysisId ?? undefined },
    attempts: intent.attempts,
    createdAt: intent.created_at,
    handedOverAt: intent.handed_over_at,
    async send(progress) {
      const message = messageOf(options, intent)
      if (message === null) return { subject: null, outcome: refused('The account no longer exists') }
      return { subject: message.subject, outcome: await channel.deliver(message, progress) }
    },
    markHandedOver: (now) => markHandedOver(options.database, intent, now),
    record: (result, now) => recordResult(options.database, intent, result, now),
  }
}

function messageOf({ publicUrl, diagnose }: NoticeOptions, intent: ClaimedIntent): Message | null {
  const { facts, language_id: language, time_zone_id: zone } = intent
  if (language === null || zone === null) return null
  const reader = { language: languageOf(language), zone: timeZoneName(zone) ?? 'UTC', publicUrl, diagnose }
  const wording =
    facts.condition === 'test' ? wordTest(facts, reader) : wordNotice(facts, intent.notification_channel_id, reader)
  return {
    ...wording,
    key: `notice-${intent.service_id}-${intent.event_id}-${intent.address_id}`,
    threadKey: `thread-${intent.service_id}-${beginningOf(facts)}-${intent.address_id}`,
    channelId: intent.notification_channel_id,
    address: intent.address,
    serviceId: intent.service_id,
    condition: facts.condition,
    decidedAt: facts.decidedAt,
  }
}

/** The same for the notices of one failure and of its end. */
function beginningOf(facts: NoticeFacts | TestFacts): number {
  if (facts.condition === 'test') return facts.decidedAt
  const { condition, previous, sinceAt } = facts
  return condition === 'recovery' && previous?.status === 'failure' ? previous.startedAt : sinceAt
}
