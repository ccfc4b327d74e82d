import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DirectoryFacts, directoryTurn, retryMs } from './directory-turn.ts'

const repairMs = 300_000
const done = { stamp: 'a', endedAt: 1000, isComplete: true }
const failed = { ...done, isComplete: false }

test.each<[string, Omit<DirectoryFacts, 'repairMs'>, number, string]>([
  ['the first look', { stamp: 'a', stampBefore: null, lastRun: null }, 1000, 'wait'],
  ['the second look', { stamp: 'a', stampBefore: 'a', lastRun: null }, 1000, 'apply'],
  ['files that cannot be read', { stamp: null, stampBefore: 'a', lastRun: done }, 1_000_000, 'unreadable'],
  ['files that still change', { stamp: 'b', stampBefore: 'a', lastRun: done }, 2000, 'wait'],
  ['files that changed and rest', { stamp: 'b', stampBefore: 'b', lastRun: done }, 2000, 'apply'],
  ['files that were away and came back as they were', { stamp: 'a', stampBefore: null, lastRun: done }, 2000, 'wait'],
  ['nothing new', { stamp: 'a', stampBefore: 'a', lastRun: done }, 300_999, 'wait'],
  ['a repair is due', { stamp: 'a', stampBefore: 'a', lastRun: done }, 301_000, 'apply'],
  ['an incomplete run waits', { stamp: 'a', stampBefore: 'a', lastRun: failed }, 60_999, 'wait'],
  ['an incomplete run is tried again', { stamp: 'a', stampBefore: 'a', lastRun: failed }, 61_000, 'apply'],
  ['the clock was set back', { stamp: 'a', stampBefore: 'a', lastRun: done }, -1_000_000, 'apply'],
])('%s', (_name, facts, now, turn) => {
  expect(directoryTurn({ ...facts, repairMs }, now)).toBe(turn)
})

const stamp = fc.constantFrom('a', 'b', 'c')
const anyFacts = fc.record({
  stamp: fc.option(stamp),
  stampBefore: fc.option(stamp),
  lastRun: fc.option(fc.record({ stamp, endedAt: fc.nat(1e6), isComplete: fc.boolean() })),
  repairMs: fc.integer({ min: 10_000, max: 86_400_000 }),
})

test('nothing is applied that was not seen; files that rest are applied within the time of a repair', () => {
  const property = fc.property(anyFacts, fc.nat(1e6), (facts, now) => {
    const turn = directoryTurn(facts, now)
    if (facts.stamp === null) expect(turn).toBe('unreadable')
    else expect(turn).not.toBe('unreadable')
    if (turn === 'apply') expect(facts.stampBefore).toBe(facts.stamp)
    const later = { ...facts, stampBefore: facts.stamp }
    if (facts.stamp !== null) expect(directoryTurn(later, 1e6 + facts.repairMs)).toBe('apply')
  })
  fc.assert(property)
  expect(retryMs).toBeGreaterThan(10_000)
})
