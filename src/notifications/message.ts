import { channelOf } from '../channels/index.ts'
import type { Picture, Wording } from '../channels/wording.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { fill } from '../wording/fill.ts'
import { formatDuration, formatMoment } from '../wording/moments.ts'
import { catalogues } from '../wording/texts.ts'
import { noticeLinks } from './links.ts'
import { machineReadable } from './machine-readable.ts'
import { areOfSensors, contentOf, isFailing, mainReason, type NoticeInput, seenBy } from './notice-content.ts'
import { noticeHtml } from './notice-html.ts'
import { noticeText } from './notice-text.ts'
import type { Reader } from './reader.ts'

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
  const input = { facts, reader, texts, links: noticeLinks(reader.publicUrl, facts, reader.acknowledgeToken) }
  const subject = subjectOf(input)
  const { style } = channelOf(channelId)
  if (style === 'sms') {
    return { subject, text: `${shortLine(input, subjectOf(input, longestNameInSms))}\n`, attachment: null }
  }
  if (style === 'line') return { subject, text: `${shortLine(input, subject)}\n`, attachment: null }
  const content = contentOf(input, style === 'illustrated')
  const text = noticeText(content)
  if (style === 'data') return { subject, text, attachment: machineReadable(facts, input.links) }
  if (style === 'text') return { subject, text, attachment: null }
  const caption = picture === null ? null : pictureCaption(input, picture)
  const html = noticeHtml(content, { language: reader.language, preview: shortLine(input, subject), caption })
  return { subject, text, html, attachment: null, ...(picture === null ? {} : { picture }) }
}

function pictureCaption({ facts, texts }: NoticeInput, { sensorId }: Picture): string {
  const sensor = facts.checks.find((check) => check.sensor_id === sensorId)?.sensor_name ?? String(sensorId)
  return `${texts.labels.screenshot}: ${oneLine(sensor, 100)}`
}

/** The service first, so that a list sorted by subject keeps what belongs together. */
function subjectOf({ facts, reader, texts }: NoticeInput, longestName = 100): string {
  const duration = facts.durationSeconds === null ? null : formatDuration(facts.durationSeconds)
  const end = fill(texts.subjects[facts.condition], { reason: mainReason(facts, reader), duration })
  return `${oneLine(facts.service.name, longestName)}: ${oneLine(end, 100)}`
}

function shortLine(input: NoticeInput, subject: string): string {
  const { facts, reader } = input
  const seen = isFailing(facts) && areOfSensors(facts) ? `, ${seenBy(input)}` : ''
  return `${subject} (${formatMoment(facts.sinceAt, reader.zone)}${seen})`
}
