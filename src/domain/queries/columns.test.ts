import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf, lazyColumns, placesHolding } from './columns.ts'
import { before, type Condition, contains, from, holds, is, oneOf, type Row } from './condition.ts'

const number = fc.integer({ min: -2, max: 2 })
const word = fc.constantFrom('a', 'A', 'ż', 'Ż', '')
const row = fc.record({ number, text: fc.option(word), maybe: fc.option(number), flag: fc.boolean() })
const field = fc.constantFrom('number', 'text', 'maybe', 'flag', 'missing', 'constructor')

const leaf: fc.Arbitrary<Condition> = fc.oneof(
  fc.tuple(field, fc.oneof(number, word, fc.boolean(), fc.constant(null))).map(([name, value]) => is(name, value)),
  fc.tuple(field, fc.array(fc.oneof(number, word), { maxLength: 3 })).map(([name, values]) => oneOf(name, values)),
  fc.tuple(field, word).map(([name, text]) => contains(name, text)),
  fc.tuple(field, number).map(([name, value]) => from(name, value)),
  fc.tuple(field, number).map(([name, value]) => before(name, value)),
  fc.boolean().map((value): Condition => ({ kind: 'always', value })),
)
const { tree } = fc.letrec<{ tree: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('tree'), { maxLength: 3 }).map((of): Condition => ({ kind: 'all', of })),
    fc.array(tie('tree'), { maxLength: 3 }).map((of): Condition => ({ kind: 'any', of })),
    tie('tree').map((of): Condition => ({ kind: 'not', of })),
  ),
}))

/** The same rows as columns: two are arrays of numbers, one of them with gaps. */
function columnsLike(rows: readonly Row[]) {
  return lazyColumns(rows.length, {
    number: () => Float64Array.from(rows, (one) => Number(one['number'])),
    text: () => (place) => rows[place]?.['text'],
    maybe: () => Float64Array.from(rows, (one) => (one['maybe'] as number | null) ?? Number.NaN),
    flag: () => (place) => rows[place]?.['flag'],
  })
}

test('a condition keeps the places of just the rows that hold it, in order, whatever the rows are made of', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), tree, (rows, condition) => {
      const expected = rows.flatMap((one, place) => (holds(condition, one) ? [place] : []))
      expect(Array.from(placesHolding(condition, columnsOf(rows)))).toEqual(expected)
      expect(Array.from(placesHolding(condition, columnsLike(rows)))).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

test('rows are made with the fields that are asked for', () => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), fc.nat({ max: 3 }), (rows, some) => {
      const place = some % rows.length
      const { number, text } = rows[place] ?? {}
      expect(columnsLike(rows).rows(['text', 'number', 'missing'])(place)).toEqual({ text, number, missing: null })
      expect(columnsOf(rows).rows(['text'])(place)).toBe(rows[place])
    }),
  )
})

test('a column is made when it is asked for, once, and not for rows that another field has ruled out', () => {
  const made: string[] = []
  const columns = lazyColumns(2, {
    a() {
      made.push('a')
      return Float64Array.of(1, 2)
    },
    b() {
      made.push('b')
      return () => 'b'
    },
  })
  expect(Array.from(placesHolding({ kind: 'all', of: [is('a', 3), is('b', 'b')] }, columns))).toEqual([])
  expect(made).toEqual(['a'])
  expect(Array.from(placesHolding({ kind: 'all', of: [is('a', 1), is('b', 'b')] }, columns))).toEqual([0])
  expect(Array.from(placesHolding(is('b', 'b'), columns))).toEqual([0, 1])
  expect(made).toEqual(['a', 'b'])
})
