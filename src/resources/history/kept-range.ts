import { dayLength } from '../../domain/calendars/durations.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'

/** As far back as a list of checks reaches. */
export const maximumDays = 40

/** Refuses a range that reads more single checks than a list of them does. */
export function keptRange({ fromAt, toAt }: ChartRange): readonly Problem[] {
  if (toAt - fromAt <= maximumDays * dayLength) return []
  return [{ error: 'incorrect_value', field: 'query.from', facts: { detail: 'range_too_long' } }]
}
