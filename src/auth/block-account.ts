import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { resumeServices, stopServices } from '../service-state/stops.ts'
import { lockFamily } from './family.ts'
import { endSessionsOf } from './sessions.ts'

async function runningServicesOf(transaction: Executor, ownerIds: readonly number[]): Promise<readonly number[]> {
  const services = await transaction.query<{ id: number }>(sql`
    select id from services where owner_id = any(${ownerIds}::int[]) and is_active and not is_archived`)
  return services.map(({ id }) => id)
}

/**
 * Nobody of the account logs in any more, sessions end at once, and what was monitored stops (answers §4). To be called in a
 * transaction.
 */
export async function blockAccount(transaction: Executor, accountId: number, now: number): Promise<void> {
  const family = await lockFamily(transaction, accountId)
  await transaction.execute(sql`update accounts set is_blocked = true where id = ${accountId}`)
  for (const id of family) await endSessionsOf(transaction, id)
  await transaction.execute(sql`delete from oauth_codes where account_id = any(${family}::int[])`)
  await stopServices(transaction, await runningServicesOf(transaction, family), 'account_blocked', now)
}

/** What was running goes on; what its user had paused stays so. Sessions do not come back. To be called in a transaction. */
export async function unblockAccount(transaction: Executor, accountId: number, now: number): Promise<void> {
  const family = await lockFamily(transaction, accountId)
  await transaction.execute(sql`update accounts set is_blocked = false where id = ${accountId}`)
  await resumeServices(transaction, await runningServicesOf(transaction, family), now)
}
