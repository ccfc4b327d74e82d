import { dayLength } from './durations.ts'
import { calendarOf, isInEffect, nextBoundary, type Period } from './suspension.ts'
import { windowsOfRange } from './week.ts'

export interface WeeklyRange {
  /** Minutes since Monday 00:00; it may end before it starts, and then wraps around the end of the week. */
  readonly start: number
  readonly end: number
  /** IANA name. */
  readonly zone: string
}

/** Longer than a week and a change of the clock. */
const before = 8 * dayLength

/**
 * The times of a weekly range that are not over at `now` and begin before `until`, in order. An hour that a change of
 * the clock skips is no part of them. Unix milliseconds.
 */
export function weeklyOccurrences({ start, end, zone }: WeeklyRange, now: number, until: number): readonly Period[] {
  const calendar = calendarOf(zone, windowsOfRange(start, end), [])
  const found: Period[] = []
  let at = now - before
  if (isInEffect(calendar, at)) at = nextBoundary(calendar, at)
  for (;;) {
    const startAt = nextBoundary(calendar, at)
    if (startAt >= until) return found
    at = nextBoundary(calendar, startAt)
    if (at > now) found.push({ startAt, endAt: at })
  }
}
