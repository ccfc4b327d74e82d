import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hoursOfDay, isQuietAt, noQuietHours, quietRanges, quietText, quietWeek, withHour } from './quiet-hours.ts'
import { weeklyTimesIn } from './weekly-times.ts'

const quietIn = (...hours: readonly number[]) =>
  hours.reduce((before, hour) => withHour(before, hour, true), noQuietHours)

test.each([
  [noQuietHours, ''],
  ['1'.repeat(24), '00:00–24:00'],
  [quietIn(0), '00:00–01:00'],
  [quietIn(23), '23:00–24:00'],
  [quietIn(22, 23, 0, 1, 2, 3, 4, 5), '22:00–06:00'],
  [quietIn(12, 22, 23), '12:00–13:00, 22:00–24:00'],
])('%s: %s', (hours, text) => {
  expect(quietText(hours)).toBe(text)
})

test('the ranges have every quiet hour once, and no other', () => {
  const day = fc.array(fc.constantFrom('0', '1'), { minLength: 24, maxLength: 24 }).map((hours) => hours.join(''))
  fc.assert(
    fc.property(day, (hours) => {
      const told = quietRanges(hours).flatMap(({ from, to }) =>
        Array.from({ length: (to - from + 24) % 24 || 24 }, (_, index) => (from + index) % 24),
      )
      expect(told.toSorted((one, other) => one - other)).toEqual(hoursOfDay.filter((hour) => isQuietAt(hours, hour)))
    }),
  )
})

test.each([
  ['2026-11-29T21:30:00Z', '2026-11-30T05:00:00Z'],
  ['2026-12-01T04:59:00Z', '2026-12-01T05:00:00Z'],
  // The night in which clocks go back.
  ['2027-10-30T21:00:00Z', '2027-10-31T05:00:00Z'],
])('at %s the quiet night ends at %s', (now, end) => {
  const timesOf = weeklyTimesIn({ from: Date.parse(now), to: Date.parse(now) + 1 })
  const times = quietWeek(quietIn(22, 23, 0, 1, 2, 3, 4, 5)).flatMap((one) =>
    timesOf(one.start, one.end, 'Europe/Warsaw'),
  )
  expect(times.map(({ to }) => to)).toEqual([Date.parse(end)])
})
