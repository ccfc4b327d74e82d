import { expect, test } from 'vitest'
import { momentsOf } from './moments.ts'

const grid = { phase: 500, step: 3000 }
/** Rounds that began so many milliseconds after the phase. */
const begun = (...offsets: readonly number[]) =>
  offsets.map((offset, index) => ({ id: index + 1, startedAt: grid.phase + offset }))

test('rounds that begin soon after their moments are of one each', () => {
  expect(momentsOf(begun(3010, 6900, 9000), grid)).toEqual({ done: new Set([1, 2, 3]), doubled: [] })
})

test('a round whose checks a busy station began after the next moment is no second one of that', () => {
  expect(momentsOf(begun(3010, 9005, 9100, 12_000), grid)).toEqual({ done: new Set([1, 2, 3, 4]), doubled: [] })
})

test('two rounds of one moment are told, also when a round was missed before', () => {
  expect(momentsOf(begun(3010, 6000, 6900, 9000), grid).doubled).toEqual([[2, 3]])
  expect(momentsOf(begun(3010, 9000, 9100, 9200), grid).doubled).toEqual([[3, 4]])
})
