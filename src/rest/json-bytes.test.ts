import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonOfRows } from './json-bytes.ts'

const value = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 9, 10, -10, 999_999_999, 1_000_000_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\u0000', '\u001f', '~', '\u007f', '\u2028', '\ud800', 'ż'.repeat(3000), '"'.repeat(3000)),
  fc.jsonValue(),
)
const names = ['one', 'two', 'three']

/** Neighbours with much in common, as rows of lists are. */
const alike = fc.constantFrom<unknown>(0, -0, 7, Number.NaN, null, false, 'ok', 'ż', { of: 'a group' })

test('rows are written as JSON.stringify writes an object of each', () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.oneof(value, alike), { minLength: 3, maxLength: 3 }), { maxLength: 20 }),
      fc.nat({ max: 3 }),
      (rows, count) => {
        const wanted = names.slice(0, count)
        const members = wanted.map((name, index) => ({ name, at: (place: number) => rows[place]?.[index] }))
        const objects = rows.map((row) => Object.fromEntries(wanted.map((name, index) => [name, row[index]])))
        expect(jsonOfRows(members, rows.length).toString()).toBe(JSON.stringify(objects))
      },
    ),
  )
})
