import type { HeldFailure, NoticeCheck, NoticeFacts } from '../domain/notice.ts'
import { serviceTypeOf } from '../domain/service-types.ts'
import type { NoticeTexts, PauseReason } from '../wording/catalogue.ts'
import { counted, fill } from '../wording/fill.ts'
import type { Language } from '../wording/language.ts'
import { formatDuration, formatMoment } from '../wording/moments.ts'
import { catalogues, serviceTypeName } from '../wording/texts.ts'
import { type NoticeLinks, noticeLinks } from './links.ts'
import { machineReadable } from './machine-readable.ts'
import { aligned, oneLine, withoutPassword } from './plain-text.ts'

/** What an error type is called and what to do about it, in the reader's language; null for an unknown id. */
export type Diagnose = (errorTypeId: number, language: Language) => Diagnosis | null

export interface Diagnosis {
  readonly name: string
  readonly diagnosis: string
}

/** Who reads the message, and where the program is reached. */
export interface Reader {
  readonly language: Language
  /** IANA name. */
  readonly zone: string
  readonly publicUrl: string
  readonly diagnose: Diagnose
}

export interface Attachment {
  readonly fileName: string
  readonly contentType: string
  readonly content: string | Buffer
}

export interface Wording {
  readonly subject: string
  readonly text: string
  readonly attachment: Attachment | null
}

/** Everything that the parts of a text need. */
interface Telling {
  readonly facts: NoticeFacts
  readonly reader: Reader
  readonly texts: NoticeTexts
  readonly links: NoticeLinks
}

type Row = readonly [label: string, value: string]

/** In an SMS a longer name would push out what happened. */
const longestNameInSms = 30

/** Words a notice for `email`, `email_short`, `email_extended`, `email_dedicated` or `sms` (choices §10). */
export function wordNotice(facts: NoticeFacts, channelId: string, reader: Reader): Wording {
  const texts = catalogues[reader.language].notices
  const telling = { facts, reader, texts, links: noticeLinks(reader.publicUrl, facts) }
  const subject = subjectOf(telling)
  if (channelId === 'sms') {
    return { subject, text: `${shortLine(telling, subjectOf(telling, longestNameInSms))}\n`, attachment: null }
  }
  if (channelId === 'email_short') return { subject, text: `${shortLine(telling, subject)}\n`, attachment: null }
  const text = `${longText(telling, channelId === 'email_extended').join('\n')}\n`
  const attachment = channelId === 'email_dedicated' ? machineReadable(facts, telling.links) : null
  return { subject, text, attachment }
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

function longText(telling: Telling, isExtended: boolean): string[] {
  const { facts, reader, texts, links } = telling
  const lines = [
    `${texts.headlines[facts.condition]}: ${oneLine(facts.service.name, 200)}`,
    addressOf(facts),
    '',
    ...aligned(summary(telling)),
  ]
  const failures = facts.failures ?? []
  if (failures.length > 0) {
    lines.push('', `${texts.labels.failures}:`, ...failures.map((failure) => failureLine(telling, failure)))
  }
  if (facts.checks.length > 0) {
    const shown = isExtended ? facts.checks : noteworthy(facts)
    lines.push('', `${texts.labels.checks}:`, ...shown.flatMap((check) => checkLines(telling, check, isExtended)))
  }
  const meanings = isFailing(facts) ? diagnoses(telling) : []
  if (meanings.length > 0) lines.push('', `${texts.labels.meaning}:`, ...meanings)
  lines.push('', ...aligned(identity(telling, links)), '', fill([texts.zone], { zone: reader.zone }))
  return lines
}

/** When a failure that quiet hours held back began and ended. */
function failureLine({ reader, texts }: Telling, { startedAt, endedAt }: HeldFailure): string {
  const start = formatMoment(startedAt, reader.zone)
  if (endedAt === null) return `  ${start}, ${texts.stillLasts}`
  return `  ${start} – ${formatMoment(endedAt, reader.zone)} (${formatDuration((endedAt - startedAt) / 1000)})`
}

function isFailing(facts: NoticeFacts): boolean {
  return facts.condition !== 'recovery' && facts.condition !== 'pause'
}

/** With many good answers only the others are worth a line, unless all are good. */
function noteworthy(facts: NoticeFacts): readonly NoticeCheck[] {
  const others = facts.checks.filter(({ result }) => result !== 'ok')
  return others.length === 0 ? facts.checks : others
}

/** The monitored address as people know it. */
function addressOf({ service }: NoticeFacts): string {
  const prefix = serviceTypeOf(service.type_id)?.addressPrefix ?? ''
  return `${prefix}${oneLine(withoutPassword(service.address), 500)}`
}

function summary(telling: Telling): Row[] {
  const { facts, reader, texts } = telling
  const { labels } = texts
  const rows: Row[] = [[labels.since, formatMoment(facts.sinceAt, reader.zone)]]
  const duration = facts.durationSeconds === null ? null : formatDuration(facts.durationSeconds)
  if (duration !== null) rows.push([facts.condition === 'recovery' ? labels.lasted : labels.lastsFor, duration])
  rows.push([labels.before, before(telling)])
  if (isFailing(facts) && facts.checks.length > 0) rows.push([labels.seenBy, seenBy(telling)])
  if (facts.pauseReason !== null) rows.push([labels.reason, pauseReason(texts, facts.pauseReason)])
  return rows
}

function before({ facts: { previous }, reader, texts }: Telling): string {
  if (previous === null) return texts.newService
  const facts = { status: texts.statuses[previous.status], time: formatMoment(previous.startedAt, reader.zone) }
  return fill([texts.statusSince], facts)
}

function seenBy({ facts, reader, texts }: Telling): string {
  const errors = facts.checks.filter(({ result }) => result === 'error').length
  return fill([texts.seenBy], { errors, sensors: counted(reader.language, facts.checks.length, texts.sensors) })
}

function pauseReason(texts: NoticeTexts, reason: string): string {
  const reasons: Readonly<Record<string, string>> = texts.pauseReasons satisfies Record<PauseReason, string>
  return Object.hasOwn(reasons, reason) ? (reasons[reason] ?? reason) : reason
}

function checkLines({ reader, texts, links }: Telling, check: NoticeCheck, isExtended: boolean): string[] {
  const place = [check.city, check.country].filter((part) => part !== '').join(', ')
  const sensor = oneLine(`${check.sensor_name}${place === '' ? '' : ` (${place})`}`, 120)
  const name =
    check.error_type_id === null ? null : (reader.diagnose(check.error_type_id, reader.language)?.name ?? null)
  const time = check.response_time === null ? null : `${check.response_time} ms`
  const result = [texts.results[check.result], time, name].filter((part) => part !== null).join(', ')
  const lines = [`  ${sensor}: ${result}`]
  if (check.error_message !== null) lines.push(`    ${oneLine(check.error_message, 300)}`)
  if (isExtended) {
    const { details, artifacts } = links.ofCheck(check.sensor_id)
    if (details !== null) lines.push(`    ${texts.labels.details}: ${details}`)
    const kinds = (check.artifact_ids ?? []).map(
      (id) => catalogues[reader.language].dictionaries.artifact_types[id].name,
    )
    if (artifacts !== null && kinds.length > 0) {
      lines.push(`    ${texts.labels.artifacts} (${kinds.join(', ')}): ${artifacts}`)
    }
  }
  return lines
}

/** Each error type once, with what it usually means. */
function diagnoses({ facts, reader }: Telling): string[] {
  const ids = facts.checks.filter(({ result }) => result === 'error').map((check) => check.error_type_id)
  const known = [...new Set(ids)].map((id) => (id === null ? null : reader.diagnose(id, reader.language)))
  return known.flatMap((found) => (found === null ? [] : [`  ${found.name}: ${found.diagnosis}`]))
}

function identity({ facts, reader, texts }: Telling, links: NoticeLinks): Row[] {
  const { labels } = texts
  const type = serviceTypeOf(facts.service.type_id)
  const rows: Row[] = [
    [labels.type, type === undefined ? facts.service.type_id : serviceTypeName(type.id, reader.language)],
    [labels.group, oneLine(facts.group.name, 200)],
    [labels.service, links.service],
  ]
  if (links.analysis !== null) rows.push([labels.analysis, links.analysis])
  return rows
}
