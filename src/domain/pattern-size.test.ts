import { expect, test } from 'vitest'
import { isModestPattern } from './pattern-size.ts'
import { isPattern } from './setting-grammars.ts'

test.each([
  'Zaloguj|Log in',
  '^\\d{1,3}(\\.\\d{1,3}){3}$',
  '[^<]{1,500}</title>',
  '(?i)koszyk.{0,200}suma',
  '\\p{L}{1,1000}',
  '([a-z]{2,10} ){1,50}',
  `${'('.repeat(40)}a${')'.repeat(40)}`,
  'x'.repeat(1000),
])('%j costs little to compile', (pattern) => {
  expect(isModestPattern(pattern)).toBe(true)
  expect(isPattern(pattern)).toBe(true)
})

test.each([
  '(\\pL{1,1000}|x)'.repeat(50),
  '(?:a{1,30}){1,33}'.repeat(40),
  `(${'a'.repeat(900)}){1000}`,
  `${'('.repeat(400)}a${')'.repeat(400)}`,
])('%j is refused before it is compiled', (pattern) => {
  const before = process.cpuUsage()
  expect(isPattern(pattern)).toBe(false)
  expect(process.cpuUsage(before).user).toBeLessThan(50_000)
})
