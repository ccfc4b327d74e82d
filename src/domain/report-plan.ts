import { Temporal } from 'temporal-polyfill'
import type { ChartRange } from './chart.ts'
import type { reportingPlanIds } from './dictionaries.ts'

/** When reports are made by themselves (specification: Report events; answers §11). */

export type ReportingPlan = (typeof reportingPlanIds)[number]

/** Milliseconds after the end of a period: what was measured in it is on record by then. */
const settling = 5 * 60_000

const lengths = { daily: { days: 1 }, weekly: { days: 7 }, monthly: { months: 1 } } as const

/** The day, the week from Monday, or the month by the calendar of the zone (IANA name) that holds the moment. Unix milliseconds. */
export function periodHolding(plan: ReportingPlan, zone: string, at: number): ChartRange {
  const day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()
  const first =
    plan === 'daily' ? day : plan === 'weekly' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 })
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds
  return { fromAt: startOf(first), toAt: startOf(first.add(lengths[plan])) }
}

/** What a plan knows: reports of everything before `madeUntilAt` were made or are not wanted; at `dueAt` there is the next to make. */
export interface PlanState {
  readonly madeUntilAt: number
  readonly dueAt: number
}

/** A plan that begins now: the period under way is its first. */
export function newPlan(plan: ReportingPlan, zone: string, now: number): PlanState {
  const { fromAt, toAt } = periodHolding(plan, zone, now)
  return { madeUntilAt: fromAt, dueAt: toAt + settling }
}

/** After a standstill no more of them than this are made up for; the newest ones. */
const mostPeriods = 31

/**
 * The periods that have ended since the last time, each once, in order, and what the plan knows then. A zone that was changed meanwhile
 * holds from the next period on: nothing is reported twice, and nothing is left out between.
 */
export function duePeriods(
  plan: ReportingPlan,
  zone: string,
  { madeUntilAt }: Pick<PlanState, 'madeUntilAt'>,
  now: number,
): { readonly periods: readonly ChartRange[]; readonly next: PlanState } {
  const periods: ChartRange[] = []
  let doneAt = madeUntilAt
  let period = periodHolding(plan, zone, doneAt)
  while (period.toAt + settling <= now) {
    periods.push({ fromAt: doneAt, toAt: period.toAt })
    doneAt = period.toAt
    period = periodHolding(plan, zone, doneAt)
  }
  return { periods: periods.slice(-mostPeriods), next: { madeUntilAt: doneAt, dueAt: period.toAt + settling } }
}
