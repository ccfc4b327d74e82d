import type { Executor } from '../../database/connect.ts'
import { countUpTo } from '../../database/count.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Row } from '../../domain/queries/condition.ts'
import type { Resource } from '../declare.ts'

/**
 * Checks that there is room for the row in its place, new or moved. Without a lock, simultaneous requests may exceed
 * the limit by their number, which does not matter: it is there against thousands. Problems: limit_exceeded.
 */
export async function countLimitProblems(
  { name, fields, source, write }: Resource,
  transaction: Executor,
  row: Row,
  before: Row | null,
): Promise<readonly Problem[]> {
  const { countLimit } = write
  const value = countLimit === undefined ? undefined : row[countLimit.per]
  if (countLimit === undefined || source.kind !== 'table' || typeof value !== 'number') return []
  if (before !== null && before[countLimit.per] === value) return []
  const column = fields[countLimit.per]?.storedIn ?? countLimit.per
  const present = await countUpTo(transaction, { table: source.name, column, value }, countLimit.count)
  return present < countLimit.count
    ? []
    : [{ error: 'limit_exceeded', facts: { limit: name, value: countLimit.count } }]
}
