import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { weeklyOccurrences } from './weekly-occurrences.ts'

const day = 86_400_000
const minutes = (dayOfWeek: number, hour: number, minute = 0) => ((dayOfWeek - 1) * 24 + hour) * 60 + minute
const shown = (zone: string, start: number, end: number, [from, until]: readonly [string, string]) =>
  weeklyOccurrences({ start, end, zone }, Date.parse(from), Date.parse(until)).map(
    ({ startAt, endAt }) => `${new Date(startAt).toISOString()}/${new Date(endAt).toISOString()}`,
  )

describe('the times of a weekly range', () => {
  test.each([
    [
      'one a week, by the clock of the zone, through its change',
      shown('Europe/Warsaw', minutes(3, 2, 30), minutes(3, 4), ['2026-10-19T00:00:00Z', '2026-11-02T00:00:00Z']),
      ['2026-10-21T00:30:00.000Z/2026-10-21T02:00:00.000Z', '2026-10-28T01:30:00.000Z/2026-10-28T03:00:00.000Z'],
    ],
    [
      'one that is under way has begun before',
      shown('UTC', minutes(1, 8), minutes(1, 10), ['2026-11-23T09:00:00Z', '2026-11-24T00:00:00Z']),
      ['2026-11-23T08:00:00.000Z/2026-11-23T10:00:00.000Z'],
    ],
    [
      'one that wraps around the week is one',
      shown('UTC', minutes(7, 22), minutes(1, 2), ['2026-11-22T00:00:00Z', '2026-11-24T00:00:00Z']),
      ['2026-11-22T22:00:00.000Z/2026-11-23T02:00:00.000Z'],
    ],
    [
      'one in a skipped hour does not happen',
      shown('Europe/Warsaw', minutes(7, 2), minutes(7, 3), ['2026-03-29T00:00:00Z', '2026-03-30T00:00:00Z']),
      [],
    ],
  ])('%s', (_name, found, wanted) => expect(found).toEqual(wanted))

  test('are in order, not over, apart, and about one a week', () => {
    const minute = fc.integer({ min: 0, max: 10_079 })
    fc.assert(
      fc.property(minute, minute, fc.integer({ min: 0, max: 400 * day }), (start, end, ago) => {
        fc.pre(start !== end)
        const now = Date.parse('2027-01-01T00:00:00Z') - ago
        const found = weeklyOccurrences({ start, end, zone: 'Europe/Warsaw' }, now, now + 28 * day)
        expect(found.length).toBeGreaterThanOrEqual(3)
        // A change of the clock may repeat a short one.
        expect(found.length).toBeLessThanOrEqual(6)
        for (const [index, { startAt, endAt }] of found.entries()) {
          expect(endAt).toBeGreaterThan(Math.max(now, startAt))
          expect(startAt).toBeGreaterThan(found[index - 1]?.endAt ?? 0)
        }
      }),
    )
  })
})
