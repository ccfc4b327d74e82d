import { expect, test } from 'vitest'
import { serviceLevelSummary } from '../../src/reports/sections/service-level-summary.ts'

test('a part is shown from the second in which it begins, the first that counts in it, so that its seconds add up to its length', () => {
  const at = (time: string) => Date.parse(`2026-11-22T03:${time}Z`)
  const sums = { ok: 4, failure: 0, paused: 0 }
  const level = { ...sums, failuresCount: 0, longestFailure: 0, failures: [], lastStatus: null, parts: [sums] }
  const measures = { level, correctionsCount: 0, byHour: new Map(), byDayOfWeek: new Map() }
  const { parts } = serviceLevelSummary(measures, [{ fromAt: at('36:12.547'), toAt: at('36:16.000') }])
  expect(parts).toEqual([{ start_time: '2026-11-22T03:36:12Z', end_time: '2026-11-22T03:36:16Z', ...sums }])
})
