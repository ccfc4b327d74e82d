import type { ReachedHours } from '../../domain/reports/report-time.ts'
import { fill } from '../../wording/fill.ts'
import { formatDuration, formatLongest } from '../../wording/moments.ts'
import type { ReportResult } from '../document.ts'
import { chartsOf, courseOf, hasRaised, leastHeight } from './pictures.ts'
import type { LevelView, PointView } from './view.ts'
import type { Worded } from './worded.ts'

type Level = NonNullable<ReportResult['service_level_summary']>

/** The content of the report about a service, a group, an account or all of them. */
export function pointOf(result: ReportResult, worded: Worded, reached: ReachedHours): PointView {
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
    charts: chartsOf(result, worded, reached),
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
      { label: label('longestFailure'), value: formatLongest(level.longest_failure, level.failures_count) },
    ],
    facts: [...states, { state: null, label: label('corrections'), value: number(level.corrections_count) }],
    alt: `${label('course')}: ${states.map((state) => `${state.label} ${state.value}`).join(', ')}`,
    start: first === undefined ? '' : minute(first.start_time),
    end: last === undefined ? '' : minute(last.end_time),
    remark: hasRaised(level.parts) ? fill([label('raised')], { share: number(leastHeight * 100) }) : null,
    ...courseOf(level.parts),
  }
}
