import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import {
  type Expiry,
  type ExpiryMemory,
  isNews,
  nearestAfter,
  nearestOf,
  type ToldExpiry,
  warningDue,
} from '../domain/expiry.ts'

/** The end of a service's certificate or domain: in its status, and in the service for filters and orders of lists. */

/** The part of a status that decisions about it need. */
export interface ExpiryRow {
  readonly expiry: Expiry | null
  readonly expiry_told: ToldExpiry | null
}

/** The facts of an analysis about ends of validity. */
export interface ExpiringAnalysis {
  readonly decidedAt: number
  /** The days of the service's warnings. */
  readonly warningDays: readonly number[]
  readonly checks: readonly { readonly expiry?: Expiry }[]
}

/** A warning that is due, with its number of days. */
export interface DueWarning {
  readonly end: Expiry
  readonly days: number
  /** It was not notified yet. */
  readonly isNews: boolean
}

export interface SeenExpiry {
  readonly nearest: Expiry | null
  readonly due: DueWarning | null
}

/** The end that a round leaves. A warning is due only if this round saw the end itself. */
export function seeExpiry(
  row: ExpiryRow,
  verdict: 'ok' | 'failure',
  { checks, warningDays, decidedAt }: ExpiringAnalysis,
): SeenExpiry {
  const seen = nearestOf(checks.map(({ expiry }) => expiry))
  const nearest = nearestAfter(row.expiry, seen, verdict)
  const days = seen === null ? null : warningDue(seen, warningDays, decidedAt)
  const due = seen === null || days === null ? null : { end: seen, days, isNews: isNews(row.expiry_told, seen, days) }
  return { nearest, due }
}

export interface ExpiryWrite {
  readonly serviceId: number
  readonly memory: ExpiryMemory
}

/** Null: nothing changes. @param isTold the due warning is notified now */
export function expiryWrite(
  row: ExpiryRow & { readonly service_id: number },
  { nearest, due }: SeenExpiry,
  isTold: boolean,
): ExpiryWrite | null {
  const told = isTold && due !== null ? { id: due.end.id, endsAt: due.end.endsAt, days: due.days } : row.expiry_told
  const isSame = isSameEnd(row.expiry, nearest) && told === row.expiry_told
  return isSame ? null : { serviceId: row.service_id, memory: { nearest, told } }
}

export function isSameEnd(one: Expiry | null, other: Expiry | null): boolean {
  return one?.id === other?.id && one?.endsAt === other?.endsAt && one?.name === other?.name
}

/** Expects the plans locked in this transaction. */
export async function writeExpiries(transaction: Executor, writes: readonly ExpiryWrite[]): Promise<void> {
  if (writes.length === 0) return
  const serviceIds = writes.map(({ serviceId }) => serviceId)
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
  await transaction.execute(
    sql`update service_statuses set expiry = new.expiry, expiry_told = new.told
      from unnest(${serviceIds}::int[], ${writes.map(({ memory }) => json(memory.nearest))}::jsonb[],
        ${writes.map(({ memory }) => json(memory.told))}::jsonb[]) as new (service_id, expiry, told)
      where service_statuses.service_id = new.service_id`,
    'write-expiries',
  )
  await transaction.execute(
    sql`update services set expires_at = to_timestamp(new.ends_at / 1000)
      from unnest(${serviceIds}::int[], ${writes.map(({ memory }) => memory.nearest?.endsAt ?? null)}::float8[])
        as new (service_id, ends_at)
      where services.id = new.service_id and services.expires_at is distinct from to_timestamp(new.ends_at / 1000)`,
    'write-ends',
  )
}
