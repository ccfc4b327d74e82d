import { formatMoment } from '../../domain/calendars/time.ts'
import { availabilityPercent, type CountedFailure } from '../../domain/reports/report-level.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'
import type { Measures } from '../measures.ts'

const mostFailures = 100

function longest(failures: readonly CountedFailure[]): readonly CountedFailure[] {
  if (failures.length <= mostFailures) return failures
  const chosen = failures.toSorted((one, other) => other.seconds - one.seconds).slice(0, mostFailures)
  return chosen.toSorted((one, other) => one.from - other.from)
}

export function serviceLevelSummary({ level, correctionsCount }: Measures, parts: readonly ChartRange[]) {
  return {
    ok: level.ok,
    failure: level.failure,
    paused: level.paused,
    availability_percent: availabilityPercent(level),
    longest_failure: level.longestFailure,
    failures_count: level.failuresCount,
    corrections_count: correctionsCount,
    parts: parts.map(({ fromAt, toAt }, index) => ({
      start_time: formatMoment(fromAt),
      end_time: formatMoment(toAt),
      ...(level.parts[index] ?? { ok: 0, failure: 0, paused: 0 }),
    })),
  }
}

/** Only for one service; with several the reader could not tell whose they are. */
export function failuresShown({ level }: Measures) {
  return longest(level.failures).map(({ from, to, seconds }) => ({
    start_time: formatMoment(from * 1000),
    end_time: formatMoment(to * 1000),
    seconds,
  }))
}
