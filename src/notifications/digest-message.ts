import type { Message } from '../channels/delivery.ts'
import { channelOf } from '../channels/index.ts'
import type { Wording } from '../channels/wording.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { isNotice, type NoticeFacts } from '../domain/notification/notice.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { counted, fill } from '../wording/fill.ts'
import { languageOf } from '../wording/language.ts'
import { formatDuration, formatMoment } from '../wording/moments.ts'
import { catalogues } from '../wording/texts.ts'
import type { ClaimedIntent } from './intents.ts'
import { isFailing, mainReason, type NoticeContent, toneOf } from './notice-content.ts'
import { noticeHtml } from './notice-html.ts'
import { noticeText } from './notice-text.ts'
import type { Reader } from './reader.ts'

/** Services that a digest names: a mail has room for many, a message in a chat for some, a line for a few. */
const named = { page: 500, text: 30, line: 5 } as const

/**
 * Words the events of several services, all with one condition, as one message to one address. The first event is the
 * oldest.
 */
export function digestOf(
  intents: readonly ClaimedIntent[],
  { publicUrl, diagnose }: Pick<Reader, 'publicUrl' | 'diagnose'>,
): Message | null {
  const [first] = intents
  if (first === undefined || first.language_id === null || first.time_zone_id === null) return null
  const events = intents.map(({ facts }) => facts).filter(isNotice)
  const reader = { language: languageOf(first.language_id), zone: timeZoneName(first.time_zone_id) ?? 'UTC' }
  const link = listLink(publicUrl, events[0])
  const told: Digest = { events, reader: { ...reader, publicUrl, diagnose }, link }
  return {
    ...wordingOf(told, first.notification_channel_id),
    // The same events have the same key, and a digest that more have joined another one.
    key: `digest-${first.id}-${intents.at(-1)?.id}-${first.address_id}`,
    threadKey: `digests-${first.account_id}-${first.address_id}`,
    isOfSeries: true,
    channelId: first.notification_channel_id,
    address: first.address,
    serviceId: null,
    settings: first.settings ?? {},
    link,
    condition: first.facts.condition,
    decidedAt: first.facts.decidedAt,
    language: reader.language,
  }
}

interface Digest {
  readonly events: readonly NoticeFacts[]
  readonly reader: Reader
  readonly link: string
}

/** The console's list: of what fails now, or of everything. */
function listLink(publicUrl: string, facts: NoticeFacts | undefined): string {
  const list = `${publicUrl.replace(/\/+$/, '')}/services`
  return facts !== undefined && isFailing(facts) ? `${list}?status.summary=failure` : list
}

function wordingOf(digest: Digest, channelId: string): Wording {
  const { style } = channelOf(channelId)
  const subject = subjectOf(digest)
  if (style === 'sms' || style === 'line') {
    const names = digest.events.slice(0, named.line).map(({ service }) => oneLine(service.name, 30))
    const rest = restOf(digest, named.line)
    return {
      subject,
      text: `${subject}: ${[...names, ...(rest === null ? [] : [rest])].join(', ')}\n`,
      attachment: null,
    }
  }
  if (style === 'text') return { subject, text: noticeText(contentOf(digest, named.text)), attachment: null }
  const content = contentOf(digest, named.page)
  const html = noticeHtml(content, { language: digest.reader.language, preview: subject, caption: null })
  return { subject, text: noticeText(content), html, attachment: null }
}

function subjectOf({ events, reader: { language } }: Digest): string {
  const { headlines, services } = catalogues[language].notices
  const condition = events[0]?.condition ?? 'failure'
  return `${headlines[condition]}: ${counted(language, events.length, services)}`
}

function restOf({ events, reader: { language } }: Digest, shown: number): string | null {
  const { services, moreServices } = catalogues[language].notices
  if (events.length <= shown) return null
  return fill([moreServices], { services: counted(language, events.length - shown, services) })
}

function contentOf(digest: Digest, longest: number): NoticeContent {
  const { events, reader, link } = digest
  const texts = catalogues[reader.language].notices
  const { labels } = texts
  const since = Math.min(...events.map(({ sinceAt }) => sinceAt))
  const rest = restOf(digest, longest)
  const lines = events.slice(0, longest).map((facts) => lineOf(facts, reader))
  const condition = events[0]?.condition ?? 'failure'
  return {
    tone: toneOf(condition),
    headline: texts.headlines[condition],
    name: counted(reader.language, events.length, texts.services),
    address: groupsOf(digest),
    summary: [{ label: labels.since, value: formatMoment(since, reader.zone) }],
    failures: { title: labels.services, lines: [...lines, ...(rest === null ? [] : [rest])] },
    checks: null,
    meanings: null,
    identity: [{ label: labels.list, value: link, isLink: true }],
    zone: fill([texts.zone], { zone: reader.zone }),
  }
}

/** The groups of the services, where the list of services has its place for an address. */
function groupsOf({ events }: Digest): string {
  const groups = [...new Set(events.map(({ group }) => oneLine(group.name, 60)))]
  return `${groups.slice(0, 5).join(', ')}${groups.length > 5 ? ', …' : ''}`
}

/** `Shop: Connection refused (12:04:05)`. */
function lineOf(facts: NoticeFacts, reader: Reader): string {
  const lasted = facts.durationSeconds === null ? null : formatDuration(facts.durationSeconds)
  const said = isFailing(facts) ? mainReason(facts, reader) : lasted
  const end = said === null ? '' : `: ${oneLine(said, 100)}`
  return `${oneLine(facts.service.name, 100)}${end} (${formatMoment(facts.sinceAt, reader.zone)})`
}
