import type { PeriodicFacts, PeriodicLevel, PeriodicService } from '../domain/reports/periodic-report.ts'
import { periodicZone } from '../domain/reports/periodic-report.ts'
import type { CountedFailure } from '../domain/reports/report-level.ts'
import { oneLine } from '../domain/text/one-line.ts'
import type { PeriodicReportTexts } from '../wording/catalogue.ts'
import { counted, fill } from '../wording/fill.ts'
import type { Language } from '../wording/language.ts'
import { formatDuration, formatLocal, formatLongest } from '../wording/moments.ts'
import { formatNumber, formatPercent } from '../wording/numbers.ts'
import { catalogues } from '../wording/texts.ts'
import { aligned } from './plain-text.ts'

/** A periodic report in words: its text and its HTML say the same. */
export interface WordedPeriod {
  readonly language: Language
  readonly subject: string
  readonly title: string
  readonly group: string
  readonly period: string
  /** The figures of the whole group. */
  readonly figures: readonly Figure[]
  readonly labels: PeriodicReportTexts['labels']
  readonly services: readonly WordedService[]
  /** Null when every service is named. */
  readonly unnamed: string | null
  readonly notes: readonly string[]
}

export interface Figure {
  readonly label: string
  readonly value: string
  readonly isBad: boolean
}

export interface WordedService {
  readonly name: string
  /** "archived"; else null. */
  readonly remark: string | null
  readonly availability: string
  /** "2 failures" or "no failures"; null when nothing was monitored. */
  readonly failures: string | null
  readonly failing: string
  readonly hasFailed: boolean
  readonly times: readonly { readonly from: string; readonly to: string; readonly lasted: string }[]
  /** "the longest 10 of 57"; else null. */
  readonly timesRemark: string | null
}

export function wordPeriod(facts: PeriodicFacts, language: Language): WordedPeriod {
  const texts = catalogues[language].periodicReports
  const [title, group, period] = [texts.titles[facts.frequency], oneLine(facts.group.name, 100), periodOf(facts)]
  const unnamed = counted(language, facts.unnamed, texts.services)
  return {
    ...{ language, title, group, period, labels: texts.labels },
    subject: fill([texts.subject], { title, group, period }),
    figures: figuresOf(facts.together, texts, language),
    services: facts.services.map((service) => wordedService(service, texts, language)),
    unnamed: facts.unnamed === 0 ? null : fill([texts.unnamed], { services: unnamed }),
    notes: [fill([texts.rules], { zone: periodicZone }), fill([texts.why], { group })],
  }
}

/** The days that it covers; the last one is its own. */
function periodOf({ fromAt, toAt }: PeriodicFacts): string {
  const [first, last] = [fromAt, toAt - 1].map((at) => formatLocal(at, periodicZone, 'day'))
  return first === last ? String(first) : `${first} – ${last}`
}

function figuresOf(level: PeriodicLevel, texts: PeriodicReportTexts, language: Language): Figure[] {
  const { labels } = texts
  const hasFailed = level.failuresCount > 0
  return [
    { label: labels.availability, value: availabilityOf(level, texts, language), isBad: hasFailed },
    { label: labels.failures, value: formatNumber(level.failuresCount, language), isBad: hasFailed },
    { label: labels.failing, value: formatDuration(level.failure), isBad: hasFailed },
    { label: labels.longest, value: formatLongest(level.longestFailure, level.failuresCount), isBad: hasFailed },
  ]
}

function availabilityOf({ availability }: PeriodicLevel, texts: PeriodicReportTexts, language: Language): string {
  return availability === null ? texts.notMonitored : formatPercent(availability, language)
}

function wordedService(service: PeriodicService, texts: PeriodicReportTexts, language: Language): WordedService {
  const { failuresCount: count, failures: named, availability } = service
  const failures = count === 0 ? texts.noFailures : counted(language, count, texts.failures)
  return {
    name: oneLine(service.name, 200),
    remark: service.isArchived ? texts.archived : null,
    availability: availabilityOf(service, texts, language),
    failures: availability === null ? null : failures,
    failing: formatDuration(service.failure),
    hasFailed: count > 0,
    times: named.map(timeOf),
    timesRemark: named.length === count ? null : fill([texts.labels.longestOnly], { shown: named.length, count }),
  }
}

function timeOf({ from, to, seconds }: CountedFailure) {
  const [start = '', end = ''] = [from, to].map((at) => formatLocal(at * 1000, periodicZone))
  const isSameDay = start.slice(0, 10) === end.slice(0, 10)
  return { from: start, to: isSameDay ? end.slice(11) : end, lasted: formatDuration(seconds) }
}

/** For readers without HTML. */
export function periodText({ title, group, period, figures, services, unnamed, notes }: WordedPeriod): string {
  const lines = [
    `${title}: ${group}`,
    period,
    '',
    ...aligned(figures.map(({ label, value }) => [label, value])),
    '',
    ...services.flatMap(serviceLines),
    ...(unnamed === null ? [] : ['', unnamed]),
    '',
    ...notes,
  ]
  return `${lines.join('\n')}\n`
}

function serviceLines(service: WordedService): string[] {
  const { name, remark, availability, failures, failing, hasFailed, times, timesRemark } = service
  const told = [availability, failures, hasFailed ? failing : null].filter((part) => part !== null).join(', ')
  return [
    `${name}${remark === null ? '' : ` (${remark})`}: ${told}`,
    ...times.map(({ from, to, lasted }) => `    ${from} – ${to}  (${lasted})`),
    ...(timesRemark === null ? [] : [`    (${timesRemark})`]),
  ]
}
