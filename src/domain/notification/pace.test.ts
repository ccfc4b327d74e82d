import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allowed, fullPace, refilled, spent, untilAllowed } from './pace.ts'

test('a rate of 600 a minute lets ten go at once, then one every tenth of a second', () => {
  const emptied = spent(fullPace(600, 0), 10)
  expect(allowed(fullPace(600, 0))).toBe(10)
  expect(allowed(emptied)).toBe(0)
  expect(untilAllowed(emptied, 600)).toBe(100)
  expect(allowed(refilled(emptied, 600, 100))).toBe(1)
  expect(allowed(refilled(emptied, 600, 60_000))).toBe(10)
})

test('a rate of two a minute lets one go every thirty seconds', () => {
  const emptied = spent(fullPace(2, 0), 1)
  expect(untilAllowed(emptied, 2)).toBe(30_000)
  expect(allowed(refilled(emptied, 2, 29_999))).toBe(0)
  expect(allowed(refilled(emptied, 2, 30_000))).toBe(1)
})

test('whoever takes all that is allowed whenever it looks stays within the rate', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6000 }),
      fc.array(fc.integer({ min: -5000, max: 5000 })),
      (perMinute, steps) => {
        let now = 0
        let pace = fullPace(perMinute, now)
        let taken = 0
        for (const step of steps) {
          now += step
          pace = refilled(pace, perMinute, now)
          const count = allowed(pace)
          taken += count
          pace = spent(pace, count)
        }
        const passed = steps.reduce((sum, step) => sum + Math.max(0, step), 0)
        expect(taken).toBeLessThanOrEqual((passed * perMinute) / 60_000 + Math.max(1, perMinute / 60) + 0.001)
      },
    ),
  )
})
