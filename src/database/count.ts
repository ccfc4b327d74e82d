import sql, { raw } from 'sql-template-tag'
import type { Executor } from './connect.ts'

/** How many rows of the table have the value, counted no further than `most`. Names are ours, never a caller's. */
export async function countUpTo(
  executor: Executor,
  rows: { readonly table: string; readonly column: string; readonly value: number },
  most: number,
): Promise<number> {
  const [counted] = await executor.query<{ count: number }>(sql`
    select count(*)::int as count from (
      select 1 from ${raw(`"${rows.table}"`)} where ${raw(`"${rows.column}"`)} = ${rows.value} limit ${most}) present`)
  return counted?.count ?? 0
}
