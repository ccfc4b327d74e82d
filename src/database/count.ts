import sql, { raw } from 'sql-template-tag'
import type { Executor } from './connect.ts'

/** Counts the rows of the table that have the value, up to `most`. Names are our own, never a caller's. */
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
