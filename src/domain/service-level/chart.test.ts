import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ChartRange,
  divideByCalendar,
  divideForPerformance,
  maximumPoints,
  pointRange,
  sectionsOf,
} from './chart.ts'

const hour = 3_600_000
const day = 24 * hour
const units = { analyses: 1, hours: hour, days: day } as const

const start = fc.integer({ min: 0, max: 60 * 365 * 86_400 }).map((seconds) => seconds * 1000)
const length = fc
  .oneof(fc.integer({ min: 0, max: 86_400 }), fc.integer({ max: 40 * 86_400 }), fc.integer({ max: 40 * 365 * 86_400 }))
  .map((seconds) => Math.abs(seconds) * 1000)
const range: fc.Arbitrary<ChartRange> = fc
  .tuple(start, length)
  .map(([fromAt, long]) => ({ fromAt, toAt: fromAt + long }))
const interval = fc.constantFrom(10, 30, 60, 300, 3600, 86_400)

function touching(parts: readonly ChartRange[], { fromAt, toAt }: ChartRange): boolean {
  const edges = [fromAt, ...parts.map((part) => part.toAt)]
  return edges.at(-1) === toAt && parts.every((part, index) => part.fromAt === edges[index] && part.fromAt < part.toAt)
}

describe('sections', () => {
  test('touch, fill the range and hold whole units of their grain', () => {
    fc.assert(
      fc.property(range, fc.subarray(['days', 'hours'] as const), (given, grains) => {
        const sections = sectionsOf(given, grains)
        fc.pre(given.fromAt < given.toAt)
        expect(touching(sections, given)).toBe(true)
        for (const { fromAt, toAt, grain } of sections) {
          expect([fromAt % units[grain], toAt % units[grain]]).toEqual([0, 0])
        }
      }),
    )
  })

  test('leave to the finer grain less than a unit at each end', () => {
    const given = { fromAt: 22.5 * hour, toAt: 3 * day + 1.25 * hour }
    expect(sectionsOf(given, ['days', 'hours'])).toEqual([
      { grain: 'analyses', fromAt: 22.5 * hour, toAt: 23 * hour },
      { grain: 'hours', fromAt: 23 * hour, toAt: day },
      { grain: 'days', fromAt: day, toAt: 3 * day },
      { grain: 'hours', fromAt: 3 * day, toAt: 3 * day + hour },
      { grain: 'analyses', fromAt: 3 * day + hour, toAt: 3 * day + 1.25 * hour },
    ])
  })
})

describe('a performance chart', () => {
  test('has at most 500 points, in the range, that do not overlap', () => {
    fc.assert(
      fc.property(range, interval, (given, seconds) => {
        fc.pre(given.fromAt < given.toAt)
        const division = divideForPerformance(given, seconds)
        const [first, last] = [Math.floor(given.fromAt / division.step), Math.ceil(given.toAt / division.step)]
        const points = Array.from({ length: last - first }, (_, index) => pointRange(division, first + index))
        expect(points.length).toBeLessThanOrEqual(maximumPoints)
        expect(touching(points, given)).toBe(true)
      }),
    )
  })

  test('reads every moment once, and no unit that belongs to two points', () => {
    fc.assert(
      fc.property(range, interval, (given, seconds) => {
        fc.pre(given.fromAt < given.toAt)
        const { sections, step } = divideForPerformance(given, seconds)
        expect(touching(sections, given)).toBe(true)
        for (const { grain } of sections) expect(step % units[grain]).toBe(0)
      }),
    )
  })

  test.each([
    ['an hour, checked every minute', hour, 60, 60_000],
    ['an hour, checked every ten seconds', hour, 10, 10_000],
    ['a day, checked every minute', day, 60, 180_000],
    ['a day, checked every ten seconds', day, 10, hour],
    ['a week', 7 * day, 60, hour],
    ['a month', 30 * day, 60, 2 * hour],
    ['four hundred days', 400 * day, 60, day],
    ['five years', 5 * 365 * day, 60, 7 * day],
  ])('of %s has fitting steps', (_, long, seconds, step) => {
    expect(divideForPerformance({ fromAt: 20_000 * day, toAt: 20_000 * day + long }, seconds).step).toBe(step)
  })

  test('reads no analyses that are gone, whole hours in their place, and still every moment that is asked for', () => {
    fc.assert(
      fc.property(range, interval, fc.integer({ min: 0, max: 60 * 365 }), (given, seconds, keptDay) => {
        fc.pre(given.fromAt < given.toAt)
        const keptFromAt = keptDay * day
        const division = divideForPerformance(given, seconds, keptFromAt)
        expect(touching(division.sections, division)).toBe(true)
        expect(pointRange(division, Math.floor(given.fromAt / division.step)).fromAt).toBe(division.fromAt)
        for (const { grain, fromAt } of division.sections) {
          expect(division.step % units[grain]).toBe(0)
          if (grain === 'analyses') expect(fromAt).toBeGreaterThanOrEqual(keptFromAt)
        }
        const wider = [given.fromAt - division.fromAt, division.toAt - given.toAt]
        for (const [end, more] of wider.entries()) {
          expect(more).toBeGreaterThanOrEqual(0)
          expect(more).toBeLessThan(hour)
          if ((end === 0 ? given.fromAt : given.toAt) >= keptFromAt) expect(more).toBe(0)
        }
        const [first, last] = [Math.floor(division.fromAt / division.step), Math.ceil(division.toAt / division.step)]
        expect(last - first).toBeLessThanOrEqual(maximumPoints)
      }),
    )
  })

  test('of an empty range reads nothing', () => {
    expect(divideForPerformance({ fromAt: 1000, toAt: 1000 }, 60).sections).toEqual([])
  })
})

describe('a calendar', () => {
  const zones = ['Europe/Warsaw', 'UTC', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Havana']

  test('divides any range into touching parts, never more than asked for', () => {
    const limit = fc.oneof(fc.constantFrom(1, 2, 500), fc.integer({ min: 1, max: 500 }))
    fc.assert(
      fc.property(range, fc.constantFrom(...zones), limit, (given, zone, most) => {
        fc.pre(given.fromAt < given.toAt)
        const parts = divideByCalendar(given, zone, most)
        expect(parts.length).toBeLessThanOrEqual(most)
        expect(touching(parts, given)).toBe(true)
      }),
    )
  })

  test('gives hours to a day that has 25 of them', () => {
    const given = { fromAt: Date.UTC(2026, 9, 24, 22), toAt: Date.UTC(2026, 9, 25, 23) }
    expect(divideByCalendar(given, 'Europe/Warsaw', 500)).toHaveLength(25)
    expect(divideByCalendar(given, 'Europe/Warsaw', 24)).toEqual([given])
  })

  test('begins days at local midnight and cuts the first and the last', () => {
    const given = { fromAt: Date.UTC(2026, 2, 28, 12), toAt: Date.UTC(2026, 2, 30, 12) }
    expect(divideByCalendar(given, 'Europe/Warsaw', 30)).toEqual([
      { fromAt: given.fromAt, toAt: Date.UTC(2026, 2, 28, 23) },
      { fromAt: Date.UTC(2026, 2, 28, 23), toAt: Date.UTC(2026, 2, 29, 22) },
      { fromAt: Date.UTC(2026, 2, 29, 22), toAt: given.toAt },
    ])
  })

  test('begins weeks on Monday', () => {
    const given = { fromAt: Date.UTC(2026, 10, 1), toAt: Date.UTC(2026, 10, 30) }
    const parts = divideByCalendar(given, 'UTC', 10)
    expect(parts.map(({ fromAt }) => new Date(fromAt).getUTCDate())).toEqual([1, 2, 9, 16, 23])
  })
})
