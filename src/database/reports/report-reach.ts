import sql, { empty } from 'sql-template-tag'
import type { ReachedAccount, ReachedGroup, ReachedService, ReportAccess } from '../../domain/reports/report-scope.ts'
import type { Executor } from '../connect.ts'

export interface ReachQuestion {
  readonly accountId: number
  /** All, or those with these ids. */
  readonly services: 'all' | readonly number[]
  readonly hasArchived: boolean
}

/** Everything that an account can access: its own objects, its parent's, and those shared with either. */
export async function readReach(executor: Executor, question: ReachQuestion): Promise<ReportAccess> {
  const { accountId, services, hasArchived } = question
  const family = sql`(select unnest(array[id, parent_account_id]) from accounts where id = ${accountId})`
  const groups = await executor.query<ReachedGroup>(sql`
    select id, name, owner_id from groups where owner_id in ${family}
    union select g.id, g.name, g.owner_id from groups g join shares s on s.group_id = g.id where s.account_id in ${family}`)
  const owners = [...new Set(groups.map(({ owner_id }) => owner_id))]
  const accounts = await executor.query<ReachedAccount>(sql`
    select id, name from accounts where id = any(${owners}::int[]) or id in ${family}`)
  const among = services === 'all' ? empty : sql`and id = any(${services}::int[])`
  const living = hasArchived ? empty : sql`and not is_archived`
  return {
    groups,
    accounts,
    services: await executor.query<ReachedService>(sql`
      select id, name, owner_id, group_id from services
      where group_id = any(${groups.map(({ id }) => id)}::int[]) ${among} ${living}`),
  }
}
