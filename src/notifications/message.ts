import type { NoticeFacts } from '../domain/notice.ts'
import { oneLine } from '../domain/one-line.ts'
import { fill } from '../wording/fill.ts'
import { formatDuration, formatMoment } from '../wording/moments.ts'
import { catalogues } from '../wording/texts.ts'
import { noticeLinks } from './links.ts'
import { type Attachment, machineReadable } from './machine-readable.ts'
import { contentOf, isFailing, seenBy, type Telling } from './notice-content.ts'
import { noticeHtml } from './notice-html.ts'
import { noticeText } from './notice-text.ts'
import type { Reader } from './reader.ts'

/** What a failed check saw, to be shown inside the message. */
export interface Picture {
  readonly contentType: string
  readonly content: Buffer
  /** Of the sensor that saw it. */
  readonly sensorId: number
}

export interface Wording {
  readonly subject: string
  readonly text: string
  /** The same as the text, for readers that show it. */
  readonly html?: string
  /** Named `picture` in the HTML. */
  readonly picture?: Picture
  readonly attachment: Attachment | null
}

/** In an SMS a longer name would push out what happened. */
const longestNameInSms = 30

/** Words a notice for a notification channel (answers §10). The picture is for the extended one. */
export function wordNotice(
  facts: NoticeFacts,
  channelId: string,
  reader: Reader,
  picture: Picture | null = null,
): Wording {
  const texts = catalogues[reader.language].notices
  const telling = { facts, reader, texts, links: noticeLinks(reader.publicUrl, facts) }
  const subject = subjectOf(telling)
  if (channelId === 'sms') {
    return { subject, text: `${shortLine(telling, subjectOf(telling, longestNameInSms))}\n`, attachment: null }
  }
  if (channelId === 'email_short') return { subject, text: `${shortLine(telling, subject)}\n`, attachment: null }
  const content = contentOf(telling, channelId === 'email_extended')
  const text = noticeText(content)
  if (channelId === 'email_dedicated') return { subject, text, attachment: machineReadable(facts, telling.links) }
  if (channelId !== 'email' && channelId !== 'email_extended') return { subject, text, attachment: null }
  const caption = picture === null ? null : pictureCaption(telling, picture)
  const html = noticeHtml(content, { language: reader.language, preview: shortLine(telling, subject), caption })
  return { subject, text, html, attachment: null, ...(picture === null ? {} : { picture }) }
}

function pictureCaption({ facts, texts }: Telling, { sensorId }: Picture): string {
  const sensor = facts.checks.find((check) => check.sensor_id === sensorId)?.sensor_name ?? String(sensorId)
  return `${texts.labels.screenshot}: ${oneLine(sensor, 100)}`
}

/** The service first, so that a list sorted by subject keeps what belongs together. */
function subjectOf({ facts, reader, texts }: Telling, longestName = 100): string {
  const duration = facts.durationSeconds === null ? null : formatDuration(facts.durationSeconds)
  const end = fill(texts.subjects[facts.condition], { reason: mainReason(facts, reader), duration })
  return `${oneLine(facts.service.name, longestName)}: ${oneLine(end, 100)}`
}

/** The name of the error type that most sensors saw. */
function mainReason(facts: NoticeFacts, { diagnose, language }: Reader): string | null {
  const counts = new Map<number, number>()
  for (const { result, error_type_id: id } of facts.checks) {
    if (result === 'error' && id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((one, other) => other[1] - one[1])
  return most === undefined ? null : (diagnose(most[0], language)?.name ?? null)
}

function shortLine(telling: Telling, subject: string): string {
  const { facts, reader } = telling
  const seen = isFailing(facts) ? `, ${seenBy(telling)}` : ''
  return `${subject} (${formatMoment(facts.sinceAt, reader.zone)}${seen})`
}
