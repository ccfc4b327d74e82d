import { afterEach, expect, test, vi } from 'vitest'
import { wallTime } from './wall-time.ts'

afterEach(() => void vi.restoreAllMocks())

test('the time has fractions of a millisecond', () => {
  const times = Array.from({ length: 50 }, wallTime)
  expect(times.some((time) => !Number.isInteger(time))).toBe(true)
})

test.each([3_600_000, -3_600_000])('a clock that is set by %d ms while the process runs is followed', (step) => {
  const setTo = Date.now() + step
  vi.spyOn(Date, 'now').mockReturnValue(setTo)
  expect(wallTime()).toBe(setTo)
})
