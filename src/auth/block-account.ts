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

/** The operator blocks by the command line or as an administrator; customers are the account's parent and its maker. */
export type Blocker = 'operator' | 'customer'

/**
 * Blocks an account: nobody of it can log in, sessions end at once, and its monitoring stops (answers §4). Call it in a
 * transaction.
 */
export async function blockAccount(
  transaction: Executor,
  { accountId, by, now }: { readonly accountId: number; readonly by: Blocker; readonly now: number },
): Promise<void> {
  const family = await lockFamily(transaction, accountId)
  const [before] = await transaction.query<{ is_blocked: boolean }>(
    sql`select is_blocked from accounts where id = ${accountId}`,
  )
  await transaction.execute(sql`
    update accounts set is_blocked = true, blocked_by_operator = blocked_by_operator or ${by === 'operator'}
    where id = ${accountId}`)
  // The operator's block may come on top of a customer's.
  if (before?.is_blocked === true) return
  for (const id of family) await endSessionsOf(transaction, id)
  await transaction.execute(sql`delete from oauth_codes where account_id = any(${family}::int[])`)
  // API keys stay for the day of the unblocking; what was exchanged for them ends as sessions do.
  await transaction.execute(sql`
    delete from api_key_tokens where api_key_id in (select id from api_keys where owner_id = any(${family}::int[]))`)
  await stopServices(transaction, await runningServicesOf(transaction, family), 'account_blocked', now)
}

/**
 * Ends a block, the operator's too: the caller checks who may. Resumes the services that ran before; those paused by
 * their user stay paused. Sessions do not come back. Call it in a transaction.
 */
export async function unblockAccount(transaction: Executor, accountId: number, now: number): Promise<void> {
  const family = await lockFamily(transaction, accountId)
  await transaction.execute(sql`
    update accounts set is_blocked = false, blocked_by_operator = false where id = ${accountId}`)
  await resumeServices(transaction, await runningServicesOf(transaction, family), now)
}
