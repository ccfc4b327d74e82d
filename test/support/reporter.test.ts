import { expect, test } from 'vitest'
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
