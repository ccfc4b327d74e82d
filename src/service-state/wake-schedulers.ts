import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'

/** Tells all processes that a plan or calendar changed: with the end of the transaction they look at once. */
export async function wakeSchedulers(transaction: Executor): Promise<void> {
  await transaction.execute(sql`select pg_notify('schedule', '')`, 'wake-schedulers')
}
