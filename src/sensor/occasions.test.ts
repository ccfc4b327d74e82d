import { expect, test } from 'vitest'
import { Occasions } from './occasions.ts'

test('what happens often is told at once, then once in the time with its number; each key for itself', () => {
  const occasions = new Occasions(60_000)
  const at = (key: string, ...moments: number[]) => moments.map((moment) => occasions.meet(key, moment))
  expect(at('a', 0, 10, 59_999, 60_000, 60_001, 130_000)).toEqual([1, 0, 0, 3, 0, 2])
  expect(at('b', 130_000)).toEqual([1])
})
