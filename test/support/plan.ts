// How PostgreSQL would read: its plan as a list of nodes, those on the machines of a cluster too.
import sql, { type Sql } from 'sql-template-tag'
import type { Database, Executor } from '../../src/database/connect.ts'

export interface PlanNode {
  readonly 'Node Type': string
  readonly 'Index Name'?: string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
}

/** On a cluster the plan of a machine lies in a task of the coordinator's, and what is read before in a plan beside. */
function* nodesIn(value: unknown): Generator<PlanNode> {
  if (typeof value !== 'object' || value === null) return
  if ('Node Type' in value) yield value as PlanNode
  for (const field of Object.values(value)) yield* nodesIn(field)
}

/** A part of a distributed table is named after it, with a number. */
function withoutShard({ 'Relation Name': table, 'Index Name': index, ...node }: PlanNode): PlanNode {
  const bare = (name: string) => name.replace(/_1\d{5}$/, '')
  return {
    ...node,
    ...(table === undefined ? {} : { 'Relation Name': bare(table) }),
    ...(index === undefined ? {} : { 'Index Name': bare(index) }),
  }
}

/** With the settings of its transaction. */
export async function explained(executor: Executor, statement: Sql): Promise<readonly PlanNode[]> {
  const rows = await executor.query<object>(sql`explain (format json) ${statement}`)
  const nodes = [...nodesIn(rows)].map(withoutShard)
  if (nodes.length === 0) throw new Error('There is no plan.')
  return nodes
}

/**
 * The plan with indexes preferred: a small table is read whole even where it has one. A random page has the bundled
 * server's price. By the usual one of other servers, four times as high, a table of a thousand rows is walked through
 * in the order asked for.
 */
export function planByIndexes(database: Database, statement: Sql): Promise<readonly PlanNode[]> {
  return database.transaction(async (transaction) => {
    await transaction.execute(sql`set local citus.propagate_set_commands = 'local'`)
    await transaction.execute(sql`set local random_page_cost = 1.1`)
    await transaction.execute(sql`set local enable_seqscan = off`)
    return explained(transaction, statement)
  })
}
