import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  gridPhase,
  intervalInEffect,
  isStale,
  latenessTolerance,
  nextOnGrid,
  nextRound,
  type RoundReason,
  rescheduled,
  roundsMissed,
  startOf,
} from './schedule.ts'

const serviceId = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const intervalSeconds = fc.integer({ min: 1, max: 86_400 })
const moment = fc.integer({ min: 1_700_000_000_000, max: 2_000_000_000_000 })

test('grid points follow each other by exactly one interval, whatever moment asks', () => {
  const property = fc.property(serviceId, intervalSeconds, moment, (id, seconds, now) => {
    const next = nextOnGrid(id, seconds, now)
    expect(next - now).toBeGreaterThan(0)
    expect(next - now).toBeLessThanOrEqual(seconds * 1000)
    expect(nextOnGrid(id, seconds, next)).toBe(next + seconds * 1000)
    expect(nextOnGrid(id, seconds, next - 1)).toBe(next)
  })
  fc.assert(property)
})

test('the sped-up grid holds every point of a grid of whole minutes', () => {
  const property = fc.property(serviceId, fc.integer({ min: 1, max: 1440 }), moment, (id, minutes, now) => {
    const point = nextOnGrid(id, minutes * 60, now)
    expect(nextOnGrid(id, 60, point - 1)).toBe(point)
  })
  fc.assert(property)
})

test('neighbouring services are spread over the interval', () => {
  const tenths = new Array<number>(10).fill(0)
  for (let id = 1; id <= 10_000; id++) {
    const tenth = Math.floor(gridPhase(id, 60) / 6000)
    tenths[tenth] = (tenths[tenth] ?? 0) + 1
  }
  expect(Math.min(...tenths)).toBeGreaterThan(850)
  expect(Math.max(...tenths)).toBeLessThan(1150)
})

test('under any clock steps the next round is after now, on the grid, at most an interval and a tick away', () => {
  const step = fc.integer({ min: -200_000, max: 200_000 })
  const property = fc.property(
    serviceId,
    fc.integer({ min: 1, max: 120 }),
    moment,
    step,
    (id, seconds, at, stepped) => {
      const lastDueAt = nextOnGrid(id, seconds, at)
      const now = lastDueAt + stepped
      const next = nextRound({ serviceId: id, intervalSeconds: seconds, now, lastDueAt, confirmAt: null })
      expect(next.reason).toBe('interval')
      expect(next.dueAt).toBe(nextOnGrid(id, seconds, next.dueAt - 1))
      expect(next.dueAt).toBeGreaterThan(now)
      expect(next.dueAt - now).toBeLessThanOrEqual(seconds * 1000 + latenessTolerance)
      if (Math.abs(stepped) <= latenessTolerance) expect(next.dueAt).toBeGreaterThan(lastDueAt)
    },
  )
  fc.assert(property)
})

test('a confirming analysis comes at its exact moment when that is before the grid', () => {
  const at = 1_764_000_000_000
  const facts = { serviceId: 7, intervalSeconds: 600, now: at, lastDueAt: null }
  const grid = nextOnGrid(7, 600, at)
  expect(nextRound({ ...facts, confirmAt: at + 1 })).toEqual({ dueAt: at + 1, reason: 'confirmation' })
  expect(nextRound({ ...facts, confirmAt: grid })).toEqual({ dueAt: grid, reason: 'interval' })
  expect(nextRound({ ...facts, confirmAt: at })).toEqual({ dueAt: grid, reason: 'interval' })
})

test.each([
  [{ intervalSeconds: 600, isFailing: false, isBreakdownSpeedUpOff: false, isTriedAgain: false }, 600],
  [{ intervalSeconds: 600, isFailing: true, isBreakdownSpeedUpOff: false, isTriedAgain: false }, 60],
  [{ intervalSeconds: 600, isFailing: true, isBreakdownSpeedUpOff: true, isTriedAgain: false }, 600],
  [{ intervalSeconds: 30, isFailing: true, isBreakdownSpeedUpOff: false, isTriedAgain: false }, 30],
  [{ intervalSeconds: 600, isFailing: false, isBreakdownSpeedUpOff: false, isTriedAgain: true }, 60],
  [{ intervalSeconds: 600, isFailing: true, isBreakdownSpeedUpOff: true, isTriedAgain: true }, 60],
  [{ intervalSeconds: 30, isFailing: false, isBreakdownSpeedUpOff: false, isTriedAgain: true }, 30],
])('the interval in effect of %o is %i s', (facts, seconds) => {
  expect(intervalInEffect(facts)).toBe(seconds)
})

test.each<[RoundReason, number, number | null]>([
  ['interval', -500, 0],
  ['interval', 0, 0],
  ['interval', 1, 1000],
  ['interval', 1000, 1000],
  ['interval', 1001, null],
  ['confirmation', 1001, null],
  ['forced', 86_400_000, 86_400_000],
  ['forced', -500, 0],
])('a round by %s that is claimed %i ms late starts %s ms after its due moment', (reason, lateBy, startsAfter) => {
  const start = startOf({ dueAt: 5000, reason }, 5000 + lateBy)
  expect(start === null ? null : start - 5000).toBe(startsAfter)
})

test('after an outage never more than twice as many rounds as usual start within a second', () => {
  const property = fc.property(moment, fc.integer({ min: 10, max: 200 }), (now, perSecond) => {
    const rounds = Array.from(
      { length: perSecond * 20 },
      (_, index) => now + 3000 - Math.floor((index * 1000) / perSecond),
    )
    const starts = rounds.flatMap((dueAt) => startOf({ dueAt, reason: 'interval' }, now) ?? [])
    for (let from = now; from < now + 3000; from += 100) {
      const started = starts.filter((at) => at >= from && at < from + 1000).length
      expect(started).toBeLessThanOrEqual(2 * perSecond + 2)
    }
  })
  fc.assert(property, { numRuns: 30 })
})

test('a round in line is stale two seconds after its moment', () => {
  expect(isStale({ dueAt: 0, reason: 'interval' }, 2000)).toBe(false)
  expect(isStale({ dueAt: 0, reason: 'interval' }, 2001)).toBe(true)
  expect(isStale({ dueAt: 0, reason: 'forced' }, 86_400_000)).toBe(false)
})

test('a waiting request survives a new plan', () => {
  const next = { dueAt: 9, reason: 'interval' } as const
  expect(rescheduled({ dueAt: 5, reason: 'forced' }, next)).toEqual({ dueAt: 5, reason: 'forced' })
  expect(rescheduled({ dueAt: 5, reason: 'confirmation' }, next)).toEqual(next)
})

test('a skipped claim stands for its own round and those of its grid that have passed since', () => {
  const property = fc.property(serviceId, intervalSeconds, moment, fc.nat(100), (id, seconds, from, passed) => {
    const dueAt = nextOnGrid(id, seconds, from)
    const now = dueAt + passed * seconds * 1000
    expect(roundsMissed({ dueAt, reason: 'interval' }, seconds, now)).toBe(passed + 1)
    expect(nextOnGrid(id, seconds, now)).toBe(dueAt + (passed + 1) * seconds * 1000)
    expect(roundsMissed({ dueAt, reason: 'confirmation' }, seconds, now)).toBe(1)
  })
  fc.assert(property)
})
