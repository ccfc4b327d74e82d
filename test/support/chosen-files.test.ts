import { expect, test } from 'vitest'
import { consoleFiles } from './chosen-files.ts'
import { chosenByCommit } from './commit-seed.ts'

test('a commit runs a part of the files of the console, and always the whole way of a user', () => {
  const { run, left } = consoleFiles()
  expect(run).toContain('test/console/journeys.test.ts')
  expect(run.length).toBeGreaterThan(8)
  expect(left.length).toBeGreaterThan(run.length / 2)
  expect(new Set([...run, ...left]).size).toBe(run.length + left.length)
})

test('each item is chosen by some commit, and none chooses more than it should', () => {
  const items = ['a', 'b', 'c']
  const chosen = [0, 1, 2, 3].map((seed) => chosenByCommit(items, 1, seed))
  expect(new Set(chosen.flat())).toEqual(new Set(items))
  expect(chosen.map((some) => some.length)).toEqual([1, 1, 1, 1])
  expect(chosenByCommit(items, 5, 1)).toEqual(items)
})
