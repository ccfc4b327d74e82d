import type { Executor } from '../../database/connect.ts'
import { countUpTo } from '../../database/count.ts'
import type { Row } from '../../domain/condition.ts'
import type { Problem } from '../../domain/problem.ts'
import type { Resource } from '../declare.ts'

/**
 * Whether there is room for the row where it is put, or moved to. Whoever holds no lock that keeps others out may be as many too many
 * as come at the same moment: the bound is there against thousands. Problems: limit_exceeded.
 */
export async function boundProblems(
  { name, fields, source, write }: Resource,
  transaction: Executor,
  row: Row,
  before: Row | null,
): Promise<readonly Problem[]> {
  const { most } = write
  const value = most === undefined ? undefined : row[most.per]
  if (most === undefined || source.kind !== 'table' || typeof value !== 'number') return []
  if (before !== null && before[most.per] === value) return []
  const column = fields[most.per]?.storedIn ?? most.per
  const present = await countUpTo(transaction, { table: source.name, column, value }, most.count)
  return present < most.count ? [] : [{ error: 'limit_exceeded', facts: { limit: name, value: most.count } }]
}
