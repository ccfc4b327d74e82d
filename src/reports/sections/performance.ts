import { type CheckSums, type Measures, noChecks } from '../measures.ts'

function shown({ ok, error, timed, responseTimeSum, minimum, maximum }: CheckSums) {
  return {
    average: timed === 0 ? null : Math.round((10 * responseTimeSum) / timed) / 10,
    minimum,
    maximum,
    checks: ok + error,
  }
}

/** Milliseconds over all ok checks that measured them, to a tenth; null if there are none. */
export function averageResponseTime({ byHour, byDayOfWeek }: Measures): number | null {
  const sums = [...(byHour.size > 0 ? byHour : byDayOfWeek).values()]
  const timed = sums.reduce((total, sum) => total + sum.timed, 0)
  const spent = sums.reduce((total, sum) => total + sum.responseTimeSum, 0)
  return timed === 0 ? null : Math.round((10 * spent) / timed) / 10
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
