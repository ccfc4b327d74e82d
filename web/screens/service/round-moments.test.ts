import { describe, expect, test } from 'vitest'
import { isMidnight, roundMoments } from './round-moments.ts'

const zone = 'Europe/Warsaw'
const texts = (from: string, to: string, most = 7) =>
  roundMoments(Date.parse(from), Date.parse(to), most, zone).map((at) => new Date(at).toISOString().slice(0, 19))

describe('the moments below a chart', () => {
  test.each([
    [
      'a day',
      '2026-11-28T13:39:10Z',
      '2026-11-29T13:38:20Z',
      ['15', '19', '23', '03', '07', '11'].map((hour) => `${hour}:00:00`),
    ],
    [
      'minutes',
      '2026-11-29T01:39:31Z',
      '2026-11-29T01:47:00Z',
      ['40', '42', '44', '46'].map((past) => `01:${past}:00`),
    ],
    [
      'seconds',
      '2026-11-29T01:39:31Z',
      '2026-11-29T01:40:31Z',
      ['39:45', '40:00', '40:15', '40:30'].map((past) => `01:${past}`),
    ],
  ] as const)('of %s are round on the clock of the zone', (_what, from, to, wanted) => {
    expect(texts(from, to).map((text) => text.slice(11))).toEqual(wanted)
  })

  test('stay round after clocks have changed', () => {
    expect(texts('2026-10-24T00:00:00Z', '2026-10-27T12:00:00Z').map((text) => text.slice(5, 16))).toEqual([
      ...['10-24T10:00', '10-24T22:00', '10-25T11:00', '10-25T23:00', '10-26T11:00', '10-26T23:00', '10-27T11:00'],
    ])
  })

  test('of weeks are beginnings of days', () => {
    const moments = roundMoments(Date.parse('2026-10-20T10:00:00Z'), Date.parse('2026-11-19T10:00:00Z'), 7, zone)
    expect(moments.length).toBeGreaterThan(3)
    expect(moments.filter((at) => !isMidnight(at, zone))).toEqual([])
  })

  test('are never more than asked for, and lie within the range', () => {
    for (const span of [1, 7, 90, 3600, 86_400, 700_000, 9_000_000]) {
      const [from, to] = [1_795_915_171_000, 1_795_915_171_000 + span * 1000]
      const moments = roundMoments(from, to, 4, zone)
      expect(moments.length).toBeLessThanOrEqual(4)
      expect(moments.every((at) => at >= from && at <= to)).toBe(true)
    }
  })
})
