import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupFlagOf, type PeriodicService, periodicZone, servicesShown } from './periodic-report.ts'
import { duePeriods, newPlan, type ReportingPlan } from './report-plan.ts'

function service(id: number, availability: number | null, failures = 0): PeriodicService {
  return {
    ...{ id, name: `Usługa ${id}`, isArchived: false, ok: 1, failure: failures, paused: 0, availability },
    ...{ failuresCount: failures, longestFailure: failures },
    failures: Array.from({ length: failures }, (_, index) => ({
      from: index,
      to: index + 1,
      seconds: 1 + (index % 7),
    })),
  }
}

test('services that need attention come first, unmonitored ones last, at most two hundred', () => {
  const few = servicesShown([service(1, 100), service(2, null), service(3, 99.5), service(4, 12)])
  expect(few.services.map(({ id }) => id)).toEqual([4, 3, 1, 2])
  expect(few.unnamed).toBe(0)
  const many = servicesShown(Array.from({ length: 250 }, (_, index) => service(index, index === 249 ? 1 : 100)))
  expect([many.services.length, many.unnamed, many.services[0]?.id]).toEqual([200, 50, 249])
})

test('of many failures the longest are named, in the order of time', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 60 }), (count) => {
      const [shown] = servicesShown([service(1, 50, count)]).services
      const failures = shown?.failures ?? []
      expect(failures).toHaveLength(Math.min(count, 10))
      expect(failures.map(({ from }) => from)).toEqual(failures.map(({ from }) => from).toSorted((a, b) => a - b))
      const least = Math.min(...failures.map(({ seconds }) => seconds))
      const all = service(1, 50, count).failures
      expect(all.filter(({ seconds }) => seconds > least).length).toBeLessThanOrEqual(10)
    }),
  )
})

test.each([
  ['daily', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
  ['daily', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25],
  ['weekly', '2026-10-18T22:00:00Z', '2026-10-25T23:00:00Z', 169],
  ['monthly', '2026-02-28T23:00:00Z', '2026-03-31T22:00:00Z', 31 * 24 - 1],
] as const)('a %s period that begins at %s has %s as its end: %i hours', (frequency, from, to, hours) => {
  const plan: ReportingPlan = frequency
  const { madeUntilAt } = newPlan(plan, periodicZone, Date.parse(from))
  const { periods } = duePeriods(plan, periodicZone, { madeUntilAt }, Date.parse(to) + 5 * 60_000)
  expect(periods).toEqual([{ fromAt: Date.parse(from), toAt: Date.parse(to) }])
  expect(Date.parse(to) - Date.parse(from)).toBe(hours * 3_600_000)
  expect(groupFlagOf[plan]).toBe(`periodic_${plan}_reports`)
})
