import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { lockServicesOf, removeServices } from '../service-state/services.ts'
import { lockFamily } from './family.ts'
import { releaseLetters } from './letters.ts'
import { endSessionsOf } from './sessions.ts'

/**
 * Deletes everything that an account and its sub-accounts own: services with their history, reports, sessions, links,
 * confirmation codes, unsent mails, logs and counters. Rows that refer to the account's row (groups, user_data, second
 * factor, sub-accounts) are deleted with it.
 */
export async function removeBelongings(transaction: Executor, accountId: number): Promise<void> {
  const ids = await lockFamily(transaction, accountId)
  await removeServices(transaction, await lockServicesOf(transaction, sql`owner_id = any(${ids}::int[])`))
  for (const id of ids) await endSessionsOf(transaction, id)
  await transaction.execute(sql`delete from api_keys where owner_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from address_codes where account_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from account_tokens where account_id = any(${ids}::int[])`)
  await releaseLetters(transaction, ids)
  await transaction.execute(sql`delete from authentications where account_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from notification_intents where account_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from deliveries where account_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from diagnostics where account_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from reports where owner_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from report_counters where account_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from oauth_codes where account_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from usage_counters where account_id = any(${ids}::int[])`)
  await transaction.execute(sql`delete from usage_notifications where account_id = any(${ids}::int[])`)
}
