import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { State } from '../judging/status-change.ts'
import type { StateSpan } from '../service-level/service-level.ts'
import { availabilityPercent, levelsTogether, reportLevel } from './report-level.ts'

const spans: readonly StateSpan[] = [
  { from: 0, to: 100, status: 'ok' },
  { from: 100, to: 160, status: 'failure' },
  { from: 160, to: 200, status: 'ok' },
  { from: 200, to: 210, status: 'failure' },
  { from: 210, to: 300, status: 'paused' },
]
const seconds = (from: number, to: number) => ({ fromAt: from * 1000, toAt: to * 1000 })

describe('the service level of a report', () => {
  test('sums up states, failures and the course of time', () => {
    const level = reportLevel(spans, [seconds(0, 300)], [seconds(0, 150), seconds(150, 300)])
    expect(level).toEqual({
      lastStatus: 'paused',
      ok: 140,
      failure: 70,
      paused: 90,
      failuresCount: 2,
      longestFailure: 60,
      failures: [
        { from: 100, to: 160, seconds: 60 },
        { from: 200, to: 210, seconds: 10 },
      ],
      parts: [
        { ok: 100, failure: 50, paused: 0 },
        { ok: 40, failure: 20, paused: 90 },
      ],
    })
  })

  test('counts a failure over what is left out once, and one that lies in it not at all', () => {
    const level = reportLevel(spans, [seconds(0, 110), seconds(150, 195)], [])
    expect(level).toMatchObject({ ok: 135, failure: 20, failuresCount: 1, longestFailure: 20 })
    expect(level.failures).toEqual([{ from: 100, to: 160, seconds: 20 }])
  })

  test('availability is a hundred only without a failure, and unknown without either', () => {
    expect(availabilityPercent({ ok: 31_000_000, failure: 1, paused: 0 })).toBe(99.999)
    expect(availabilityPercent({ ok: 1, failure: 0, paused: 5 })).toBe(100)
    expect(availabilityPercent({ ok: 0, failure: 0, paused: 5 })).toBeNull()
    expect(availabilityPercent({ ok: 2, failure: 1, paused: 0 })).toBe(66.666)
  })
})

const edges = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 2, maxLength: 10 })
  .map((all) => all.toSorted((a, b) => a - b))
const touching = fc
  .tuple(edges, fc.array(fc.constantFrom<State>('ok', 'failure', 'paused'), { minLength: 10, maxLength: 10 }))
  .map(([all, states]) =>
    all.slice(1).flatMap((to, index): StateSpan[] => {
      const [from, status] = [all[index] ?? 0, states[index] ?? 'ok']
      // Neighbours differ, as `statesOver` has them.
      return index > 0 && states[index - 1] === status ? [] : [{ from, to, status }]
    }),
  )
/** Every second one of some touching ranges, so that none touch. */
const apart = edges.map((all) =>
  all.flatMap((from, index) =>
    index % 2 === 0 && all[index + 1] !== undefined ? [seconds(from, all[index + 1] ?? 0)] : [],
  ),
)
const touchingParts = edges
  .map((all) => [0, ...all.filter((edge) => edge > 0), 61])
  .map((all) => all.slice(1).map((to, index) => seconds(all[index] ?? 0, to)))

test('equals a count second by second, in the whole and in every part; failures add up to the failing time', () => {
  fc.assert(
    fc.property(touching, apart, touchingParts, (states, ranges, parts) => {
      const level = reportLevel(states, ranges, parts)
      const count = (from: number, to: number) => {
        const sum = { ok: 0, failure: 0, paused: 0 }
        for (let second = from; second < to; second++) {
          const isCounted = ranges.some(({ fromAt, toAt }) => fromAt <= second * 1000 && second * 1000 < toAt)
          const span = states.find((one) => one.from <= second && second < one.to)
          if (isCounted && span !== undefined) sum[span.status]++
        }
        return sum
      }
      const counted = Array.from({ length: 61 }, (_, second) => {
        const { ok, failure, paused } = count(second, second + 1)
        return ok > 0 ? 'ok' : failure > 0 ? 'failure' : paused > 0 ? 'paused' : null
      })
      expect(level.lastStatus).toBe(counted.findLast((status) => status !== null) ?? null)
      expect({ ok: level.ok, failure: level.failure, paused: level.paused }).toEqual(count(0, 61))
      expect(level.parts).toEqual(parts.map(({ fromAt, toAt }) => count(fromAt / 1000, toAt / 1000)))
      expect(level.failures.reduce((total, one) => total + one.seconds, 0)).toBe(level.failure)
      expect(level.failures.length).toBe(level.failuresCount)
    }),
    { numRuns: 500 },
  )
})

test('levels together: one alone is itself without its failures, and the order does not matter', () => {
  fc.assert(
    fc.property(touching, touching, apart, (one, other, ranges) => {
      const [first, second] = [reportLevel(one, ranges, []), reportLevel(other, ranges, [])]
      expect(levelsTogether([first])).toEqual({ ...first, failures: [], lastStatus: null })
      expect(levelsTogether([first, second])).toEqual(levelsTogether([second, first]))
      expect(levelsTogether([first, second]).failure).toBe(first.failure + second.failure)
    }),
  )
})
