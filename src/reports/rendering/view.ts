import type { WeekMinute } from '../../domain/suspension.ts'
import type { ReportLabel, ReportRule } from '../../wording/catalogue.ts'
import { type Facts, fill } from '../../wording/fill.ts'
import { type Language, languageOf } from '../../wording/language.ts'
import { formatDuration, formatLocal } from '../../wording/moments.ts'
import { formatNumber, formatPercent } from '../../wording/numbers.ts'
import { catalogues } from '../../wording/texts.ts'
import type { ReportDocument, ReportResult } from '../document.ts'

/** Every text and number of the document, made of the data of the report and of nothing else; layout.ts lays them out. */
export function viewOf({ report, results }: ReportDocument): ReportView {
  const worded = wordingFor(languageOf(report.language_id), report.time_zone)
  const { label, moment, minute } = worded
  return {
    title: report.name,
    author: report.owner.name,
    language: languageOf(report.language_id),
    createdAt: Date.parse(report.created_at),
    description: glued(report.description, languageOf(report.language_id)),
    range: `${minute(report.from)} – ${minute(report.to)}`,
    labels: {
      ...catalogues[languageOf(report.language_id)].reports.labels,
      failureColumns: [label('began'), label('ended'), label('lasted')],
    },
    facts: [
      { label: label('owner'), value: report.owner.name },
      { label: label('zone'), value: report.time_zone },
      { label: label('created'), value: moment(report.created_at) },
      { label: label('sections'), value: report.section_ids.map(worded.section).join(', ') },
    ],
    rules: rulesOf({ report, results }, worded),
    points: results.map((result) => pointOf(result, worded)),
  }
}

export interface FigureView {
  readonly label: string
  readonly value: string
}

export interface ReportView {
  readonly title: string
  readonly author: string
  readonly language: Language
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly description: string
  readonly range: string
  readonly labels: Readonly<Record<ReportLabel, string>> & { readonly failureColumns: readonly string[] }
  readonly facts: readonly FigureView[]
  readonly rules: readonly FigureView[]
  readonly points: readonly PointView[]
}

export interface PointView {
  readonly name: string
  readonly about: string
  readonly level: LevelView | null
  readonly checks: readonly FigureView[] | null
  readonly charts: readonly ChartView[]
  /** Of one service. */
  readonly failures: { readonly rows: readonly (readonly string[])[]; readonly remark: string | null } | null
}

type LevelState = 'ok' | 'failure' | 'paused'

/** The course of time is drawn of rectangles in the colours of the states. */
export interface LevelView extends Readonly<Record<LevelState, readonly Rectangle[]>> {
  readonly figures: readonly FigureView[]
  readonly facts: readonly (FigureView & { readonly state: LevelState | null })[]
  readonly alt: string
  readonly start: string
  readonly end: string
}

export interface ChartView {
  readonly title: string
  readonly alt: string
  readonly bars: readonly {
    readonly label: string
    readonly value: string
    readonly x: number
    readonly width: number
    readonly top: number
  }[]
  readonly rectangles: readonly Rectangle[]
}

/** From the upper left corner, in parts of the width and height of a picture: x, y, width, height. */
export type Rectangle = readonly [x: number, y: number, width: number, height: number]

interface Worded {
  readonly label: (key: ReportLabel) => string
  readonly rule: (key: ReportRule, facts?: Facts) => { label: string; value: string }
  readonly kind: (type: ReportResult['scope']['type']) => string
  readonly section: (id: string) => string
  readonly weekDay: (day: number) => string
  readonly moment: (text: string) => string
  /** The same without seconds where these are nought. */
  readonly minute: (text: string) => string
  readonly number: (value: number) => string
  readonly percent: (value: number | null) => string
}

function wordingFor(language: Language, zone: string): Worded {
  const { labels, kinds, weekDays, rules } = catalogues[language].reports
  const sections: Readonly<Record<string, { name: string }>> = catalogues[language].dictionaries.report_sections
  return {
    label: (key) => labels[key],
    rule: (key, facts = {}) => ({ label: rules[key].label, value: glued(fill([rules[key].text], facts), language) }),
    kind: (type) => kinds[type],
    section: (id) => sections[id]?.name ?? id,
    weekDay: (day) => weekDays[day - 1] ?? '',
    moment: (text) => formatLocal(Date.parse(text), zone),
    minute: (text) => formatLocal(Date.parse(text), zone, Date.parse(text) % 60_000 === 0 ? 'minute' : 'second'),
    number: (value) => formatNumber(value, language),
    percent: (value) => (value === null ? labels.unknown : formatPercent(value, language)),
  }
}

/** In Polish a word of one letter does not stand at the end of a line. */
function glued(text: string, language: Language): string {
  return language === 'pl' ? text.replaceAll(/(?<=^|[\s(])([aiouwz]) /gi, '$1\u00a0') : text
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function rulesOf({ report, results }: ReportDocument, { rule, minute, weekDay }: Worded) {
  const week = ({ day_of_week: day, hour, minute }: WeekMinute) => `${weekDay(day)} ${two(hour)}:${two(minute)}`
  const ranges = report.weekly_suspensions.map((range) => `${week(range.start_minute)} – ${week(range.end_minute)}`)
  const counts = results.map(({ service_level_summary: level }) => level?.corrections_count ?? 0)
  // Points repeat each other's services; the widest one knows the most corrections.
  const corrections = Math.max(0, ...counts)
  const has = (id: string) => report.section_ids.includes(id)
  const isLevelShown = has('service_level_summary')
  return [
    rule('time', { from: minute(report.from), to: minute(report.to) }),
    rule('zone', { zone: report.time_zone }),
    ...(isLevelShown ? [rule('availability'), rule('failures')] : []),
    ...(isLevelShown ? [corrections === 0 ? rule('noCorrections') : rule('corrections', { count: corrections })] : []),
    ranges.length === 0 ? rule('nothingLeftOut') : rule('leftOut', { ranges: ranges.join('; ') }),
    rule(report.archived_services ? 'archived' : 'noArchived'),
    ...(has('performance_by_hour') || has('performance_by_week_day') ? [rule('performance')] : []),
  ]
}

function pointOf(result: ReportResult, worded: Worded): PointView {
  const { label, kind, number } = worded
  const { type, account, group, service } = result.scope
  const above = [service === undefined ? undefined : group?.name, type === 'account' ? undefined : account?.name]
  const checks = result.checks_summary
  return {
    name: (service ?? group ?? account)?.name ?? label('summary'),
    about: [kind(type), ...above].filter((part) => part !== undefined).join(' · '),
    level: levelOf(result, worded),
    checks:
      checks === undefined
        ? null
        : [
            { label: label('okChecks'), value: number(checks.ok) },
            { label: label('errorChecks'), value: number(checks.error) },
            { label: label('unknownChecks'), value: number(checks.unknown) },
          ],
    charts: chartsOf(result, worded),
    failures: failuresOf(result.service_level_summary, worded),
  }
}

function failuresOf(level: Level | undefined, { moment, label }: Worded): PointView['failures'] {
  if (level?.failures === undefined) return null
  const { failures, failures_count: count } = level
  const rows = failures.map(({ start_time, end_time, seconds }) => [
    moment(start_time),
    moment(end_time),
    formatDuration(seconds),
  ])
  const isWhole = failures.length === count
  return { rows, remark: isWhole ? null : fill([label('someFailures')], { shown: failures.length, count }) }
}

type Level = NonNullable<ReportResult['service_level_summary']>
type Part = Level['parts'][number]

/** A failure of a minute in a month is seen too. */
const leastHeight = 0.12

const rounded = (value: number) => Math.round(value * 1e5) / 1e5

/** Every part of time is a column, filled by the shares of its states: failures above, what works at the bottom. */
function courseOf(parts: readonly Part[]) {
  const shapes: Record<'ok' | 'failure' | 'paused', Rectangle[]> = { ok: [], failure: [], paused: [] }
  const [width, gap] = [1 / parts.length, parts.length > 60 ? 0 : 0.001]
  for (const [index, part] of parts.entries()) {
    const whole = part.ok + part.failure + part.paused
    if (whole === 0) continue
    const failing = part.failure === 0 ? 0 : Math.max(leastHeight, part.failure / whole)
    const rest = part.ok + part.paused
    let top = 0
    for (const [state, share] of [
      ['failure', failing],
      ['paused', rest === 0 ? 0 : (part.paused / rest) * (1 - failing)],
      ['ok', rest === 0 ? 0 : (part.ok / rest) * (1 - failing)],
    ] as const) {
      if (share > 0) shapes[state].push([rounded(index * width), rounded(top), rounded(width - gap), rounded(share)])
      top += share
    }
  }
  return shapes
}

function levelOf(
  { service_level_summary: level }: ReportResult,
  { label, number, percent, minute }: Worded,
): LevelView | null {
  if (level === undefined) return null
  const states = (['ok', 'failure', 'paused'] as const).map((state) => ({
    state,
    label: label(state),
    value: formatDuration(level[state]),
  }))
  const [first, last] = [level.parts[0], level.parts.at(-1)]
  return {
    figures: [
      { label: label('availability'), value: percent(level.availability_percent) },
      { label: label('failuresCount'), value: number(level.failures_count) },
      { label: label('longestFailure'), value: formatDuration(level.longest_failure) },
    ],
    facts: [...states, { state: null, label: label('corrections'), value: number(level.corrections_count) }],
    alt: `${label('course')}: ${states.map((state) => `${state.label} ${state.value}`).join(', ')}`,
    start: first === undefined ? '' : minute(first.start_time),
    end: last === undefined ? '' : minute(last.end_time),
    ...courseOf(level.parts),
  }
}

interface Bar {
  readonly label: string
  readonly average: number | null
}

function chartsOf({ performance_by_hour: hours, performance_by_week_day: days }: ReportResult, worded: Worded) {
  const { label, weekDay } = worded
  const byHour = hours?.map(({ hour, average }) => ({ label: String(hour), average }))
  const byDay = days?.map(({ day_of_week, average }) => ({ label: weekDay(day_of_week), average }))
  return [
    ...(byHour === undefined ? [] : [chartOf(label('byHour'), byHour, worded)]),
    ...(byDay === undefined ? [] : [chartOf(label('byWeekDay'), byDay, worded)]),
  ]
}

/** Above the highest bar there is room for its number. */
const highestBar = 0.88

function chartOf(title: string, bars: readonly Bar[], { number, label }: Worded): ChartView {
  const highest = Math.max(1, ...bars.map(({ average }) => average ?? 0))
  const [column, gap] = [1 / bars.length, bars.length > 12 ? 0.003 : 0.015]
  const placed = bars.map(({ label: name, average }, index) => ({
    label: name,
    value: average === null ? '' : number(Math.round(average)),
    x: rounded(index * column + gap / 2),
    width: rounded(column - gap),
    top: rounded(1 - ((average ?? 0) / highest) * highestBar),
  }))
  return {
    title,
    alt: `${title}: ${placed.map((bar) => `${bar.label}: ${bar.value === '' ? label('unknown') : bar.value}`).join(', ')}`,
    bars: placed,
    rectangles: placed
      .filter(({ top }) => top < 1)
      .map(({ x, width, top }): Rectangle => [x, top, width, rounded(1 - top)]),
  }
}
