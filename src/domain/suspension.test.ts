import fc from 'fast-check'
import { expect, test } from 'vitest'
import { minuteOfWeek, minutesOfWeek, weeklyRangeProblems, weekMinuteOf } from './suspension.ts'

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
