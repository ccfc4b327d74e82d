import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Assertion,
  type AssertionComparison,
  assertionComparisons,
  assertionSources,
  comparisonsFor,
  expectation,
  type FoundValue,
  judgeAssertion,
  needsValue,
} from './assertion.ts'

const neverMatches = () => false

function assertion(comparison: AssertionComparison, value: Assertion['value'] = null): Assertion {
  return { source: 'json', path: '$.a', comparison, value, severity: 'failure' }
}

function foundOf(value: unknown): FoundValue {
  const kinds = { string: 'text', number: 'number', boolean: 'boolean' } as const
  const named = kinds[typeof value as keyof typeof kinds]
  const kind = named ?? (value === null ? 'null' : Array.isArray(value) ? 'list' : 'object')
  return { text: typeof value === 'string' ? value : JSON.stringify(value), kind, isCut: false }
}

const rows: readonly (readonly [AssertionComparison, Assertion['value'], found: readonly unknown[], string])[] = [
  ['equals', 'up', ['up', 'up'], 'holds'],
  ['equals', 'up', ['up', 'down'], 'fails'],
  ['equals', 'up', [], 'missing'],
  ['equals', '1.0', [1], 'holds'],
  ['equals', '1.0', ['1'], 'fails'],
  ['equals', 1, ['1.0'], 'holds'],
  ['equals', true, [true], 'holds'],
  ['equals', '', [''], 'holds'],
  ['not_equals', 'down', ['up'], 'holds'],
  ['not_equals', 'down', [], 'holds'],
  ['not_equals', 'down', ['up', 'down'], 'fails'],
  ['less', 5, [4.9, '-1'], 'holds'],
  ['less', 5, [5], 'fails'],
  ['less', 5, ['four'], 'fails'],
  ['greater', 5, [6, 5], 'fails'],
  ['contains', 'b', ['abc'], 'holds'],
  ['contains', 'b', ['abc', 'xyz'], 'fails'],
  ['not_contains', 'b', ['xyz'], 'holds'],
  ['exists', null, [null], 'holds'],
  ['exists', null, [], 'missing'],
  ['not_exists', null, [], 'holds'],
  ['not_exists', null, [0], 'fails'],
  ['is_empty', null, ['', ' ', [], {}, null], 'holds'],
  ['is_empty', null, [], 'holds'],
  ['is_empty', null, [[0]], 'fails'],
  ['is_not_empty', null, [0, 'a', [1]], 'holds'],
  ['is_not_empty', null, ['a', ''], 'fails'],
  ['is_not_empty', null, [], 'missing'],
]

test.each(rows)('%s %j of %j: %s', (comparison, value, found, verdict) => {
  const values = found.map(foundOf)
  expect(judgeAssertion(assertion(comparison, value), { values, isCut: false }, neverMatches).verdict).toBe(verdict)
})

const anyValue = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant([])).map(foundOf)
const opposites = [
  ['equals', 'not_equals'],
  ['contains', 'not_contains'],
  ['matches', 'not_matches'],
  ['exists', 'not_exists'],
  ['is_empty', 'is_not_empty'],
] as const

test('of one value, a comparison holds exactly if its opposite does not', () => {
  fc.assert(
    fc.property(anyValue, fc.string(), fc.boolean(), (value, wanted, isMatch) => {
      for (const [positive, negative] of opposites) {
        const judge = (comparison: AssertionComparison) =>
          judgeAssertion(assertion(comparison, wanted), { values: [value], isCut: false }, () => isMatch).verdict
        expect([judge(positive), judge(negative)].toSorted()).toEqual(['fails', 'holds'])
      }
    }),
  )
})

test('a part of the values never makes a verdict that the whole would contradict', () => {
  fc.assert(
    fc.property(
      fc.array(anyValue, { minLength: 1, maxLength: 5 }),
      fc.array(anyValue, { maxLength: 5 }),
      fc.constantFrom(...assertionComparisons),
      fc.oneof(fc.string(), fc.integer()),
      (known, others, comparison, wanted) => {
        const judge = (values: readonly FoundValue[], isCut: boolean) =>
          judgeAssertion(assertion(comparison, wanted), { values, isCut }, ({ text }) => text.length > 3).verdict
        const [part, whole] = [judge(known, true), judge([...known, ...others], false)]
        if (part !== 'unknown') expect(part).toBe(whole)
      },
    ),
  )
})

test('the beginning of a text never makes a verdict that the whole would contradict', () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b') }),
      fc.string({ maxLength: 6, unit: fc.constantFrom('a', 'b') }),
      fc.string({ maxLength: 4, unit: fc.constantFrom('a', 'b') }),
      fc.constantFrom('equals', 'not_equals', 'contains', 'not_contains'),
      (known, rest, wanted, comparison) => {
        const judge = (text: string, isCut: boolean) =>
          judgeAssertion(
            assertion(comparison, wanted),
            { values: [{ text, kind: 'text', isCut }], isCut: false },
            neverMatches,
          ).verdict
        const part = judge(known, true)
        if (part !== 'unknown') expect(part).toBe(judge(`${known}${rest}b`, false))
      },
    ),
  )
})

test('every comparison fits some source, and an expectation says all of it', () => {
  const fitting = new Set(assertionSources.flatMap((source) => comparisonsFor(source, 'subject')))
  expect([...fitting].toSorted()).toEqual([...assertionComparisons].toSorted())
  expect(expectation(assertion('equals', 'up'))).toBe('json $.a equals "up"')
  expect(expectation(assertion('exists'))).toBe('json $.a exists')
  expect(assertionComparisons.filter((one) => !needsValue(one))).toEqual([
    ...['exists', 'not_exists', 'is_empty', 'is_not_empty'],
  ])
})
