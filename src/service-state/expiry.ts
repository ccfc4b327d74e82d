import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import {
  type Expiry,
  type ExpiryMemory,
  isNews,
  type NotifiedExpiry,
  nearestAfter,
  nearestOf,
  warningDue,
} from '../domain/expiry/expiry.ts'
import type { WatchedDomain } from '../domain/expiry/watched-domain.ts'

/** The ends of a service's certificate and domain: in its status, and in the service for filters and orders. */

/** The part of a status that decisions about it need: the end that checks see, and that of the host's domain. */
export interface ExpiryRow {
  readonly expiry: Expiry | null
  readonly expiry_told: NotifiedExpiry | null
  readonly domain_expiry: Expiry | null
  readonly domain_told: NotifiedExpiry | null
}

/** The facts of an analysis about ends of validity. */
export interface ExpiringAnalysis {
  readonly decidedAt: number
  /** The days of the service's warnings. */
  readonly warningDays: readonly number[]
  readonly checks: readonly { readonly expiry?: Expiry }[]
  /** Null: no domain is watched. Absent: nobody looks. */
  readonly domain?: WatchedDomain | null
}

/** A warning that is due, with its number of days. */
export interface DueWarning {
  readonly end: Expiry
  readonly days: number
  /** It was not notified yet. */
  readonly isNews: boolean
}

interface SeenEnd {
  readonly nearest: Expiry | null
  readonly due: DueWarning | null
}

export interface SeenExpiry {
  /** The nearest of all ends. */
  readonly nearest: Expiry | null
  /** The warnings that are due; those that are news first, and of them the one whose end is the nearest. */
  readonly due: readonly DueWarning[]
  readonly checks: SeenEnd
  readonly domain: SeenEnd
}

/** The ends that a round leaves. */
export function seeExpiry(row: ExpiryRow, verdict: 'ok' | 'failure', analysis: ExpiringAnalysis): SeenExpiry {
  const checks = seenByChecks(row, verdict, analysis)
  const domain = seenOfDomain(row, analysis)
  const due = [checks.due, domain.due].filter((one) => one !== null)
  due.sort((one, other) => Number(other.isNews) - Number(one.isNews) || one.end.endsAt - other.end.endsAt)
  return { nearest: nearestOf([checks.nearest ?? undefined, domain.nearest ?? undefined]), due, checks, domain }
}

/** A warning is due only if this round saw the end itself. */
function seenByChecks(row: ExpiryRow, verdict: 'ok' | 'failure', analysis: ExpiringAnalysis): SeenEnd {
  const seen = nearestOf(analysis.checks.map(({ expiry }) => expiry))
  return { nearest: nearestAfter(row.expiry, seen, verdict), due: dueOf(seen, row.expiry_told, analysis) }
}

/**
 * The known end of a domain counts until another one is known, because a process that has just started knows nothing.
 * But a warning is news only if the end is known now.
 */
function seenOfDomain(row: ExpiryRow, analysis: ExpiringAnalysis): SeenEnd {
  const { domain } = analysis
  if (domain === null) return { nearest: null, due: null }
  if (domain?.end !== undefined) return { nearest: domain.end, due: dueOf(domain.end, row.domain_told, analysis) }
  const isAnother = domain !== undefined && row.domain_expiry?.id !== domain.name
  const nearest = isAnother ? null : row.domain_expiry
  const due = dueOf(nearest, row.domain_told, analysis)
  return { nearest, due: due === null ? null : { ...due, isNews: false } }
}

function dueOf(
  end: Expiry | null,
  told: NotifiedExpiry | null,
  { warningDays, decidedAt }: ExpiringAnalysis,
): DueWarning | null {
  const days = end === null ? null : warningDue(end, warningDays, decidedAt)
  return end === null || days === null ? null : { end, days, isNews: isNews(told, end, days) }
}

/** The nearest of all ends of a status. */
export function nearestKnown({ expiry, domain_expiry: domain }: ExpiryRow): Expiry | null {
  return nearestOf([expiry ?? undefined, domain ?? undefined])
}

export interface ExpiryWrite {
  readonly serviceId: number
  readonly checks: ExpiryMemory
  readonly domain: ExpiryMemory
}

/** Null: nothing changes. @param told the warning that is notified now */
export function expiryWrite(
  row: ExpiryRow & { readonly service_id: number },
  { checks, domain }: SeenExpiry,
  told: DueWarning | null,
): ExpiryWrite | null {
  const after = (seen: SeenEnd, before: NotifiedExpiry | null) =>
    told === null || seen.due?.end !== told.end ? before : { id: told.end.id, endsAt: told.end.endsAt, days: told.days }
  const [checksTold, domainTold] = [after(checks, row.expiry_told), after(domain, row.domain_told)]
  const isSame =
    isSameEnd(row.expiry, checks.nearest) &&
    isSameEnd(row.domain_expiry, domain.nearest) &&
    checksTold === row.expiry_told &&
    domainTold === row.domain_told
  if (isSame) return null
  return {
    serviceId: row.service_id,
    checks: { nearest: checks.nearest, told: checksTold },
    domain: { nearest: domain.nearest, told: domainTold },
  }
}

export function isSameEnd(one: Expiry | null, other: Expiry | null): boolean {
  return one?.id === other?.id && one?.endsAt === other?.endsAt && one?.name === other?.name
}

/** Expects the plans locked in this transaction. */
export async function writeExpiries(transaction: Executor, writes: readonly ExpiryWrite[]): Promise<void> {
  if (writes.length === 0) return
  const serviceIds = writes.map(({ serviceId }) => serviceId)
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  const column = (read: (write: ExpiryWrite) => unknown) => writes.map((write) => json(read(write)))
  await transaction.execute(
    sql`update service_statuses set expiry = new.expiry, expiry_told = new.told,
        domain_expiry = new.domain_expiry, domain_told = new.domain_told
      from unnest(${serviceIds}::int[], ${column(({ checks }) => checks.nearest)}::jsonb[],
        ${column(({ checks }) => checks.told)}::jsonb[], ${column(({ domain }) => domain.nearest)}::jsonb[],
        ${column(({ domain }) => domain.told)}::jsonb[]) as new (service_id, expiry, told, domain_expiry, domain_told)
      where service_statuses.service_id = new.service_id`,
    'write-expiries',
  )
  const ends = writes.map(({ checks, domain }) => {
    return nearestOf([checks.nearest ?? undefined, domain.nearest ?? undefined])?.endsAt ?? null
  })
  await transaction.execute(
    sql`update services set expires_at = to_timestamp(new.ends_at / 1000)
      from unnest(${serviceIds}::int[], ${ends}::float8[])
        as new (service_id, ends_at)
      where services.id = new.service_id and services.expires_at is distinct from to_timestamp(new.ends_at / 1000)`,
    'write-ends',
  )
}
