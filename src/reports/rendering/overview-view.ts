import { formatLongest } from '../../wording/moments.ts'
import type { ReportResult } from '../document.ts'
import type { OverviewRow } from './view.ts'
import type { Worded } from './worded.ts'

const fewest = 2

/** The headings of the table of all services. */
export function overviewColumns({ label, kind }: Worded): readonly string[] {
  const columns = ['state', 'availability', 'failures', 'longestFailure', 'responseTime'] as const
  return [kind('service'), ...columns.map(label)]
}

/** All services of the report side by side. Null if there is only one, or if the section of levels was not chosen. */
export function overviewOf(results: readonly ReportResult[], worded: Worded): readonly OverviewRow[] | null {
  const rows = results.flatMap((result, point) => {
    const row = rowOf(result, point, worded)
    return row === null ? [] : [row]
  })
  return rows.length < fewest ? null : rows
}

function rowOf(result: ReportResult, point: number, { label, number, percent }: Worded): OverviewRow | null {
  const { service_level_summary: level, average_response_time: average, scope } = result
  if (scope.type !== 'service' || scope.service === undefined || level === undefined) return null
  const state = level.last_status ?? null
  return {
    ...{ point, name: scope.service.name, state },
    cells: [
      label(state ?? 'unknown'),
      percent(level.availability_percent),
      number(level.failures_count),
      formatLongest(level.longest_failure, level.failures_count),
      average === undefined || average === null ? '–' : `${number(Math.round(average))} ms`,
    ],
  }
}
