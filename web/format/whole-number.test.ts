import { expect, test } from 'vitest'
import { wholeNumber } from './whole-number.ts'

test.each([
  ['180', 180],
  [' 7 ', 7],
  ['-5', -5],
  ['0', 0],
  ['', ''],
  ['1.5', '1.5'],
  ['5 s', '5 s'],
])('%j is %j', (text, number) => {
  expect(wholeNumber(text)).toBe(number)
})
