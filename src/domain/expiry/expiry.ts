import * as z from 'zod'
import { dayLength } from '../calendars/durations.ts'
import { list, number } from '../input/json.ts'

/** The end of a certificate or of a domain: which end a service has, and when a warning about it is due. */

/** An end of validity as a station read it. */
export interface Expiry {
  readonly kind: 'certificate' | 'domain'
  /** Tells two certificates apart: the fingerprint of a certificate, the name of a domain. */
  readonly id: string
  /** For people: the name in a certificate, the name of a domain. */
  readonly name: string
  /** Unix milliseconds. */
  readonly endsAt: number
}

/** The last warning that was notified. */
export interface NotifiedExpiry {
  readonly id: string
  readonly endsAt: number
  /** The number of days of the warning. */
  readonly days: number
}

/** Kept between rounds. */
export interface ExpiryMemory {
  /** The nearest end that was seen; null: none. */
  readonly nearest: Expiry | null
  readonly told: NotifiedExpiry | null
}

/** The nearest of the ends; null without any. */
export function nearestOf(ends: readonly (Expiry | undefined)[]): Expiry | null {
  return ends.reduce<Expiry | null>(
    (nearest, end) => (end !== undefined && (nearest === null || end.endsAt < nearest.endsAt) ? end : nearest),
    null,
  )
}

/** Whole days that are left; negative after the end. */
export function daysLeft({ endsAt }: Pick<Expiry, 'endsAt'>, now: number): number {
  return Math.floor((endsAt - now) / dayLength)
}

/** The most urgent warning that is due: the smallest number of days in which the end lies. Null: none is. */
export function warningDue(end: Pick<Expiry, 'endsAt'>, warningDays: readonly number[], now: number): number | null {
  const due = warningDays.filter((days) => end.endsAt - now <= days * dayLength)
  return due.length === 0 ? null : Math.min(...due)
}

/** Whether a warning is news: each is notified once for each end. A certificate that was renewed has another end. */
export function isNews(told: NotifiedExpiry | null, { id, endsAt }: Expiry, days: number): boolean {
  return told === null || told.id !== id || told.endsAt !== endsAt || days < told.days
}

/**
 * The nearest end after a round. A failure may have come before the end was read, so it keeps the one before; a good
 * round without any shows that the service has none.
 */
export function nearestAfter(before: Expiry | null, seen: Expiry | null, verdict: 'ok' | 'failure'): Expiry | null {
  return seen ?? (verdict === 'ok' ? null : before)
}

const usualDays = [21, 7, 1]
export const usualWarningDays = JSON.stringify(usualDays)
const most = { warnings: 10, days: 3650 }

/** From the setting of a service, which is valid when it is stored; empty: no warning. */
export function warningDaysOf(setting: unknown): readonly number[] {
  if (typeof setting !== 'string') return []
  const days: unknown = JSON.parse(setting)
  return Array.isArray(days) ? days.filter((day) => typeof day === 'number') : []
}

const day = number(1, most.days, 'integer')

/** The value of the setting: each number once, the largest first. A text of numbers and commas is a list, too. */
export const warningDaysSchema = z
  .preprocess(
    (given) => (typeof given === 'number' ? [given] : typeof given === 'string' ? numbersOf(given) : given),
    list(day, { maximum: most.warnings }),
  )
  .transform((days): readonly number[] => [...new Set(days)].toSorted((one, other) => other - one))

function numbersOf(text: string): readonly (number | string)[] {
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '').map((part) => (/^\d{1,9}$/.test(part) ? Number(part) : part))
}
