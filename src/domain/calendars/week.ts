import { dayLength as day } from './durations.ts'
import { offsetSpan } from './zone-offset.ts'

/** Windows that repeat every week, by the clocks of a zone (specification: Suspensions and weekly suspensions). */

export const minutesOfWeek = 7 * 24 * 60

const minute = 60_000
const week = 7 * day
/** 1970-01-01 was a Thursday. */
const sinceMonday = 3 * day

/** Minutes since Monday 00:00, half-open, never across the end of the week: 0 ≤ start < end ≤ 10,080. */
export interface WeekWindow {
  readonly start: number
  readonly end: number
}

/**
 * The windows of a range with an exclusive end. A range that does not end after its start wraps around the end of the
 * week.
 */
export function windowsOfRange(start: number, end: number): readonly WeekWindow[] {
  if (start < end) return [{ start, end }]
  return [{ start, end: minutesOfWeek }, ...(end === 0 ? [] : [{ start: 0, end }])]
}

/** The windows of 168 characters, one per hour from Monday 00:00; `1` counts (answers §15). */
export function windowsOfHours(text: string): readonly WeekWindow[] {
  return [...text.matchAll(/1+/g)].map(({ 0: run, index }) => ({ start: index * 60, end: (index + run.length) * 60 }))
}

/** The same minutes in as few windows as possible, in order. */
export function mergedWindows(windows: readonly WeekWindow[]): readonly WeekWindow[] {
  const merged: WeekWindow[] = []
  for (const next of windows.toSorted((one, other) => one.start - other.start)) {
    const last = merged.at(-1)
    if (last === undefined || next.start > last.end) merged.push(next)
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, next.end) }
  }
  return merged
}

/** @param minuteOfWeek may have a fraction */
export function isInWindows(windows: readonly WeekWindow[], minuteOfWeek: number): boolean {
  return windows.some(({ start, end }) => start <= minuteOfWeek && minuteOfWeek < end)
}

/** Minutes since Monday 00:00 by the zone's clocks, with a fraction. @param at Unix milliseconds */
export function localMinuteOfWeek(zone: string, at: number): number {
  const local = at + offsetSpan(zone, at).offset + sinceMonday
  return (((local % week) + week) % week) / minute
}

/** More steps than a year of clock changes and empty windows can take. */
const mostSteps = 1000

/**
 * The first moment after `at` when the clocks enter or leave the windows, also through a clock change; Infinity for
 * never.
 * @param windows merged
 */
export function nextWindowEdge(windows: readonly WeekWindow[], zone: string, at: number): number {
  const [first] = windows
  if (first === undefined || (first.start === 0 && first.end === minutesOfWeek)) return Number.POSITIVE_INFINITY
  const isInside = isInWindows(windows, localMinuteOfWeek(zone, at))
  let from = at
  for (let step = 0; step < mostSteps; step++) {
    const now = localMinuteOfWeek(zone, from)
    const edges = windows.flatMap(({ start, end }) => [start, end])
    const edge = edges.find((candidate) => candidate > now) ?? first.start + minutesOfWeek
    from = Math.min(Math.round(from + (edge - now) * minute), offsetSpan(zone, from).endAt)
    if (isInWindows(windows, localMinuteOfWeek(zone, from)) !== isInside) return from
  }
  return Number.POSITIVE_INFINITY
}
