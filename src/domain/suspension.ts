import type { Problem } from './problem.ts'
import type { PauseReason } from './status-change.ts'
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

/** A minute of the week in the zone of the owner; day 1 is Monday. */
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
 * A range may end before it starts: then it goes over the end of the week. One that ends where it starts could mean nothing or
 * everything. Problems: incorrect_value.
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

/** What one source, or several together, says about every moment. */
export interface Calendar {
  /** IANA name. */
  readonly zone: string
  /** Merged, in order. */
  readonly windows: readonly WeekWindow[]
  /** Merged, in order. */
  readonly periods: readonly Period[]
}

/** Windows and periods in any order; empty ones say nothing, those that touch or overlap become one. */
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

/** The calendars of one zone together: in effect whenever one of them is. */
export function unionOf(zone: string, calendars: readonly Calendar[]): Calendar {
  const windows = calendars.flatMap((calendar) => calendar.windows)
  return calendarOf(
    zone,
    windows,
    calendars.flatMap(({ periods }) => periods),
  )
}

/** A local minute that comes twice counts both times, one that is skipped never comes. @param at Unix milliseconds */
export function isInEffect({ zone, windows, periods }: Calendar, at: number): boolean {
  if (periods.some(({ startAt, endAt }) => startAt <= at && at < endAt)) return true
  return windows.length > 0 && isInWindows(windows, localMinuteOfWeek(zone, at))
}

/** The first moment after `at` when the answer of `isInEffect` changes; Infinity when it never does. Unix milliseconds. */
export function nextBoundary(calendar: Calendar, at: number): number {
  const { zone, windows, periods } = calendar
  if (isInEffect(calendar, at)) return endOfEffect(calendar, at)
  const start = periods.find(({ startAt }) => startAt > at)?.startAt ?? Number.POSITIVE_INFINITY
  return Math.min(start, nextWindowEdge(windows, zone, at))
}

/** From period to window to period: each period is met once, and windows never touch each other. */
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

/** Everything that is planned for one service. */
export interface ServiceCalendar {
  /** The sources of stops; when several begin at once the first one is the reason. */
  readonly stops: readonly (readonly [SuspensionReason, Calendar])[]
  /** All of them together. */
  readonly stop: Calendar
  readonly quiet: Calendar
}

/** What is stored of the plans of one service. */
export interface CalendarFacts {
  /** Of the owner; IANA name. */
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
 * Stops by their source, and quiet hours, from what is stored (specification: Suspensions, Weekly suspensions; Service,
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

/** Why monitoring is suspended at the moment; null when it is not. */
export function suspensionAt(calendar: ServiceCalendar, at: number): SuspensionReason | null {
  return calendar.stops.find(([, source]) => isInEffect(source, at))?.[0] ?? null
}
