/** The days of a service as bars: the service level of each day and its number of failures. */
import { Temporal } from 'temporal-polyfill'
import { shownSecond } from '../calendars/time.ts'
import type { DegradedPeriod } from '../judging/degraded.ts'
import type { ChartRange } from './chart.ts'
import { type ServiceLevel, type ServiceLevelFacts, type StateSpan, statesOver } from './service-level.ts'

/** A day of a calendar, [fromAt, toAt) in Unix milliseconds. */
export interface CalendarDay extends ChartRange {
  /** `2026-11-22` */
  readonly date: string
}

/** Whole seconds. */
export interface DayBar extends ServiceLevel {
  readonly date: string
  /** Failures that touch the day, with corrections applied. */
  readonly failures: number
  /** Seconds of `ok` in which the service was degraded. */
  readonly degraded: number
}

/** The last `days` days in the time zone (IANA name), ending with today. */
export function lastDays(now: number, days: number, timeZone: string): readonly CalendarDay[] {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  const dates = Array.from({ length: days + 1 }, (_, index) => today.add({ days: index + 1 - days }))
  const edges = dates.map((date) => date.toZonedDateTime(timeZone).epochMilliseconds)
  return dates.slice(0, days).map((date, index) => ({
    date: date.toString(),
    fromAt: edges[index] ?? 0,
    toAt: edges[index + 1] ?? 0,
  }))
}

type Life = Pick<ServiceLevelFacts, 'changes' | 'corrections' | 'createdAt' | 'now'> & {
  /** In order, without overlaps. */
  readonly degraded?: readonly DegradedPeriod[]
}

/** A bar for each day; its seconds are the day's service level. @param days touching, in order */
export function dayBars(life: Life, days: readonly CalendarDay[]): readonly DayBar[] {
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return []
  const spans = statesOver({ ...life, fromAt: first.fromAt, toAt: last.toAt })
  const degraded = degradedOver(spans, life.degraded ?? [])
  let next = 0
  return days.map(({ date, fromAt, toAt }) => {
    const start = shownSecond(fromAt)
    // Spans touch, so those that ended with an earlier day are skipped for good.
    while ((spans[next]?.to ?? Number.POSITIVE_INFINITY) <= start) next++
    const end = shownSecond(toAt)
    return barOf(date, { spans, next, start, end }, secondsWithin(degraded, start, end))
  })
}

type Seconds = Omit<StateSpan, 'status'>

/** Good seconds of degraded periods: a failure or a correction counts instead. */
function degradedOver(spans: readonly StateSpan[], periods: readonly DegradedPeriod[]): readonly Seconds[] {
  if (periods.length === 0) return []
  const good = spans.filter(({ status }) => status === 'ok')
  return periods.flatMap(({ startedAt, endedAt }) => {
    const from = shownSecond(startedAt)
    const to = endedAt === null ? Number.POSITIVE_INFINITY : shownSecond(endedAt)
    return good
      .map((span) => ({ from: Math.max(span.from, from), to: Math.min(span.to, to) }))
      .filter((part) => part.to > part.from)
  })
}

function secondsWithin(parts: readonly Seconds[], start: number, end: number): number {
  return parts.reduce((sum, part) => sum + Math.max(0, Math.min(part.to, end) - Math.max(part.from, start)), 0)
}

interface SpansOfDay {
  readonly spans: readonly StateSpan[]
  /** Index of the first span that reaches into the day. */
  readonly next: number
  readonly start: number
  readonly end: number
}

/** One answer may hold tens of thousands of bars, so each is built as one object, once. */
function barOf(date: string, { spans, next, start, end }: SpansOfDay, degraded: number): DayBar {
  const bar = { date, ok: 0, failure: 0, paused: 0, failures: 0, degraded }
  for (let index = next; index < spans.length; index++) {
    const span = spans[index]
    if (span === undefined || span.from >= end) break
    const seconds = Math.min(span.to, end) - Math.max(span.from, start)
    if (seconds <= 0) continue
    bar[span.status] += seconds
    if (span.status === 'failure') bar.failures++
  }
  return bar
}
