import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ResultCounts } from './service-measures.ts'

const row = (service_id: number, day: number, ok: number, error = 0, unknown = 0) => ({
  service_id,
  day,
  ok,
  error,
  unknown,
})

test('counts what came since the first look, over midnight and beyond', () => {
  const counts = new ResultCounts()
  counts.take([7], [row(7, 99, 1000), row(7, 100, 20, 3)])
  counts.finish(new Set([7]))
  expect(counts.of(7)).toEqual({ ok: 0, error: 0, unknown: 0 })
  counts.take([7], [row(7, 99, 1001), row(7, 100, 25, 4, 1)])
  counts.finish(new Set([7]))
  expect(counts.of(7)).toEqual({ ok: 6, error: 1, unknown: 1 })
  // Day 99 is no longer read, day 101 has begun.
  counts.take([7], [row(7, 100, 30, 4, 1), row(7, 101, 2)])
  counts.finish(new Set([7]))
  expect(counts.of(7)).toEqual({ ok: 13, error: 1, unknown: 1 })
})

test('a service that comes later counts from its beginning; one that goes is forgotten', () => {
  const counts = new ResultCounts()
  counts.finish(new Set())
  counts.take([8], [row(8, 100, 5)])
  counts.finish(new Set([8]))
  expect(counts.of(8)).toEqual({ ok: 5, error: 0, unknown: 0 })
  counts.finish(new Set())
  expect(counts.of(8)).toEqual({ ok: 0, error: 0, unknown: 0 })
})

test('never falls, whatever becomes of the sums', () => {
  const sums = fc.array(fc.tuple(fc.integer({ min: 100, max: 103 }), fc.nat(50), fc.nat(50)), { maxLength: 40 })
  fc.assert(
    fc.property(sums, (looks) => {
      const counts = new ResultCounts()
      let before = counts.of(7)
      for (const [day, ok, error] of looks) {
        counts.take([7], [row(7, day, ok, error)])
        counts.finish(new Set([7]))
        const now = counts.of(7)
        expect(now.ok).toBeGreaterThanOrEqual(before.ok)
        expect(now.error).toBeGreaterThanOrEqual(before.error)
        before = now
      }
    }),
  )
})
