import { expect, test } from 'vitest'
import { unknownField, unknownParameter } from './problem.ts'

const few = Array.from({ length: 11 }, (_, at) => (at === 5 ? 'name' : `field_${at}`))
const many = [...few, 'last_field']

test.each([
  ['a field', (name: string, known: readonly string[]) => unknownField(name, known).known],
  ['a parameter', (name: string, known: readonly string[]) => unknownParameter(name, known).parameters],
])('%s that is misspelt is answered with ten names at most beside the guess', (_what, shown) => {
  expect(shown('nam', few)).toBe(few.join(', '))
  const beside = many.filter((name) => name !== 'name').slice(0, 10)
  expect(shown('nam', many)).toBe(`${beside.join(', ')} …`)
  expect(shown('quite_unlike_them', many)).toBe(many.join(', '))
})
