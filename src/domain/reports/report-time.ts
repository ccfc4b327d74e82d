import { hourLength as hour } from '../calendars/durations.ts'
import {
  type Calendar,
  calendarOf,
  isInEffect,
  minuteOfWeek,
  nextBoundary,
  type WeekMinute,
} from '../calendars/suspension.ts'
import { localMinuteOfWeek, windowsOfRange } from '../calendars/week.ts'
import { type ChartRange, sectionsOf } from '../service-level/chart.ts'

/** Which moments count in a report, and whose hours and days they are (specification: Report template; answers §11). */

/** A range of every week, in the owner's zone, that a report leaves out. The end is exclusive. */
export interface LeftOut {
  readonly start_minute: WeekMinute
  readonly end_minute: WeekMinute
}

/** @param zone IANA name */
function calendarOfLeftOut(leftOut: readonly LeftOut[], zone: string): Calendar {
  const windows = leftOut.flatMap(({ start_minute: start, end_minute: end }) =>
    windowsOfRange(minuteOfWeek(start), minuteOfWeek(end)),
  )
  return calendarOf(zone, windows, [])
}

/**
 * The range without the weekly ranges that are left out: ordered, not touching. Unix milliseconds.
 *
 * @param zone an IANA name
 */
export function countedRanges(range: ChartRange, leftOut: readonly LeftOut[], zone: string): readonly ChartRange[] {
  const calendar = calendarOfLeftOut(leftOut, zone)
  const ranges: ChartRange[] = []
  let at = range.fromAt
  while (at < range.toAt) {
    const end = Math.min(nextBoundary(calendar, at), range.toAt)
    if (!isInEffect(calendar, at)) ranges.push({ fromAt: at, toAt: end })
    at = end
  }
  return ranges
}

/** The local hours of the day and days of the week that a range touches. */
export interface ReachedHours {
  readonly hours: readonly number[]
  /** 1 is Monday. */
  readonly weekDays: readonly number[]
}

/**
 * A range shorter than a day or a week starts with its own hours and days. A longer one has all of them, from midnight
 * and Monday.
 * @param zone IANA name
 */
export function reachedHours({ fromAt, toAt }: ChartRange, zone: string): ReachedHours {
  const [hours, weekDays] = [new Set<number>(), new Set<number>()]
  const end = Math.min(toAt, fromAt + 8 * 24 * hour)
  for (let at = fromAt; at < end; at = (Math.floor(at / quarter) + 1) * quarter) {
    const minute = localMinuteOfWeek(zone, at)
    hours.add(Math.floor(minute / 60) % 24)
    weekDays.add(Math.floor(minute / 1440) + 1)
  }
  return { hours: inOrder(hours, 24), weekDays: inOrder(weekDays, 7) }
}

/** Zone offsets are whole quarters of an hour, so no local hour begins within one. */
const quarter = hour / 4

function inOrder(reached: ReadonlySet<number>, all: number): readonly number[] {
  return reached.size === all ? [...reached].toSorted((one, other) => one - other) : [...reached]
}

/** A range whose checks belong to one local hour of the day and one local day of the week. */
export interface LocalPiece extends ChartRange {
  /** True: read from the hourly sums. False: read from single analyses. */
  readonly isWholeHour: boolean
  /** 0 to 23. */
  readonly hour: number
  /** 1 is Monday. */
  readonly dayOfWeek: number
}

/**
 * The ranges in pieces of at most an hour. Sums are kept by UTC hour. Where local clocks differ by part of an hour, a
 * UTC hour counts for the local hour in which it begins.
 */
export function localPieces(ranges: readonly ChartRange[], zone: string): readonly LocalPiece[] {
  return ranges
    .flatMap((range) => sectionsOf(range, ['hours']))
    .flatMap((section) => {
      const pieces: LocalPiece[] = []
      for (let at = section.fromAt; at < section.toAt; ) {
        const toAt = Math.min(Math.floor(at / hour) * hour + hour, section.toAt)
        const minute = localMinuteOfWeek(zone, at)
        pieces.push({
          ...{ fromAt: at, toAt, isWholeHour: section.grain === 'hours' },
          ...{ hour: Math.floor(minute / 60) % 24, dayOfWeek: Math.floor(minute / 1440) + 1 },
        })
        at = toAt
      }
      return pieces
    })
}
