import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeOf, microsecondsOf, rounded } from './precision.ts'

test.each([
  [-1, -1],
  [0, 0],
  [4, 0],
  [5, 10],
  [9994, 9990],
  [9996, 10_000],
  [45_678, 45_700],
  [123_456, 123_000],
  [59_999_999, 60_000_000],
])('%i µs are kept as %i', (given, kept) => {
  expect(rounded(given)).toBe(kept)
})

test('a kept duration is within half a percent or 5 µs, and keeping it again changes nothing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 - 1 }), (given) => {
      const kept = rounded(given)
      expect(Math.abs(kept - given)).toBeLessThanOrEqual(Math.max(5, given * 0.005))
      expect(rounded(kept)).toBe(kept)
    }),
  )
})

test('kept durations are numbered through without gap, in order', () => {
  for (let code = 0, last = -1; code < 5000; code++) {
    const duration = microsecondsOf(code)
    expect(duration).toBeGreaterThan(last)
    expect(rounded(duration)).toBe(duration)
    expect(codeOf(duration)).toBe(code)
    last = duration
  }
  expect(codeOf(15)).toBeUndefined()
  expect(codeOf(-1)).toBeUndefined()
})
