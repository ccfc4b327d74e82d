import type { Message } from '../channels/delivery.ts'
import type { Wording } from '../channels/wording.ts'
import { type IntentFacts, isNotice } from '../domain/notification/notice.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { noService } from '../outbox/intents.ts'
import { eventOf } from './event.ts'
import { incidentOf } from './incident.ts'
import { acknowledgeUrl, noticeLinks } from './links.ts'
import type { Reader } from './reader.ts'

/** The parts of a message that its facts, its words and its reader decide; the rest says where it goes. */
export type MessageParts = Omit<Message, 'key' | 'threadKey' | 'channelId' | 'address' | 'settings'>

export function messageParts(facts: IntentFacts, wording: Wording, reader: Reader): MessageParts {
  const { publicUrl, language, acknowledgeToken: token = null } = reader
  const service = facts.condition === 'confirmation' ? null : facts.service
  const event = eventOf(facts, wording, publicUrl)
  return {
    ...wording,
    ...(event === null ? {} : { event }),
    ...(service === null ? {} : { serviceName: oneLine(service.name, 100) }),
    serviceId: service?.id ?? null,
    link: linkOf(facts, publicUrl),
    acknowledgeLink: token === null ? null : acknowledgeUrl(publicUrl, token),
    ...{ condition: facts.condition, decidedAt: facts.decidedAt, language },
    ...incidentOf(facts, service?.id ?? noService, publicUrl),
  }
}

/** Where the reader finds more: the failure, or the console. */
function linkOf(facts: IntentFacts, publicUrl: string): string {
  if (facts.condition === 'acknowledgement') return `${publicUrl.replace(/\/+$/, '')}/services/${facts.service.id}`
  if (!isNotice(facts)) return publicUrl
  const { analysis, service } = noticeLinks(publicUrl, facts)
  return analysis ?? service
}
