import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayGrade } from './day-grade.ts'

test.each([
  [0, 0, 'none'],
  [86_400, 0, 'ok'],
  [86_350, 50, 'slight'],
  [550, 50, 'slight'],
  [86_313, 87, 'little'],
  [85_536, 864, 'little'],
  [82_080, 4320, 'some'],
  [80_000, 6400, 'much'],
  [0, 86_400, 'much'],
  [10 * 86_400 - 86, 86, 'slight'],
])('%i good seconds and %i of failure: %s', (ok, failure, grade) => {
  expect(dayGrade({ ok, failure })).toBe(grade)
})

const order = ['ok', 'slight', 'little', 'some', 'much']

test('more failure is never graded better', () => {
  const second = fc.integer({ min: 0, max: 86_400 })
  fc.assert(
    fc.property(second, second, (one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      const grade = (failure: number) => order.indexOf(dayGrade({ ok: 86_400 - failure, failure }))
      expect(grade(less)).toBeLessThanOrEqual(grade(more))
    }),
  )
})
