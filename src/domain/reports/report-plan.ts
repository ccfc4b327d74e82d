import { Temporal } from 'temporal-polyfill'
import type { reportingPlanIds } from '../dictionaries.ts'
import type { ChartRange } from '../service-level/chart.ts'

/** When reports are made automatically (specification: Report events; answers §11). */

export type ReportingPlan = (typeof reportingPlanIds)[number]

/** Milliseconds after the end of a period; by then all its measurements are stored. */
const settling = 5 * 60_000

const lengths = { daily: { days: 1 }, weekly: { days: 7 }, monthly: { months: 1 } } as const

/**
 * The day, the week from Monday, or the month that holds the moment, by the zone's calendar (IANA name). Unix
 * milliseconds.
 */
export function periodHolding(plan: ReportingPlan, zone: string, at: number): ChartRange {
  const day = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()
  const first =
    plan === 'daily' ? day : plan === 'weekly' ? day.subtract({ days: day.dayOfWeek - 1 }) : day.with({ day: 1 })
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).epochMilliseconds
  return { fromAt: startOf(first), toAt: startOf(first.add(lengths[plan])) }
}

/**
 * The stored state of a plan. Everything before `madeUntilAt` is reported or not wanted; the next report is due at
 * `dueAt`.
 */
export interface PlanState {
  readonly madeUntilAt: number
  readonly dueAt: number
}

/** A plan that begins now; its first period is the current one. */
export function newPlan(plan: ReportingPlan, zone: string, now: number): PlanState {
  const { fromAt, toAt } = periodHolding(plan, zone, now)
  return { madeUntilAt: fromAt, dueAt: toAt + settling }
}

/** After a standstill at most this many reports are made, the newest ones. */
const mostPeriods = 31

/**
 * The periods that have ended since the last call, each once and in order, and the plan's new state. A changed zone
 * applies from the next period on, so nothing is reported twice or left out.
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
