import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contrast, readableOn } from './contrast.ts'

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
])('%s on %s has the ratio %d', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2)
})

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

test('every color becomes readable on light and dark ground', () => {
  fc.assert(
    fc.property(color, fc.constantFrom('#ffffff', '#10181d', '#f4f6f8'), (chosen, ground) => {
      expect(contrast(readableOn(ground, chosen), ground)).toBeGreaterThanOrEqual(4.5)
    }),
  )
})

test('a readable color stays as it is', () => {
  expect(readableOn('#ffffff', '#0b5c83')).toBe('#0b5c83')
})
