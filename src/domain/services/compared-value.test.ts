import fc from 'fast-check'
import { expect, test } from 'vitest'
import { comparisons, isAsCompared } from './compared-value.ts'

test.each([
  ['1', '=', '1', true],
  ['1.0', '=', '1', true],
  ['1e3', '=', '1000', true],
  [' 7 ', '>', '6.9', true],
  ['7', '<', '7', false],
  ['7', '<=', '7', true],
  ['10', '>', '9', true],
  ['-1', '>=', '0', false],
  ['up', '=', 'up', true],
  ['up', '=', 'UP', false],
  ['up', '!=', 'down', true],
  ['up', '>', 'down', false],
  ['NaN', '<', '5', false],
  ['', '=', '0', false],
] as const)('%j %s %j: %s', (actual, comparison, expected, is) => {
  expect(isAsCompared(actual, comparison, expected)).toBe(is)
})

test('of numbers exactly one of less, equal and greater is so, and the others are their opposites', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 }).map(String)
  fc.assert(
    fc.property(number, number, (one, other) => {
      const is = Object.fromEntries(comparisons.map((comparison) => [comparison, isAsCompared(one, comparison, other)]))
      expect([is['<'], is['='], is['>']].filter(Boolean)).toHaveLength(1)
      expect([is['>='], is['<='], is['!=']]).toEqual([!is['<'], !is['>'], !is['=']])
    }),
  )
})
