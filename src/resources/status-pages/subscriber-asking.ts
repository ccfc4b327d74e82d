import sql from 'sql-template-tag'
import type { AskingLimit } from '../../auth/asking-limits.ts'
import type { Executor } from '../../database/connect.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { askingLimits } from '../../domain/status-pages/subscriber.ts'

/** The account whose limit an owner's addresses count against. */
export async function parentOrSelf(transaction: Executor, accountId: number): Promise<number> {
  const [account] = await transaction.query<{ id: number }>(sql`
    select coalesce(parent_account_id, id) as id from accounts where id = ${accountId}`)
  return account?.id ?? accountId
}

export function askingProblem(limit: AskingLimit['limit']): Problem {
  const { most: value, windowMs } = askingLimits[limit]
  return {
    error: 'confirmation_code_limit_exceeded',
    facts: { value, period: `${Math.round(windowMs / 60_000)} min` },
  }
}
