import { describe, expect, test } from 'vitest'
import { formatLocal, formatMoment } from './moments.ts'
import { formatNumber, formatPercent } from './numbers.ts'

describe('a moment beside the name of its zone', () => {
  test.each([
    ['2026-10-25T00:29:59Z', '2026-10-25 02:29:59 +02:00'],
    ['2026-10-25T00:59:59Z', '2026-10-25 02:59:59 +02:00'],
    ['2026-10-25T01:00:00Z', '2026-10-25 02:00:00 +01:00'],
    ['2026-10-25T01:59:59Z', '2026-10-25 02:59:59 +01:00'],
    ['2026-10-25T02:00:00Z', '2026-10-25 03:00:00'],
    ['2026-10-24T23:59:59Z', '2026-10-25 01:59:59'],
    ['2026-03-29T01:00:00Z', '2026-03-29 03:00:00'],
  ])('%s is %s in Warsaw: its distance from UTC is told where clocks show it twice', (moment, shown) => {
    expect(formatLocal(Date.parse(moment), 'Europe/Warsaw')).toBe(shown)
    expect(formatMoment(Date.parse(moment), 'Europe/Warsaw')).toContain(shown)
  })

  test('is told by the day, the minute or the second', () => {
    const at = Date.parse('2026-11-21T09:08:07Z')
    const shown = (['day', 'minute', 'second'] as const).map((until) => formatLocal(at, 'UTC', until))
    expect(shown).toEqual(['2026-11-21', '2026-11-21 09:08', '2026-11-21 09:08:07'])
  })
})

test('numbers are written as their readers write them', () => {
  expect(formatNumber(12345.5, 'pl').replaceAll(/\s/g, ' ')).toBe('12 345,5')
  expect(formatNumber(12345.5, 'en')).toBe('12,345.5')
  expect([formatPercent(99.95, 'pl'), formatPercent(99.95, 'en')]).toEqual(['99,950\u00a0%', '99.950%'])
  expect([formatPercent(100, 'pl'), formatPercent(100, 'en')]).toEqual(['100\u00a0%', '100%'])
  expect([0.0004, 50, 99.9999].map((value) => formatPercent(value, 'en'))).toEqual(['0.000%', '50.000%', '99.999%'])
  expect([formatPercent(0, 'pl'), formatPercent(0, 'en')]).toEqual(['0\u00a0%', '0%'])
})
