import sql from 'sql-template-tag'
import type { HostVerdict } from '../../domain/status-pages/page-host.ts'
import type { Database, Executor } from '../connect.ts'

/** Hosts of status pages and their proofs. Moments in Unix milliseconds. */

export interface RequestedHost {
  readonly token: string
  /** Below the installation's own domain: the page has it at once. */
  readonly isFree: boolean
}

/** A page asks for its host anew; null: it has none. */
export async function requestHost(
  transaction: Executor,
  pageId: number,
  requested: RequestedHost | null,
  now: number,
): Promise<void> {
  const at = requested === null ? null : new Date(now)
  await transaction.execute(sql`
    update status_pages set host_token = ${requested?.token ?? null}, host_is_free = ${requested?.isFree ?? false},
      host_claimed_at = ${at}, host_proven_at = ${requested?.isFree === true ? at : null}, host_seen_at = null,
      host_checked_at = null, host_check_at = ${requested?.isFree === false ? at : null}
    where id = ${pageId}`)
}

/** The record of a page's host is looked up soon. */
export async function checkHostSoon(transaction: Executor, pageId: number, now: number): Promise<void> {
  await transaction.execute(sql`
    update status_pages set host_check_at = ${new Date(now)} where id = ${pageId} and host is not null and not host_is_free`)
}

/** True if another page has the host. */
export async function isHostTaken(executor: Executor, host: string, exceptId: number | null): Promise<boolean> {
  const found = await executor.query(sql`
    select 1 from status_pages
    where host = ${host} and host_proven_at is not null and id is distinct from ${exceptId}`)
  return found.length > 0
}

export interface DueHost {
  readonly id: number
  readonly host: string
  readonly host_token: string
  readonly host_claimed_at: number
  readonly host_proven_at: number | null
  readonly host_seen_at: number | null
}

/** Hosts that are taken at once. */
export const mostHostsAtOnce = 20

/**
 * Takes hosts whose record is to be looked up now. Accounts take turns, each with its dependent ones, so many hosts of
 * one delay none of another. If this process dies, other processes take them after the lease.
 */
export function takeDueHosts(database: Database, now: number, lease: number): Promise<readonly DueHost[]> {
  return database.transaction(async (transaction) => {
    const due = await transaction.query<DueHost>(
      sql`select id, host, host_token, host_claimed_at, host_proven_at, host_seen_at from status_pages
        where id in (
          select id from (
            select page.id, host_check_at, row_number() over (
              partition by coalesce(owner.parent_account_id, owner.id) order by host_check_at, page.id) as turn
            from status_pages page join accounts owner on owner.id = page.owner_id
            where host_check_at <= ${new Date(now)}) waiting
          order by turn, host_check_at, id limit ${mostHostsAtOnce})
        order by id for no key update skip locked`,
      'due-page-hosts',
    )
    if (due.length > 0) {
      await transaction.execute(sql`
        update status_pages set host_check_at = ${new Date(now + lease)}
        where id = any(${due.map(({ id }) => id)}::int[])`)
    }
    return due
  })
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at))

/** Writes what a lookup said, unless the page asked for another host meanwhile, or another page got the host first. */
export async function writeHostVerdict(
  executor: Executor,
  { id, host, host_token: token }: DueHost,
  verdict: HostVerdict,
  now: number,
): Promise<void> {
  await executor.execute(sql`
    update status_pages set host_proven_at = ${dateOf(verdict.provenAt)}, host_seen_at = ${dateOf(verdict.seenAt)},
      host_checked_at = ${new Date(now)}, host_check_at = ${dateOf(verdict.nextAt)},
      version = case when (host_proven_at is null) = ${verdict.provenAt === null} then version else version + 1 end
    where id = ${id} and host_token = ${token} and (${verdict.provenAt === null} or not exists (
      select 1 from status_pages other where other.host = ${host} and other.host_proven_at is not null
        and other.id <> ${id}))`)
}
