import { reportsIn, serviceTypeOf } from '../checks/index.ts'
import { shownDuration } from '../domain/calendars/time.ts'
import { daysLeft } from '../domain/expiry/expiry.ts'
import { coreSensorId } from '../domain/judging/analysis.ts'
import type { HeldFailure, NoticeCheck, NoticeFacts } from '../domain/notification/notice.ts'
import { addressWithPort } from '../domain/services/address-with-port.ts'
import { readHeartbeatMessage } from '../domain/services/heartbeat-message.ts'
import { oneLine } from '../domain/text/one-line.ts'
import type { NoticeTexts } from '../wording/catalogue.ts'
import { counted, fill } from '../wording/fill.ts'
import type { Language } from '../wording/language.ts'
import { formatDuration, formatMoment } from '../wording/moments.ts'
import { catalogues } from '../wording/texts.ts'
import type { NoticeLinks } from './links.ts'
import { withoutPassword } from './plain-text.ts'
import type { Reader } from './reader.ts'
import { shownPort } from './shown-port.ts'

/** Everything that the parts of a message need. */
export interface NoticeInput {
  readonly facts: NoticeFacts
  readonly reader: Reader
  readonly texts: NoticeTexts
  readonly links: NoticeLinks
}

export interface NoticeRow {
  readonly label: string
  readonly value: string
  /** The value is an address that the reader may open. */
  readonly isLink?: true
}

export interface CheckPart {
  readonly sensor: string
  readonly result: NoticeCheck['result']
  readonly outcome: string
  readonly message: string | null
  readonly links: readonly { readonly label: string; readonly url: string }[]
}

/** The content of a message in the reader's language, before it becomes text or HTML. Every value is one line. */
export interface NoticeContent {
  readonly tone: 'bad' | 'warning' | 'good' | 'quiet'
  readonly headline: string
  readonly name: string
  readonly address: string
  readonly summary: readonly NoticeRow[]
  readonly failures: { readonly title: string; readonly lines: readonly string[] } | null
  readonly checks: { readonly title: string; readonly parts: readonly CheckPart[] } | null
  readonly meanings: { readonly title: string; readonly parts: readonly NoticeRow[] } | null
  readonly identity: readonly NoticeRow[]
  readonly zone: string
}

export function contentOf(input: NoticeInput, isExtended: boolean): NoticeContent {
  const { facts, reader, texts, links } = input
  const { labels } = texts
  const failures = (facts.failures ?? []).map((failure) => failureLine(input, failure))
  const shown = isExtended ? facts.checks : noteworthy(facts)
  const meanings = isFailing(facts) || facts.condition === 'degraded' ? diagnoses(input) : []
  return {
    tone: toneOf(facts.condition),
    headline: texts.headlines[facts.condition],
    name: oneLine(facts.service.name, 200),
    address: addressOf(facts),
    summary: summary(input),
    failures: failures.length === 0 ? null : { title: labels.failures, lines: failures },
    checks:
      shown.length === 0
        ? null
        : {
            title: titleOfChecks(input),
            parts: shown.map((check) => checkPart(input, check, isExtended)),
          },
    meanings: meanings.length === 0 ? null : { title: labels.meaning, parts: meanings },
    identity: identity(input, links),
    zone: fill([texts.zone], { zone: reader.zone }),
  }
}

/** False for what the core does by itself, as the judgement of a heartbeat's reports: no sensor looked. */
export function areOfSensors({ checks }: Pick<NoticeFacts, 'checks'>): boolean {
  return checks.some((check) => check.sensor_id !== coreSensorId)
}

function titleOfChecks({ facts, texts: { labels } }: NoticeInput): string {
  if (areOfSensors(facts)) return labels.checks
  return reportsIn(facts.service.type_id) ? labels.reports : labels.reason
}

/** When a failure that quiet hours held back began and ended. */
function failureLine({ reader, texts }: NoticeInput, { startedAt, endedAt }: HeldFailure): string {
  const start = formatMoment(startedAt, reader.zone)
  if (endedAt === null) return `${start}, ${texts.stillLasts}`
  return `${start} – ${formatMoment(endedAt, reader.zone)} (${formatDuration(shownDuration(startedAt, endedAt))})`
}

const tones = {
  ...{ failure: 'bad', failure_continuation: 'bad', silent_failure: 'bad' },
  ...{ degraded: 'warning', recovery: 'good', degraded_end: 'good', pause: 'quiet' },
} as const satisfies Record<NoticeFacts['condition'], NoticeContent['tone']>

export function isFailing({ condition }: Pick<NoticeFacts, 'condition'>): boolean {
  return tones[condition] === 'bad'
}

export function toneOf(condition: NoticeFacts['condition']): NoticeContent['tone'] {
  return tones[condition]
}

/** Why a service is degraded, else the name of the error type that most sensors saw. */
export function mainReason(facts: NoticeFacts, { diagnose, language }: Reader): string | null {
  const degraded = facts.degraded?.reasons ?? []
  if (degraded.length > 0) return degradedText(facts, language)
  const counts = new Map<number, number>()
  for (const { result, error_type_id: id } of facts.checks) {
    if (result === 'error' && id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const [most] = [...counts].toSorted((one, other) => other[1] - one[1])
  return most === undefined ? null : (diagnose(most[0], language)?.name ?? null)
}

/** The end that a warning is about is said with its days. */
function degradedText({ degraded, decidedAt }: NoticeFacts, language: Language): string {
  const { degradedReasons, endsIn, days } = catalogues[language].notices
  const expiry = degraded?.expiry
  const reasons = degraded?.reasons ?? []
  return reasons
    .map((reason) =>
      reason === expiry?.kind
        ? fill([endsIn[expiry.kind]], { days: counted(language, Math.max(0, daysLeft(expiry, decidedAt)), days) })
        : degradedReasons[reason],
    )
    .join(', ')
}

function endOf({ facts, reader, texts }: NoticeInput): NoticeRow[] {
  const { degraded, decidedAt } = facts
  const expiry = degraded?.expiry
  if (expiry === undefined) return []
  const left = counted(reader.language, Math.max(0, daysLeft(expiry, decidedAt)), texts.days)
  const said = {
    name: oneLine(expiry.name || facts.service.address, 200),
    days: left,
    time: formatMoment(expiry.endsAt, reader.zone),
  }
  return [{ label: texts.labels.meaning, value: fill([texts.ends[expiry.kind]], said) }]
}

/** With many good answers only the others are worth a line, unless all are good. */
function noteworthy(facts: NoticeFacts): readonly NoticeCheck[] {
  const others = facts.checks.filter(({ result }) => result !== 'ok')
  return others.length === 0 ? facts.checks : others
}

/** The monitored address as people know it. */
function addressOf({ service }: NoticeFacts): string {
  const type = serviceTypeOf(service.type_id)
  const address = addressWithPort(withoutPassword(service.address), shownPort(service))
  return `${type?.addressPrefix ?? ''}${oneLine(address, 500)}`
}

function summary(input: NoticeInput): NoticeRow[] {
  const { facts, reader, texts } = input
  const { labels } = texts
  const rows: NoticeRow[] = [{ label: labels.since, value: formatMoment(facts.sinceAt, reader.zone) }]
  const { degraded } = facts
  const duration = facts.durationSeconds === null ? null : formatDuration(facts.durationSeconds)
  if (duration !== null) {
    rows.push({ label: lastingLabel(input), value: duration })
  }
  if (degraded === undefined) rows.push({ label: labels.before, value: before(input) })
  else if (degraded.reasons.length > 0) rows.push({ label: labels.reason, value: degradedText(facts, reader.language) })
  rows.push(...endOf(input))
  if (isFailing(facts) && areOfSensors(facts)) rows.push({ label: labels.seenBy, value: seenBy(input) })
  rows.push(...escalationRows(input))
  if (facts.pauseReason !== null) rows.push({ label: labels.reason, value: pauseReason(texts, facts.pauseReason) })
  return rows
}

function lastingLabel({ facts: { condition }, texts: { labels } }: NoticeInput): string {
  if (condition === 'degraded_end') return labels.degradedLasted
  return condition === 'recovery' ? labels.lasted : labels.lastsFor
}

/** Which step it is. The link that stops the next ones stands with the others. */
function escalationRows({ facts: { escalation }, texts }: NoticeInput): NoticeRow[] {
  if (escalation === undefined) return []
  const { name, step, steps, repeat } = escalation
  const place = fill([texts.escalationStep], { step, steps, name: oneLine(name, 200) })
  const again = repeat === 0 ? '' : ` (${fill([texts.escalationRepeat], { repeat })})`
  return [{ label: texts.labels.escalation, value: `${place}${again}` }]
}

function before({ facts: { previous }, reader, texts }: NoticeInput): string {
  if (previous === null) return texts.newService
  const facts = { status: texts.statuses[previous.status], time: formatMoment(previous.startedAt, reader.zone) }
  return fill([texts.statusSince], facts)
}

export function seenBy({ facts, reader, texts }: NoticeInput): string {
  const errors = facts.checks.filter(({ result }) => result === 'error').length
  return fill([texts.seenBy], { errors, sensors: counted(reader.language, facts.checks.length, texts.sensors) })
}

export function pauseReason(texts: NoticeTexts, reason: string): string {
  const reasons: Readonly<Record<string, string>> = texts.pauseReasons
  return Object.hasOwn(reasons, reason) ? (reasons[reason] ?? reason) : reason
}

function checkPart(input: NoticeInput, check: NoticeCheck, isExtended: boolean): CheckPart {
  const { reader, texts } = input
  const place = [check.city, check.country].filter((part) => part !== '').join(', ')
  const name =
    check.error_type_id === null ? null : (reader.diagnose(check.error_type_id, reader.language)?.name ?? null)
  const time = check.response_time === null ? null : `${check.response_time} ms`
  return {
    sensor: oneLine(`${sensorName(input, check)}${place === '' ? '' : ` (${place})`}`, 120),
    result: check.result,
    outcome: [texts.results[check.result], time, name].filter((part) => part !== null).join(', '),
    message: checkMessage(input, check),
    links: isExtended ? checkLinks(input, check) : [],
  }
}

const longestMessage = 300

function checkMessage(input: NoticeInput, { error_message: error, failed_assertions: failed }: NoticeCheck) {
  if (error !== null) return oneLine(reportText(input, error), longestMessage)
  return failed === undefined ? null : oneLine(failed.replaceAll('\n', '; '), longestMessage)
}

/** The reports of a heartbeat are named by its type. */
function sensorName({ facts, reader }: NoticeInput, check: NoticeCheck): string {
  const type = check.sensor_id === coreSensorId ? serviceTypeOf(facts.service.type_id) : undefined
  return type?.name[reader.language] ?? check.sensor_name
}

/** The sentence of a heartbeat's failure in the reader's language and zone; that of a sensor stays as it is. */
function reportText({ reader, texts }: NoticeInput, message: string): string {
  const failure = readHeartbeatMessage(message)
  if (failure === null) return message
  const { kind, exitStatus, sinceAt } = failure
  const { late, overrun, reported, exited } = texts.heartbeat
  const text = kind === 'reported' ? (exitStatus === null ? reported : exited) : kind === 'late' ? late : overrun
  return fill([text], {
    time: formatMoment(sinceAt, reader.zone),
    ...(exitStatus === null ? {} : { status: exitStatus }),
  })
}

function checkLinks({ reader, texts, links }: NoticeInput, check: NoticeCheck): CheckPart['links'] {
  const { details, artifacts } = links.ofCheck(check.sensor_id)
  const { artifact_types: types } = catalogues[reader.language].dictionaries
  const kinds = (check.artifact_ids ?? []).map((id) => types[id].name)
  return [
    ...(details === null ? [] : [{ label: texts.labels.details, url: details }]),
    ...(artifacts === null || kinds.length === 0
      ? []
      : [{ label: `${texts.labels.artifacts} (${kinds.join(', ')})`, url: artifacts }]),
  ]
}

/** Each error type once, with what it usually means. */
function diagnoses({ facts, reader }: NoticeInput): NoticeRow[] {
  const ids = facts.checks.filter(({ result }) => result === 'error').map((check) => check.error_type_id)
  const known = [...new Set(ids)].map((id) => (id === null ? null : reader.diagnose(id, reader.language)))
  return known.flatMap((found) => (found === null ? [] : [{ label: found.name, value: found.diagnosis }]))
}

function identity({ facts, reader, texts }: NoticeInput, links: NoticeLinks): NoticeRow[] {
  const { labels } = texts
  const type = serviceTypeOf(facts.service.type_id)
  const rows: NoticeRow[] = [
    {
      label: labels.type,
      value: type === undefined ? facts.service.type_id : type.name[reader.language],
    },
    { label: labels.group, value: oneLine(facts.group.name, 200) },
    { label: labels.service, value: links.service, isLink: true },
  ]
  if (links.analysis !== null) rows.push({ label: labels.analysis, value: links.analysis, isLink: true })
  if (links.acknowledge !== null) rows.push({ label: labels.acknowledge, value: links.acknowledge, isLink: true })
  return rows
}
