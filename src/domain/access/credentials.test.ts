import { expect, test } from 'vitest'
import { isPassword, isUsername } from './credentials.ts'

test.each([
  ['abc', true],
  ['Anna.Nowak-7_@firma.pl', true],
  ['a'.repeat(64), true],
  ['ab', false],
  ['a'.repeat(65), false],
  ['jan kowalski', false],
  ['żółw', false],
  ['abc\n', false],
  ['ab\u0000c', false],
])('the username %j is allowed: %s', (text, allowed) => {
  expect(isUsername(text)).toBe(allowed)
})

test.each([
  ['1234567', false],
  ['12345678', true],
  ['zażółć gęślą jaźń', true],
  ['🔑'.repeat(7), false],
  ['🔑'.repeat(256), true],
  ['x'.repeat(257), false],
])('the password %j is allowed: %s', (text, allowed) => {
  expect(isPassword(text)).toBe(allowed)
})
