import { expect, test } from 'vitest'
import { linesOfFailures, linesOfSkips } from './report-lines.ts'
import { reasonInName } from './reporter.ts'

test.each([
  [
    'over a socket (skipped: ping_group_range (of Linux) does not let it) > answers',
    'ping_group_range (of Linux) does not let it',
  ],
  ['a page check (skipped: no browser was found)', 'no browser was found'],
  ['the outer > the inner (skipped: no systemd) > a test', 'no systemd'],
  ['what is skipped: nothing > answers', undefined],
])('why %s is left out', (name, reason) => {
  expect(reasonInName(name)).toBe(reason)
})

test('tests of a file that share a reason are one line', () => {
  const skipped = ['one', 'other'].map((name) => ({ file: 'a.test.ts', name, reason: 'no cluster' }))
  expect(linesOfSkips([...skipped, { file: 'b.test.ts', name: 'alone', reason: 'no cluster' }])).toEqual([
    'skipped: a.test.ts > 2 tests: no cluster',
    'skipped: b.test.ts > alone: no cluster',
  ])
})

test('a failure is named with the beginning of its message, twenty at most', () => {
  const long = Array.from({ length: 9 }, (_, index) => `\u001B[31mline ${index}\u001B[39m`).join('\n')
  const failed = Array.from({ length: 23 }, (_, index) => ({ name: `test ${index}`, errors: [{ message: long }] }))
  const lines = linesOfFailures(failed)
  expect(lines.slice(0, 3)).toEqual(['failed: test 0', '  line 0', '  line 1'])
  expect(lines).toHaveLength(20 * 7 + 1)
  expect(lines.at(-1)).toBe('failed: 3 more')
})
