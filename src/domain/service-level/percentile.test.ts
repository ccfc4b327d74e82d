import fc from 'fast-check'
import { expect, test } from 'vitest'
import { percentile } from './percentile.ts'

test.each([
  [[7], 0.5, 7],
  [[1, 2], 0.5, 1],
  [[1, 2, 3], 0.5, 2],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.99, 10],
  [[1, 2, 3], 0, 1],
  [[1, 2, 3], 1, 3],
])('of %j the share %d does not exceed %d', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected)
})

test('of nothing there is none', () => {
  expect(percentile([], 0.5)).toBeNaN()
})

test('is the smallest value that enough values do not exceed', () => {
  const shares = fc.constantFrom(0.5, 0.9, 0.99)
  fc.assert(
    fc.property(fc.array(fc.nat(50), { minLength: 1 }), shares, (values, share) => {
      const enough = (candidate: number) => values.filter((value) => value <= candidate).length >= share * values.length
      const expected = Math.min(...values.filter(enough))
      expect(
        percentile(
          values.toSorted((one, other) => one - other),
          share,
        ),
      ).toBe(expected)
    }),
  )
})
