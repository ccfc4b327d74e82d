import sql, { empty } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { lockKeys } from '../database/locks.ts'
import { calendarsChanged, hearCalendars } from './pauses.ts'

/** The services that wide suspensions cover, as groups and tags are at the moment. */

/** Null asks for nothing: without both, all services of the owner are covered. */
export interface Coverage {
  readonly ownerId: number
  readonly groupId: number | null
  readonly tagId: number | null
}

/**
 * Until the transaction ends, no service of the account is made, and none changes its group or its tags. Call it before
 * any plan is locked.
 */
export async function lockCoverage(transaction: Executor, ownerId: number): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.coverage}, ${ownerId})`)
}

/**
 * The same lock, shared by all who make services or change their groups and tags: what covers a service stays as it is
 * meanwhile.
 */
export async function shareCoverage(transaction: Executor, ownerId: number): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock_shared(${lockKeys.coverage}, ${ownerId})`)
}

/** By the number of a service; nothing happens if there is none. */
export async function shareCoverageOf(transaction: Executor, serviceId: number): Promise<void> {
  const [service] = await transaction.query<{ owner_id: number }>(
    sql`select owner_id from services where id = ${serviceId}`,
  )
  if (service !== undefined) await shareCoverage(transaction, service.owner_id)
}

/** In the order of ids. Archived services count: their calendars must be right when they come back. */
async function coveredServices(
  transaction: Executor,
  { ownerId, groupId, tagId }: Coverage,
): Promise<readonly number[]> {
  const inGroup = groupId === null ? empty : sql`and group_id = ${groupId}`
  const tagged = tagId === null ? empty : sql`and tag_ids @> array[${tagId}::int]`
  const rows = await transaction.query<{ id: number }>(
    sql`select id from services where owner_id = ${ownerId} ${inGroup} ${tagged} order by id`,
  )
  return rows.map(({ id }) => id)
}

/** Services whose calendars one statement reads. */
const batchSize = 1000

async function inBatches(ids: readonly number[], work: (some: readonly number[]) => Promise<unknown>): Promise<void> {
  for (let first = 0; first < ids.length; first += batchSize) await work(ids.slice(first, first + batchSize))
}

/** To call before a change of what covers these services: what their calendars said until now has happened. */
export async function hearCovered(transaction: Executor, coverage: Coverage, now: number): Promise<void> {
  await inBatches(await coveredServices(transaction, coverage), (some) => hearCalendars(transaction, some, now))
}

/** To call after the change: what the calendars say holds at once. */
export async function coverageChanged(transaction: Executor, coverage: Coverage, now: number): Promise<void> {
  await inBatches(await coveredServices(transaction, coverage), (some) => calendarsChanged(transaction, some, now))
}
