import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'
import { removeSchedule } from './schedule.ts'

/** Deletes services with everything that grew with them: plan, status, history, status changes, notices not yet sent. */
export async function removeServices(transaction: Executor, serviceIds: readonly number[]): Promise<void> {
  if (serviceIds.length === 0) return
  // In the order of ids, as the recorder locks them.
  for (const id of serviceIds.toSorted((a, b) => a - b)) await removeSchedule(transaction, id)
  const ids = sql`${serviceIds}::int[]`
  await transaction.execute(sql`delete from notification_intents where service_id = any(${ids}) and status = 'pending'`)
  await transaction.execute(sql`delete from status_changes where service_id = any(${ids})`)
  await transaction.execute(sql`delete from analyses_hot where service_id = any(${ids})`)
  await transaction.execute(sql`delete from hourly_performance where service_id = any(${ids})`)
  await transaction.execute(sql`delete from daily_performance where service_id = any(${ids})`)
  await transaction.execute(sql`delete from services where id = any(${ids})`)
}
