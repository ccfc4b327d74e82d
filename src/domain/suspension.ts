import type { Problem } from './problem.ts'

/** Planned stops of monitoring and quiet hours (specification: Suspensions and weekly suspensions; choices §9). */

/** A minute of the week in the zone of the owner; day 1 is Monday. */
export interface WeekMinute {
  readonly day_of_week: number
  readonly hour: number
  readonly minute: number
}

export const minutesOfWeek = 7 * 24 * 60

/** Minutes since Monday 00:00: 0 to 10,079. */
export function minuteOfWeek({ day_of_week: day, hour, minute }: WeekMinute): number {
  return ((day - 1) * 24 + hour) * 60 + minute
}

/** The inverse of `minuteOfWeek`. */
export function weekMinuteOf(minute: number): WeekMinute {
  return { day_of_week: Math.floor(minute / 1440) + 1, hour: Math.floor(minute / 60) % 24, minute: minute % 60 }
}

/**
 * A range may end before it starts: then it goes over the end of the week. One that ends where it starts could mean nothing or
 * everything. Problems: incorrect_value.
 */
export function weeklyRangeProblems(start: WeekMinute | undefined, end: WeekMinute | undefined): readonly Problem[] {
  if (start === undefined || end === undefined || minuteOfWeek(start) !== minuteOfWeek(end)) return []
  return [{ error: 'incorrect_value', field: 'data.end_minute', facts: { detail: 'weekly_range' } }]
}
