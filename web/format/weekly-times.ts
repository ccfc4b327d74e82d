import type { WeekMinute } from '../parts/week-minute-field.tsx'
import { dateAfter, localDate, mondayOf, offsetAt } from './zone.ts'

/** Moments [from, to) in Unix milliseconds. */
export interface Range {
  readonly from: number
  readonly to: number
}

/** A time in which clocks of a zone keep one distance from UTC. */
interface Span extends Range {
  readonly offset: number
}

const minute = 60_000
const day = 86_400_000

/** The first moment after `from` at which the offset is another; it is another at `to`. */
function shiftBetween(from: number, to: number, zone: string): number {
  const before = offsetAt(from, zone)
  let [low, high] = [from, to]
  while (high - low > minute) {
    const middle = Math.floor((low + high) / 2 / minute) * minute
    if (offsetAt(middle, zone) === before) low = middle
    else high = middle
  }
  return high
}

function spansOf({ from, to }: Range, zone: string): readonly Span[] {
  const spans: Span[] = []
  let start = from
  for (let at = from; at < to; at += day) {
    const next = Math.min(at + day, to)
    if (offsetAt(next, zone) === offsetAt(start, zone)) continue
    const shift = shiftBetween(at, next, zone)
    spans.push({ from: start, to: shift, offset: offsetAt(start, zone) })
    start = shift
  }
  return [...spans, { from: start, to, offset: offsetAt(start, zone) }]
}

/** In a few weeks around the range nothing is missing that reaches into it. */
const around = 9 * day

/**
 * Finds when weekly ranges hold, as the program does: while the clocks of the zone show one of their minutes. An hour
 * that clocks skip is no part of them, and one that clocks show twice counts both times.
 */
export function weeklyTimesIn(range: Range) {
  const found = new Map<string, readonly Span[]>()
  const spansIn = (zone: string) => {
    const spans = found.get(zone) ?? spansOf({ from: range.from - around, to: range.to + around }, zone)
    found.set(zone, spans)
    return spans
  }
  return (start: WeekMinute, end: WeekMinute, zone: string): readonly Range[] => {
    const monday = mondayOf(localDate(range.from, zone))
    const shownAt = (week: number, { day_of_week, hour, minute: past }: WeekMinute) =>
      Date.parse(`${dateAfter(monday, week * 7 + day_of_week - 1)}T00:00Z`) + (hour * 60 + past) * minute
    const isOverSunday = shownAt(0, end) <= shownAt(0, start)
    return [-1, 0, 1]
      .flatMap((week) => {
        const shown = { from: shownAt(week, start), to: shownAt(isOverSunday ? week + 1 : week, end) }
        return joined(spansIn(zone).flatMap((span) => partOf(shown, span)))
      })
      .filter(({ from, to }) => to > range.from && from < range.to)
  }
}

/** The moments of a span at which clocks show the times; times are written as those of UTC. */
function partOf(shown: Range, { from, to, offset }: Span): readonly Range[] {
  const part = { from: Math.max(from, shown.from - offset), to: Math.min(to, shown.to - offset) }
  return part.from < part.to ? [part] : []
}

function joined(parts: readonly Range[]): readonly Range[] {
  const [first, second, ...rest] = parts
  if (first === undefined || second === undefined) return parts
  if (first.to === second.from) return joined([{ from: first.from, to: second.to }, ...rest])
  return [first, ...joined([second, ...rest])]
}
