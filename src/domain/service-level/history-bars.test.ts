import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { State } from '../judging/status-change.ts'
import { dayBars, lastDays } from './history-bars.ts'
import { type LevelChange, serviceLevel } from './service-level.ts'

const hour = 3_600_000
const states = ['ok', 'failure', 'paused'] as const

describe('the last days of a time zone', () => {
  test('are as long as its clocks make them', () => {
    const hours = (now: string, zone: string) =>
      lastDays(Date.parse(now), 3, zone).map(({ date, fromAt, toAt }) => [date, (toAt - fromAt) / hour])
    const october = [
      ['2026-10-24', 24],
      ['2026-10-25', 25],
      ['2026-10-26', 24],
    ]
    expect(hours('2026-10-26T11:00:00Z', 'Europe/Warsaw')).toEqual(october)
    expect(hours('2026-03-29T21:59:59Z', 'Europe/Warsaw')[2]).toEqual(['2026-03-29', 23])
    expect(hours('2026-03-29T22:00:00Z', 'Europe/Warsaw')[2]).toEqual(['2026-03-30', 24])
    // The clocks go forward at midnight, so this day begins at one o'clock.
    expect(hours('2026-09-06T12:00:00Z', 'America/Santiago')[2]).toEqual(['2026-09-06', 23])
    // The island skipped this day.
    expect(hours('2011-12-31T00:00:00Z', 'Pacific/Apia')).toEqual([
      ['2011-12-29', 24],
      ['2011-12-30', 0],
      ['2011-12-31', 24],
    ])
  })

  test('touch, and the last one holds the moment', () => {
    const zone = fc.constantFrom('Europe/Warsaw', 'America/Santiago', 'Australia/Lord_Howe', 'UTC', 'Asia/Kathmandu')
    const moment = fc.integer({ min: Date.parse('2025-01-01'), max: Date.parse('2027-01-01') })
    fc.assert(
      fc.property(zone, moment, fc.integer({ min: 1, max: 400 }), (timeZone, now, count) => {
        const days = lastDays(now, count, timeZone)
        expect(days).toHaveLength(count)
        for (const [index, day] of days.entries()) {
          if (index > 0) expect(day.fromAt).toBe(days[index - 1]?.toAt)
        }
        const today = days.at(-1)
        expect(now).toBeGreaterThanOrEqual(today?.fromAt ?? 0)
        expect(now).toBeLessThan(today?.toAt ?? 0)
      }),
      { numRuns: 50 },
    )
  })
})

describe('the bars of a life', () => {
  const now = Date.parse('2026-10-27T10:20:30Z')
  const at = fc.integer({ min: now - 12 * 24 * hour, max: now + 24 * hour })
  const state = fc.constantFrom<State>(...states)

  /** Touching periods, with gaps where a pair of neighbours asks for one. */
  const changes = fc
    .uniqueArray(fc.tuple(at, state, fc.boolean()), { selector: ([moment]) => moment, maxLength: 30 })
    .map((edges) => edges.toSorted(([one], [other]) => one - other))
    .map((edges) =>
      edges.map(([startedAt, status], index): LevelChange => {
        const next = edges[index + 1]
        return { status, startedAt, endedAt: next === undefined ? null : next[0] }
      }),
    )
  const corrections = fc
    .array(fc.tuple(at, fc.integer({ min: 1, max: 50 * hour }), state), { maxLength: 8 })
    .map((given) =>
      given.map(([startAt, long, status], id) => ({ id: id + 1, status, startAt, endAt: startAt + long })),
    )

  test('are the service level of each day, over changed clocks too', () => {
    const lives = fc.record({ createdAt: at, changes, corrections })
    let cases = 0
    fc.assert(
      fc.property(lives, fc.integer({ min: 1, max: 14 }), (life, count) => {
        const days = lastDays(now, count, 'Europe/Warsaw')
        const bars = dayBars({ ...life, now }, days)
        expect(bars.map(({ date, failures: _, degraded: _degraded, ...level }) => [date, level])).toEqual(
          days.map(({ date, ...range }) => [date, serviceLevel({ ...life, ...range, now })]),
        )
        cases += days.length
      }),
      { numRuns: 300 },
    )
    expect(cases).toBeGreaterThan(300)
  })

  test('count a failure on every day that it touches, and not what was corrected away', () => {
    const midnight = Date.parse('2026-10-25T23:00:00Z')
    const minute = 60_000
    const life = {
      createdAt: now - 300 * 24 * hour,
      now,
      changes: [
        { status: 'ok', startedAt: 0, endedAt: midnight - minute },
        { status: 'failure', startedAt: midnight - minute, endedAt: midnight + minute },
        { status: 'ok', startedAt: midnight + minute, endedAt: midnight + hour },
        { status: 'failure', startedAt: midnight + hour, endedAt: midnight + 2 * hour },
        { status: 'ok', startedAt: midnight + 2 * hour, endedAt: null },
      ],
      corrections: [{ id: 1, status: 'ok', startAt: midnight + hour, endAt: midnight + 2 * hour }],
    } as const
    const bars = dayBars(life, lastDays(now, 3, 'Europe/Warsaw'))
    expect(bars).toEqual([
      { date: '2026-10-25', ok: 25 * 3600 - 60, failure: 60, paused: 0, failures: 1, degraded: 0 },
      { date: '2026-10-26', ok: 24 * 3600 - 60, failure: 60, paused: 0, failures: 1, degraded: 0 },
      { date: '2026-10-27', ok: 11 * 3600 + 20 * 60 + 30, failure: 0, paused: 0, failures: 0, degraded: 0 },
    ])
  })

  test('degraded seconds are good seconds: a failure and a correction win, a midnight splits', () => {
    const midnight = Date.parse('2026-10-25T23:00:00Z')
    const life = {
      createdAt: now - 300 * 24 * hour,
      now,
      changes: [
        { status: 'ok', startedAt: 0, endedAt: midnight + hour },
        { status: 'failure', startedAt: midnight + hour, endedAt: midnight + 2 * hour },
        { status: 'ok', startedAt: midnight + 2 * hour, endedAt: null },
      ],
      corrections: [{ id: 1, status: 'paused', startAt: midnight, endAt: midnight + hour / 2 }],
      degraded: [
        { startedAt: midnight - hour, endedAt: midnight + 3 * hour },
        { startedAt: now - hour, endedAt: null },
      ],
    } as const
    const bars = dayBars(life, lastDays(now, 3, 'Europe/Warsaw'))
    expect(bars.map(({ degraded }) => degraded)).toEqual([3600, 1.5 * 3600, 3600])
  })

  test('degraded seconds are never more than the good ones', () => {
    const period = fc.tuple(at, fc.integer({ min: 0, max: 50 * hour }))
    const degraded = fc.array(period, { maxLength: 5 }).map((given) => {
      let from = 0
      return given.map(([start, long]) => {
        const startedAt = Math.max(start, from)
        from = startedAt + long
        return { startedAt, endedAt: from }
      })
    })
    fc.assert(
      fc.property(fc.record({ createdAt: at, changes, corrections, degraded }), (life) => {
        for (const bar of dayBars({ ...life, now }, lastDays(now, 14, 'Europe/Warsaw'))) {
          expect(bar.degraded).toBeGreaterThanOrEqual(0)
          expect(bar.degraded).toBeLessThanOrEqual(bar.ok)
        }
      }),
    )
  })
})
