import type { WeekMinute } from '../../domain/calendars/suspension.ts'
import { reachedHours } from '../../domain/reports/report-time.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'
import { languageOf } from '../../wording/language.ts'
import { catalogues } from '../../wording/texts.ts'
import type { ReportDocument } from '../document.ts'
import { overviewColumns, overviewOf } from './overview-view.ts'
import { pointOf } from './point-view.ts'
import type { ReportView } from './view.ts'
import { glued, type Worded, wordingFor } from './worded.ts'

/** Every text and number of the document, made from the report's data alone. */
export function viewOf({ report, results }: ReportDocument): ReportView {
  const worded = wordingFor(languageOf(report.language_id), report.time_zone)
  const { label, moment, minute } = worded
  const reached = reachedHours(rangeOf({ report, results }), report.time_zone)
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
      overviewColumns: overviewColumns(worded),
    },
    facts: [
      { label: label('owner'), value: report.owner.name },
      { label: label('zone'), value: report.time_zone },
      { label: label('created'), value: moment(report.created_at) },
      { label: label('sections'), value: report.section_ids.map(worded.section).join(', ') },
    ],
    rules: rulesOf({ report, results }, worded),
    points: results.map((result) => pointOf(result, worded, reached)),
    overview: overviewOf(results, worded),
  }
}

/** The range to show: not before the first service existed, nor after the report was created. */
function rangeOf({ report, results }: ReportDocument): ChartRange {
  const parts = results.flatMap(({ service_level_summary: level }) => level?.parts[0]?.start_time ?? [])
  const first = Math.min(...parts.map((start) => Date.parse(start)))
  const toAt = Math.min(Date.parse(report.to), Date.parse(report.created_at))
  return { fromAt: Number.isFinite(first) ? first : Date.parse(report.from), toAt }
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** True if there is no point except the summary. */
function isAboutNothing({ summary }: ReportDocument['report'], results: ReportDocument['results']): boolean {
  return summary !== 'only' && results.every(({ scope }) => scope.type === 'summary')
}

function rulesOf({ report, results }: ReportDocument, { rule, minute, weekDay }: Worded) {
  const week = ({ day_of_week: day, hour, minute }: WeekMinute) => `${weekDay(day)} ${two(hour)}:${two(minute)}`
  const ranges = report.weekly_suspensions.map((range) => `${week(range.start_minute)} – ${week(range.end_minute)}`)
  const counts = results.map(({ service_level_summary: level }) => level?.corrections_count ?? 0)
  // Points repeat each other's services; the widest one has the most corrections.
  const corrections = Math.max(0, ...counts)
  const has = (id: string) => report.section_ids.includes(id)
  const isLevelShown = has('service_level_summary')
  return [
    ...(isAboutNothing(report, results) ? [rule('nothing')] : []),
    rule('time', { from: minute(report.from), to: minute(report.to) }),
    rule('zone', { zone: report.time_zone }),
    ...(isLevelShown ? [rule('availability'), rule('failures')] : []),
    ...(isLevelShown ? [corrections === 0 ? rule('noCorrections') : rule('corrections', { count: corrections })] : []),
    ranges.length === 0 ? rule('nothingLeftOut') : rule('leftOut', { ranges: ranges.join('; ') }),
    rule(report.archived_services ? 'archived' : 'noArchived'),
    ...(has('performance_by_hour') || has('performance_by_week_day') ? [rule('performance')] : []),
  ]
}
