import { levelsTogether, type ReportLevel } from '../domain/reports/report-level.ts'
import { greatestOf, type LocalSums, leastOf } from '../history/local-sums.ts'

/** Checks of some hours or days: counts, and milliseconds of the ok checks that measured them. */
export interface CheckSums {
  readonly ok: number
  readonly error: number
  readonly unknown: number
  readonly timed: number
  readonly responseTimeSum: number
  readonly minimum: number | null
  readonly maximum: number | null
}

/** Everything that the sections show, for one service or several together. */
export interface Measures {
  readonly level: ReportLevel
  readonly correctionsCount: number
  /** Hour of the day → checks. */
  readonly byHour: ReadonlyMap<number, CheckSums>
  /** Day of the week → checks. */
  readonly byDayOfWeek: ReadonlyMap<number, CheckSums>
}

export const noChecks: CheckSums = {
  ok: 0,
  error: 0,
  unknown: 0,
  timed: 0,
  responseTimeSum: 0,
  minimum: null,
  maximum: null,
}

export function checksTogether(one: CheckSums, other: CheckSums): CheckSums {
  return {
    ok: one.ok + other.ok,
    error: one.error + other.error,
    unknown: one.unknown + other.unknown,
    timed: one.timed + other.timed,
    responseTimeSum: one.responseTimeSum + other.responseTimeSum,
    minimum: leastOf(one.minimum, other.minimum),
    maximum: greatestOf(one.maximum, other.maximum),
  }
}

export function checkSumsOf(row: LocalSums): CheckSums {
  return {
    ok: row.ok_checks,
    error: row.error_checks,
    unknown: row.unknown_checks,
    timed: row.timed_checks,
    responseTimeSum: row.response_time_sum,
    minimum: row.response_time_minimum,
    maximum: row.response_time_maximum,
  }
}

function united(maps: readonly ReadonlyMap<number, CheckSums>[]): ReadonlyMap<number, CheckSums> {
  const sums = new Map<number, CheckSums>()
  for (const map of maps) {
    for (const [key, value] of map) sums.set(key, checksTogether(sums.get(key) ?? noChecks, value))
  }
  return sums
}

/** Combines several services into one. */
export function measuresTogether(all: readonly Measures[]): Measures {
  return {
    level: levelsTogether(all.map(({ level }) => level)),
    correctionsCount: all.reduce((total, { correctionsCount }) => total + correctionsCount, 0),
    byHour: united(all.map(({ byHour }) => byHour)),
    byDayOfWeek: united(all.map(({ byDayOfWeek }) => byDayOfWeek)),
  }
}
