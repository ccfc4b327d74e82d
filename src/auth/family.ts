import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'

/** The account and its sub-accounts, locked until the transaction ends. They are blocked and deleted together. */
export async function lockFamily(transaction: Executor, accountId: number): Promise<readonly number[]> {
  const family = await transaction.query<{ id: number }>(sql`
    select id from accounts where ${accountId} in (id, parent_account_id) order by id for update`)
  return family.map(({ id }) => id)
}
