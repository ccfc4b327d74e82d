import type { ServiceLevel } from '../service-level/service-level.ts'
import type { CountedFailure } from './report-level.ts'
import type { ReportingPlan } from './report-plan.ts'

/** The older periodic reports: a group's availability by mail (specification: Account, Group; answers §11). */

/** The zone of these reports, whatever the account's zone is. */
export const periodicZone = 'Europe/Warsaw'

/** The group's flag that asks for reports of a frequency. */
export const groupFlagOf = {
  daily: 'periodic_daily_reports',
  weekly: 'periodic_weekly_reports',
  monthly: 'periodic_monthly_reports',
} as const satisfies Readonly<Record<ReportingPlan, string>>

/** One service, or a group as a whole. Seconds; percent with three decimals, null when nothing was monitored. */
export interface PeriodicLevel extends ServiceLevel {
  readonly availability: number | null
  readonly failuresCount: number
  readonly longestFailure: number
}

/** One service in such a mail. */
export interface PeriodicService extends PeriodicLevel {
  readonly id: number
  readonly name: string
  readonly isArchived: boolean
  /** The longest failures, in order of time. Unix seconds. */
  readonly failures: readonly CountedFailure[]
}

/** The facts of one mail. */
export interface PeriodicFacts {
  readonly frequency: ReportingPlan
  readonly group: { readonly id: number; readonly name: string }
  /** Unix milliseconds. */
  readonly fromAt: number
  readonly toAt: number
  readonly together: PeriodicLevel
  readonly services: readonly PeriodicService[]
  /** The number of services left out; all of them did better than those that are named. */
  readonly unnamed: number
}

/** Mail programs cut longer mails. */
const mostServices = 200
const mostFailures = 10

function longestOf(failures: readonly CountedFailure[]): readonly CountedFailure[] {
  const chosen = failures.toSorted((one, other) => other.seconds - one.seconds).slice(0, mostFailures)
  return chosen.toSorted((one, other) => one.from - other.from)
}

/** Unmonitored services come last, because nothing is known about them. */
function byNeed(one: PeriodicService, other: PeriodicService): number {
  const need = ({ availability }: PeriodicService) => availability ?? 101
  return need(one) - need(other) || other.failure - one.failure || one.name.localeCompare(other.name, 'pl')
}

/** The services that need attention first, and the number of those left out. */
export function servicesShown(all: readonly PeriodicService[]): Pick<PeriodicFacts, 'services' | 'unnamed'> {
  const services = all.toSorted(byNeed).slice(0, mostServices)
  return {
    services: services.map((service) => ({ ...service, failures: longestOf(service.failures) })),
    unnamed: all.length - services.length,
  }
}
