import { type CheckSums, type Measures, noChecks } from '../measures.ts'

function shown({ ok, error, timed, responseTimeSum, minimum, maximum }: CheckSums) {
  return {
    average: timed === 0 ? null : Math.round((10 * responseTimeSum) / timed) / 10,
    minimum,
    maximum,
    checks: ok + error,
  }
}

export function performanceByHour({ byHour }: Measures) {
  return Array.from({ length: 24 }, (_, hour) => ({ hour, ...shown(byHour.get(hour) ?? noChecks) }))
}

export function performanceByWeekDay({ byDayOfWeek }: Measures) {
  return Array.from({ length: 7 }, (_, index) => ({
    day_of_week: index + 1,
    ...shown(byDayOfWeek.get(index + 1) ?? noChecks),
  }))
}
