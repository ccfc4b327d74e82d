import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  calendarOf,
  isInEffect,
  minuteOfWeek,
  nextBoundary,
  serviceCalendar,
  suspensionAt,
  unionOf,
  weeklyRangeProblems,
} from './suspension.ts'
import { minutesOfWeek, type WeekWindow } from './week.ts'

/** The inverse of `minuteOfWeek`. */
function weekMinuteOf(minute: number) {
  return { day_of_week: Math.floor(minute / 1440) + 1, hour: Math.floor(minute / 60) % 24, minute: minute % 60 }
}

const minute = fc.integer({ min: 0, max: minutesOfWeek - 1 })

test.each([
  [{ day_of_week: 1, hour: 0, minute: 0 }, 0],
  [{ day_of_week: 1, hour: 23, minute: 59 }, 1439],
  [{ day_of_week: 7, hour: 23, minute: 59 }, 10_079],
])('%j is minute %i of the week', (written, expected) => {
  expect(minuteOfWeek(written)).toBe(expected)
})

test('a minute of the week is written in one way', () => {
  fc.assert(
    fc.property(minute, (count) => {
      const written = weekMinuteOf(count)
      expect(minuteOfWeek(written)).toBe(count)
      expect(written.day_of_week).toBeGreaterThanOrEqual(1)
      expect(written.day_of_week).toBeLessThanOrEqual(7)
      expect(written.hour).toBeLessThanOrEqual(23)
      expect(written.minute).toBeLessThanOrEqual(59)
    }),
  )
})

test('every weekly range is fine but the one that ends where it starts', () => {
  fc.assert(
    fc.property(minute, minute, (start, end) => {
      const problems = weeklyRangeProblems(weekMinuteOf(start), weekMinuteOf(end))
      expect(problems.map(({ error, field }) => [error, field])).toEqual(
        start === end ? [['incorrect_value', 'data.end_minute']] : [],
      )
    }),
  )
})

const warsaw = 'Europe/Warsaw'
const hour = 3_600_000
/** Around both clock changes, and in a year without Polish ones. */
const starts = [Date.UTC(2026, 9, 19), Date.UTC(2027, 2, 22), Date.UTC(2026, 10, 21)]
const moment = fc
  .tuple(fc.constantFrom(...starts), fc.integer({ min: 0, max: 14 * 24 * 3600 }))
  .map(([start, seconds]) => start + seconds * 1000)
const zone = fc.constantFrom(warsaw, 'UTC', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Kathmandu')
const range = fc.tuple(minute, minute)
const windows = fc.array(
  range.filter(([start, end]) => start < end).map(([start, end]): WeekWindow => ({ start, end })),
  { maxLength: 4 },
)
const period = fc
  .tuple(moment, fc.integer({ min: 1, max: 5 * 24 * 3600 }))
  .map(([startAt, seconds]) => ({ startAt, endAt: startAt + seconds * 1000 }))
const periods = fc.array(period, { maxLength: 4 })

/** The minute of the week computed another way, by the runtime's own calendar. */
function minuteByFormat(timeZone: string, at: number): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const day = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts.get('weekday') ?? '')
  return (day * 24 + Number(parts.get('hour'))) * 60 + Number(parts.get('minute'))
}

test('in effect at a moment means: the listed periods or windows hold it', () => {
  fc.assert(
    fc.property(zone, windows, periods, moment, (name, week, once, at) => {
      const byList =
        once.some(({ startAt, endAt }) => startAt <= at && at < endAt) ||
        week.some(({ start, end }) => start <= minuteByFormat(name, at) && minuteByFormat(name, at) < end)
      expect(isInEffect(calendarOf(name, week, once), at)).toBe(byList)
    }),
    { numRuns: 1000 },
  )
})

test('several sources together are in effect whenever one of them is', () => {
  fc.assert(
    fc.property(zone, fc.array(fc.tuple(windows, periods), { maxLength: 3 }), moment, (name, sources, at) => {
      const calendars = sources.map(([week, once]) => calendarOf(name, week, once))
      expect(isInEffect(unionOf(name, calendars), at)).toBe(calendars.some((one) => isInEffect(one, at)))
    }),
  )
})

test('the next boundary flips the answer, and nothing flips it before', () => {
  fc.assert(
    fc.property(
      zone,
      windows,
      periods,
      moment,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (name, week, once, at, part) => {
        const calendar = calendarOf(name, week, once)
        const now = isInEffect(calendar, at)
        const next = nextBoundary(calendar, at)
        expect(next).toBeGreaterThan(at)
        if (next < Number.POSITIVE_INFINITY) {
          expect(isInEffect(calendar, next)).toBe(!now)
          expect(isInEffect(calendar, next - 1)).toBe(now)
        }
        const between = at + Math.floor((Math.min(next, at + 20 * 24 * hour) - at) * part)
        if (between < next) expect(isInEffect(calendar, between)).toBe(now)
      },
    ),
    { numRuns: 2000 },
  )
})

test('windows that fill the week together never end, no windows never begin', () => {
  const half = minutesOfWeek / 2
  const full = calendarOf(
    warsaw,
    [
      { start: half, end: minutesOfWeek },
      { start: 0, end: half },
    ],
    [],
  )
  expect(nextBoundary(full, starts[0] ?? 0)).toBe(Number.POSITIVE_INFINITY)
  expect(nextBoundary(calendarOf(warsaw, [], []), starts[0] ?? 0)).toBe(Number.POSITIVE_INFINITY)
})

/** Every boundary from one Monday's local midnight to the next, with how long the calendar was in effect. */
function hoursInEffect(windowsGiven: readonly WeekWindow[], from: number, to: number): number {
  const calendar = calendarOf(warsaw, windowsGiven, [])
  let total = 0
  for (let at = from; at < to; ) {
    const next = Math.min(nextBoundary(calendar, at), to)
    if (isInEffect(calendar, at)) total += next - at
    at = next
  }
  return total / hour
}

const sunday = 6 * 1440
const [autumn, winter] = [Date.UTC(2026, 9, 18, 22), Date.UTC(2026, 9, 25, 23)]
const [beforeSpring, afterSpring] = [Date.UTC(2027, 2, 21, 23), Date.UTC(2027, 2, 28, 22)]

test.each([
  ['from 02:00 to 03:00 on the night with an hour more', sunday + 120, sunday + 180, autumn, winter, 2],
  ['from 01:30 to 02:30 on the night with an hour more, in two pieces', sunday + 90, sunday + 150, autumn, winter, 1.5],
  ['from 00:00 to 04:00 on the night with an hour more', sunday, sunday + 240, autumn, winter, 5],
  ['from 02:00 to 03:00 on the night with an hour less', sunday + 120, sunday + 180, beforeSpring, afterSpring, 0],
  ['from 01:30 to 02:30 on the night with an hour less', sunday + 90, sunday + 150, beforeSpring, afterSpring, 0.5],
  ['from 00:00 to 04:00 on the night with an hour less', sunday, sunday + 240, beforeSpring, afterSpring, 3],
])('a window %s', (_title, start, end, from, to, expected) => {
  expect(hoursInEffect([{ start, end }], from, to)).toBe(expected)
})

test('the weeks of the changed clocks have 169 and 167 hours', () => {
  const almost = [{ start: 0, end: minutesOfWeek - 60 }]
  expect(hoursInEffect(almost, autumn, winter)).toBe(168)
  expect(hoursInEffect(almost, beforeSpring, afterSpring)).toBe(166)
  expect(winter - autumn).toBe(169 * hour)
  expect(afterSpring - beforeSpring).toBe(167 * hour)
})

test('a window that the clocks leave by being set back comes again', () => {
  const calendar = calendarOf(warsaw, [{ start: sunday + 90, end: sunday + 150 }], [])
  // 01:30 summer time; 02:30 summer time; 02:00 winter time, the second one; 02:30 winter time.
  const expected = [
    Date.UTC(2026, 9, 24, 23, 30),
    Date.UTC(2026, 9, 25, 0, 30),
    Date.UTC(2026, 9, 25, 1),
    Date.UTC(2026, 9, 25, 1, 30),
  ]
  let at = Date.UTC(2026, 9, 24)
  expect(expected.map(() => (at = nextBoundary(calendar, at)))).toEqual(expected)
})

test('stops and quiet hours are told apart, with the source that stops', () => {
  const at = Date.UTC(2026, 10, 23, 9)
  const calendar = serviceCalendar({
    zone: warsaw,
    suspensions: [
      { startAt: at, endAt: at + hour, onlyNotifications: false },
      { startAt: at + 5 * hour, endAt: at + 6 * hour, onlyNotifications: true },
    ],
    // Monday 10:00 to 12:00 in Warsaw is 09:00 to 11:00 UTC.
    weekly: [{ start: 600, end: 720, onlyNotifications: false }],
    suspensionHours: `${'0'.repeat(11)}11${'0'.repeat(155)}`,
    silentHours: `${'0'.repeat(22)}11`,
  })
  const reasons = [-1, 0, hour, 2 * hour, 3 * hour].map((after) => suspensionAt(calendar, at + after))
  expect(reasons).toEqual([null, 'suspension', 'weekly_suspension', 'suspension_hours', null])
  expect(nextBoundary(calendar.stop, at)).toBe(at + 3 * hour)
  expect(isInEffect(calendar.quiet, at)).toBe(false)
  expect(nextBoundary(calendar.quiet, at)).toBe(at + 5 * hour)
  // 22:00 to 24:00 in Warsaw, on any day.
  expect(isInEffect(calendar.quiet, Date.UTC(2026, 10, 25, 21, 30))).toBe(true)
  expect(isInEffect(calendar.quiet, Date.UTC(2026, 10, 25, 23))).toBe(false)
})
