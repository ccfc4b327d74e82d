import sql, { type Sql } from 'sql-template-tag'
import type { ColumnContext } from '../../rest/fields.ts'

/** A value of a service that gives a right: null for callers who may not change the service. */
export function forWriters({ alias, caller, mayWrite: mayWriteNow }: ColumnContext, value: Sql): Sql {
  const groups = caller.shares.filter((share) => share.can_modify_services).map((share) => share.group_id)
  const mayWrite = sql`(${mayWriteNow}::boolean and (${alias}.owner_id = any(${[...caller.account_ids]}::int[])
    or ${alias}.group_id = any(${groups}::int[])))`
  return sql`case when ${mayWrite} then ${value} end`
}
