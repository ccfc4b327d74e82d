import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, test } from 'vitest'
import { casesMet } from '../../../test/support/cases-met.ts'
import { largestPattern, patternSize } from './pattern-size.ts'

const compiling = casesMet('patterns that compile')

const atom = fc.constantFrom(
  'a',
  '.',
  '\\d',
  '[a-z]',
  '[^]x]',
  '\\pL',
  '\\p{Lu}',
  '\\x{41}',
  '\\.',
  'ż',
  '\\Qa.b{9}\\E',
)
const repetition = fc.constantFrom('', '', '*', '+?', '?', '{3}', '{2,}', '{0,30}', '{1,4}?')
const pattern = fc.letrec<{ whole: string; part: string }>((tie) => ({
  part: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc.tuple(fc.constantFrom('(', '(?:', '(?i:'), tie('whole')).map(([open, inner]) => `${open}${inner})`),
  ),
  whole: fc
    .array(
      fc.tuple(tie('part'), repetition).map(([part, times]) => `${part}${times}`),
      { minLength: 1, maxLength: 4 },
    )
    .chain((parts) => fc.constantFrom('', '|').map((between) => parts.join(between))),
})).whole

describe('the size of a pattern', () => {
  test('is at least what it compiles to', () => {
    fc.assert(
      fc.property(pattern, (text) => {
        fc.pre(patternSize(text) <= largestPattern)
        let compiled: number
        try {
          compiled = RE2JS.compile(text).programSize()
        } catch {
          compiling(false)
          return
        }
        compiling(true)
        // The fixed part of a program: failing, matching, and the groups around everything.
        expect(compiled).toBeLessThanOrEqual(patternSize(text) + 6)
      }),
      { numRuns: 300 },
    )
  })

  test.each(['x{1000}'.repeat(140), `(${'a'.repeat(900)}){1000}`, '((a{10}b){10}){10}'.repeat(50), '(.{0,999}){5}'])(
    'is too much for %j',
    (text) => {
      expect(patternSize(text)).toBeGreaterThan(largestPattern)
    },
  )

  test.each([
    'a{1000}',
    '.{0,999}q',
    '\\b(\\d{1,3}\\.){3}\\d{1,3}\\b',
    '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    `${'Welcome|'.repeat(120)}Hello`,
    `\\Q${'{1000}'.repeat(160)}\\E`,
    '[{1000}]{9}',
  ])('is nothing for %j', (text) => {
    expect(patternSize(text)).toBeLessThanOrEqual(largestPattern)
  })
})
