import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { forgetParents } from '../database/services/dependencies.ts'
import { removeEscalations } from '../outbox/escalations.ts'
import { removeSchedules } from './schedule.ts'
import { lockPlans } from './statuses.ts'

/** The long-lived rows of a service, one per moment (the key): too many to delete while somebody waits. */
const history = {
  analyses_hot: 'analysis_id',
  packed_days: 'day',
  status_changes: 'change_id',
  change_comments: 'id',
  good_screenshots: 'day',
  degraded_periods: 'period_id',
  hourly_performance: 'hour',
  daily_performance: 'day',
  hourly_step_performance: 'hour',
  path_step_sets: 'set_id',
} as const

/**
 * The services that meet `which` (a condition on `services`), and still do once their plans are locked. No service may
 * join them meanwhile, because the caller has locked everything that new ones would refer to.
 */
export async function lockServicesOf(transaction: Executor, which: Sql): Promise<readonly number[]> {
  const found = await transaction.query<{ id: number }>(sql`select id from services where ${which}`)
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  await lockPlans(transaction, ids)
  const still = await transaction.query<{ id: number }>(sql`
    select id from services where ${which} and id = any(${ids}::int[])`)
  return still.map(({ id }) => id)
}

/**
 * Deletes services with their plan, status, planned stops and unsent notices. Nobody can reach their history any more;
 * it is swept away later.
 */
export async function removeServices(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  if (serviceIds.length === 0) return
  await removeSchedules(transaction, serviceIds)
  await forgetParents(transaction, serviceIds)
  const ids = sql`${serviceIds}::int[]`
  await transaction.execute(sql`delete from notification_intents where service_id = any(${ids}) and status = 'pending'`)
  await removeEscalations(transaction, serviceIds)
  await handToSweep(transaction, serviceIds)
  await transaction.execute(sql`delete from services where id = any(${ids})`)
}

/** The services that exist among these; none of them can be removed until the transaction ends. */
export async function lockExisting(transaction: Executor, serviceIds: readonly number[]): Promise<ReadonlySet<number>> {
  const existing = await transaction.query<{ id: number }>(
    sql`select id from services where id = any(${[...new Set(serviceIds)]}::int[]) order by id for key share`,
  )
  return new Set(existing.map(({ id }) => id))
}

/** Has the history of services that do not exist deleted: it was written or packed after it had been swept away. */
export async function sweepAgain(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  const existing = await lockExisting(transaction, serviceIds)
  const gone = serviceIds.filter((id) => !existing.has(id))
  if (gone.length > 0) await handToSweep(transaction, gone)
}

async function handToSweep(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  await transaction.execute(sql`
    insert into removed_services (service_id) select unnest(${serviceIds}::int[]) on conflict do nothing`)
}

const sweepRows = 5000
/** Batches per run; the next run continues. */
const maximumSweeps = 10_000

/**
 * Deletes the history of deleted services in small transactions. Any number of processes may call it at once. Returns
 * how many rows.
 */
export async function sweepRemovedServices(database: Database): Promise<number> {
  let total = 0
  for (let sweep = 0; sweep < maximumSweeps; sweep += 1) {
    const removed = await database.transaction(sweepOne)
    if (removed === null) return total
    total += removed
  }
  return total
}

/** Null when there is nothing left to sweep. */
async function sweepOne(transaction: Executor): Promise<number | null> {
  const [row] = await transaction.query<{ service_id: number }>(
    sql`select service_id from removed_services order by service_id limit 1 for update skip locked`,
  )
  if (row === undefined) return null
  const { service_id: id } = row
  for (const [table, key] of Object.entries(history)) {
    const removed = await transaction.execute(sql`
      delete from ${raw(table)} where service_id = ${id} and ${raw(key)} in (
        select ${raw(key)} from ${raw(table)} where service_id = ${id} order by ${raw(key)} limit ${sweepRows})`)
    if (removed > 0) return removed
  }
  await transaction.execute(sql`delete from removed_services where service_id = ${id}`)
  return 0
}
