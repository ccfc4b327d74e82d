import type { Database, Executor } from '../database/connect.ts'
import type { Traces } from './traces.ts'

/**
 * Wraps the database so that its statements appear in the traces of their causes. They never hold values, only `$1`.
 */
export function tracedDatabase(database: Database, { part }: Pick<Traces, 'part'>): Database {
  function traced(executor: Executor): Executor {
    return {
      query: (statement, name) => part(...described(statement.text), () => executor.query(statement, name)),
      execute: (statement, name) => part(...described(statement.text), () => executor.execute(statement, name)),
    }
  }
  return {
    ...database,
    ...traced(database),
    transaction: (work) =>
      part('transaction', system, () => database.transaction((transaction) => work(traced(transaction)))),
  }
}

const system = { 'db.system.name': 'postgresql' }
const longestText = 2000

function described(text: string): [string, Readonly<Record<string, string>>] {
  const verb = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
  const shown = text.replaceAll(/\s+/g, ' ').trim().slice(0, longestText)
  return [verb, { ...system, 'db.query.text': shown }]
}
