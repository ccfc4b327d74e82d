import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isInWindows, mergedWindows, minutesOfWeek, windowsOfHours, windowsOfRange } from './week.ts'

const minute = fc.integer({ min: 0, max: minutesOfWeek - 1 })
const hours = fc.array(fc.constantFrom('0', '1'), { minLength: 168, maxLength: 168 }).map((list) => list.join(''))

test('168 characters become windows and come back the same', () => {
  fc.assert(
    fc.property(hours, (text) => {
      const windows = windowsOfHours(text)
      const read = Array.from({ length: 168 }, (_, hour) => (isInWindows(windows, hour * 60) ? '1' : '0'))
      expect(read.join('')).toBe(text)
      expect(mergedWindows(windows)).toEqual(windows)
    }),
  )
})

test('the first character is Monday from 00:00 to 01:00', () => {
  expect(windowsOfHours(`1${'0'.repeat(166)}1`)).toEqual([
    { start: 0, end: 60 },
    { start: minutesOfWeek - 60, end: minutesOfWeek },
  ])
  expect(windowsOfHours('1'.repeat(168))).toEqual([{ start: 0, end: minutesOfWeek }])
})

test('a range over the end of the week holds its minutes on both sides and no other', () => {
  fc.assert(
    fc.property(minute, minute, minute, (start, end, now) => {
      fc.pre(start !== end)
      const isHeld = start < end ? start <= now && now < end : now >= start || now < end
      expect(isInWindows(windowsOfRange(start, end), now)).toBe(isHeld)
    }),
  )
})

test('merged windows hold the same minutes and stand apart', () => {
  const ranges = fc.array(fc.tuple(minute, minute), { maxLength: 6 })
  fc.assert(
    fc.property(ranges, minute, (given, now) => {
      const windows = given.flatMap(([start, end]) => windowsOfRange(start, end))
      const merged = mergedWindows(windows)
      expect(isInWindows(merged, now)).toBe(isInWindows(windows, now))
      for (const [index, { start }] of merged.entries()) {
        if (index > 0) expect(start).toBeGreaterThan(merged[index - 1]?.end ?? 0)
      }
    }),
  )
})
