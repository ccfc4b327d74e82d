import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reportingPlanIds } from '../dictionaries.ts'
import { duePeriods, newPlan, periodHolding } from './report-plan.ts'

const warsaw = 'Europe/Warsaw'
const at = (text: string) => Date.parse(text)
const shown = ({ fromAt, toAt }: { fromAt: number; toAt: number }) =>
  [fromAt, toAt].map((moment) => new Date(moment).toISOString().slice(0, 16))
const hours = ({ fromAt, toAt }: { fromAt: number; toAt: number }) => (toAt - fromAt) / 3_600_000

describe('the periods of plans', () => {
  test('are days, weeks from Monday, and months by the calendar of the owner', () => {
    const now = at('2026-11-18T23:30:00Z')
    expect(shown(periodHolding('daily', warsaw, now))).toEqual(['2026-11-18T23:00', '2026-11-19T23:00'])
    expect(shown(periodHolding('weekly', warsaw, now))).toEqual(['2026-11-15T23:00', '2026-11-22T23:00'])
    expect(shown(periodHolding('monthly', warsaw, now))).toEqual(['2026-10-31T23:00', '2026-11-30T23:00'])
  })

  test('follow the clocks: days of 23 and 25 hours, their weeks and months', () => {
    expect(hours(periodHolding('daily', warsaw, at('2026-10-25T12:00:00Z')))).toBe(25)
    expect(hours(periodHolding('weekly', warsaw, at('2026-10-25T12:00:00Z')))).toBe(169)
    expect(hours(periodHolding('daily', warsaw, at('2026-03-29T12:00:00Z')))).toBe(23)
    expect(hours(periodHolding('monthly', warsaw, at('2026-03-29T12:00:00Z')))).toBe(31 * 24 - 1)
    // The clocks skip midnight here.
    expect(hours(periodHolding('daily', 'America/Santiago', at('2026-09-06T12:00:00Z')))).toBe(23)
  })
})

describe('a plan', () => {
  test('begins with the period under way, and makes its report shortly after the end', () => {
    const plan = newPlan('daily', warsaw, at('2026-11-18T12:00:00Z'))
    expect(new Date(plan.dueAt).toISOString()).toBe('2026-11-18T23:05:00.000Z')
    expect(duePeriods('daily', warsaw, plan, plan.dueAt - 1).periods).toEqual([])
    expect(duePeriods('daily', warsaw, plan, plan.dueAt).periods.map(shown)).toEqual([
      ['2026-11-17T23:00', '2026-11-18T23:00'],
    ])
  })

  test('makes up for what was missed, at most a month of days', () => {
    const plan = newPlan('daily', warsaw, at('2026-11-18T12:00:00Z'))
    expect(duePeriods('daily', warsaw, plan, at('2026-11-21T09:00:00Z')).periods).toHaveLength(3)
    const { periods, next } = duePeriods('daily', warsaw, plan, at('2027-11-21T09:00:00Z'))
    expect([periods.length, periods.at(-1)?.toAt]).toEqual([31, next.madeUntilAt])
  })
})

const plans = fc.constantFrom(...reportingPlanIds)
const zones = fc.constantFrom(warsaw, 'UTC', 'America/Santiago', 'Australia/Lord_Howe', 'Pacific/Apia')
const gaps = fc.array(fc.integer({ min: 1, max: 20 * 86_400_000 }), { maxLength: 8 })

test('however often it is looked at, each period comes once: they touch, whatever zone the owner moves to', () => {
  fc.assert(
    fc.property(plans, fc.array(zones, { minLength: 8, maxLength: 8 }), gaps, (plan, owners, pauses) => {
      let now = at('2026-02-10T10:00:00Z')
      let state = newPlan(plan, owners[0] ?? 'UTC', now)
      let reachedAt = state.madeUntilAt
      for (const [index, pause] of pauses.entries()) {
        now += pause
        const { periods, next } = duePeriods(plan, owners[index] ?? 'UTC', state, now)
        for (const { fromAt, toAt } of periods) {
          expect([fromAt, toAt > fromAt]).toEqual([reachedAt, true])
          reachedAt = toAt
        }
        expect(next.madeUntilAt).toBe(reachedAt)
        expect(next.dueAt).toBeGreaterThan(now)
        // A second look finds nothing.
        expect(duePeriods(plan, owners[index] ?? 'UTC', next, now).periods).toEqual([])
        state = next
      }
    }),
    { numRuns: 200 },
  )
})
