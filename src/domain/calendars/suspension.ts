import type { Problem } from '../input/problem.ts'
import type { PauseReason } from '../judging/status-change.ts'
import {
  isInWindows,
  localMinuteOfWeek,
  mergedWindows,
  nextWindowEdge,
  type WeekWindow,
  windowsOfHours,
  windowsOfRange,
} from './week.ts'

/** Planned stops of monitoring and quiet hours (specification: Suspensions and weekly suspensions; answers §9). */

/** A minute of the week in the owner's zone; day 1 is Monday. */
export interface WeekMinute {
  readonly day_of_week: number
  readonly hour: number
  readonly minute: number
}

/** Minutes since Monday 00:00: 0 to 10,079. */
export function minuteOfWeek({ day_of_week: day, hour, minute }: WeekMinute): number {
  return ((day - 1) * 24 + hour) * 60 + minute
}

/**
 * A range may end before it starts; then it wraps around the end of the week. A range that ends where it starts is
 * ambiguous: nothing or everything. Problems: incorrect_value.
 */
export function weeklyRangeProblems(
  start: WeekMinute | undefined,
  end: WeekMinute | undefined,
  pointer = 'data',
): readonly Problem[] {
  if (start === undefined || end === undefined || minuteOfWeek(start) !== minuteOfWeek(end)) return []
  return [{ error: 'incorrect_value', field: `${pointer}.end_minute`, facts: { detail: 'weekly_range' } }]
}

/** Moments [startAt, endAt) in Unix milliseconds. */
export interface Period {
  readonly startAt: number
  readonly endAt: number
}

/** A set of moments, from one source or several together. */
export interface Calendar {
  /** IANA name. */
  readonly zone: string
  /** Merged, in order. */
  readonly windows: readonly WeekWindow[]
  /** Merged, in order. */
  readonly periods: readonly Period[]
}

/** Windows and periods in any order. Empty ones are dropped; touching or overlapping ones are merged. */
export function calendarOf(zone: string, windows: readonly WeekWindow[], periods: readonly Period[]): Calendar {
  return { zone, windows: mergedWindows(windows), periods: mergedPeriods(periods) }
}

function mergedPeriods(periods: readonly Period[]): readonly Period[] {
  const merged: Period[] = []
  const real = periods.filter(({ startAt, endAt }) => startAt < endAt)
  for (const next of real.toSorted((one, other) => one.startAt - other.startAt)) {
    const last = merged.at(-1)
    if (last === undefined || next.startAt > last.endAt) merged.push(next)
    else merged[merged.length - 1] = { startAt: last.startAt, endAt: Math.max(last.endAt, next.endAt) }
  }
  return merged
}

/** The union of calendars of one zone: in effect whenever one of them is. */
export function unionOf(zone: string, calendars: readonly Calendar[]): Calendar {
  const windows = calendars.flatMap((calendar) => calendar.windows)
  return calendarOf(
    zone,
    windows,
    calendars.flatMap(({ periods }) => periods),
  )
}

/**
 * True if the calendar is in effect. A local minute that occurs twice counts both times; a skipped one never occurs.
 * @param at Unix milliseconds
 */
export function isInEffect({ zone, windows, periods }: Calendar, at: number): boolean {
  if (periods.some(({ startAt, endAt }) => startAt <= at && at < endAt)) return true
  return windows.length > 0 && isInWindows(windows, localMinuteOfWeek(zone, at))
}

/** The first moment after `at` when the result of `isInEffect` changes; Infinity for never. Unix milliseconds. */
export function nextBoundary(calendar: Calendar, at: number): number {
  const { zone, windows, periods } = calendar
  if (isInEffect(calendar, at)) return endOfEffect(calendar, at)
  const start = periods.find(({ startAt }) => startAt > at)?.startAt ?? Number.POSITIVE_INFINITY
  return Math.min(start, nextWindowEdge(windows, zone, at))
}

/** Goes from period to window to period. Each period is met once, and windows never touch each other. */
function endOfEffect({ zone, windows, periods }: Calendar, at: number): number {
  let end = at
  for (let step = 0; step <= 2 * periods.length + 1; step++) {
    const held = periods.find(({ startAt, endAt }) => startAt <= end && end < endAt)
    if (held !== undefined) end = held.endAt
    else if (end < Number.POSITIVE_INFINITY && isInEffect({ zone, windows, periods: [] }, end)) {
      end = nextWindowEdge(windows, zone, end)
    } else return end
  }
  return end
}

export type SuspensionReason = Extract<PauseReason, 'suspension' | 'weekly_suspension' | 'suspension_hours'>

/** All calendars of one service. */
export interface ServiceCalendar {
  /** The sources of stops. If several begin at once, the first one is the reason. */
  readonly stops: readonly (readonly [SuspensionReason, Calendar])[]
  /** The union of all stops. */
  readonly stop: Calendar
  readonly quiet: Calendar
}

/** The stored plans of one service. */
export interface CalendarFacts {
  /** The owner's zone, an IANA name. */
  readonly zone: string
  readonly suspensions: readonly (Period & { readonly onlyNotifications: boolean })[]
  /** Minutes since Monday 00:00. */
  readonly weekly: readonly { readonly start: number; readonly end: number; readonly onlyNotifications: boolean }[]
  /** 168 characters. */
  readonly suspensionHours: string
  /** 24 characters, the same every day. */
  readonly silentHours: string
}

/**
 * Stops by source, and quiet hours, from the stored plans (specification: Suspensions, Weekly suspensions; Service,
 * `suspension_hours` and `silent_hours`).
 */
export function serviceCalendar(facts: CalendarFacts): ServiceCalendar {
  const { zone, suspensions, weekly, suspensionHours, silentHours } = facts
  const periodsOf = (quiet: boolean) => suspensions.filter(({ onlyNotifications }) => onlyNotifications === quiet)
  const windowsOf = (quiet: boolean) =>
    weekly
      .filter(({ onlyNotifications }) => onlyNotifications === quiet)
      .flatMap(({ start, end }) => windowsOfRange(start, end))
  const stops = [
    ['suspension', calendarOf(zone, [], periodsOf(false))],
    ['weekly_suspension', calendarOf(zone, windowsOf(false), [])],
    ['suspension_hours', calendarOf(zone, windowsOfHours(suspensionHours), [])],
  ] as const
  const stop = unionOf(
    zone,
    stops.map(([, calendar]) => calendar),
  )
  const quietWindows = [...windowsOf(true), ...windowsOfHours(silentHours.repeat(7))]
  return { stops, stop, quiet: calendarOf(zone, quietWindows, periodsOf(true)) }
}

/** The reason why monitoring is suspended at the moment; null if it is not. */
export function suspensionAt(calendar: ServiceCalendar, at: number): SuspensionReason | null {
  return calendar.stops.find(([, source]) => isInEffect(source, at))?.[0] ?? null
}
