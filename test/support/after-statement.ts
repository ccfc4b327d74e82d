import type { Database, Executor } from '../../src/database/connect.ts'

/** The database; within its transactions something happens right after each writing statement with the words. */
export function afterStatement(
  database: Database,
  words: string,
  happens: (values: readonly unknown[]) => Promise<void>,
): Database {
  const watched = (executor: Executor): Executor => ({
    ...executor,
    async execute(statement, name) {
      const count = await executor.execute(statement, name)
      if (statement.sql.includes(words)) await happens(statement.values)
      return count
    },
  })
  return { ...database, transaction: (run) => database.transaction((transaction) => run(watched(transaction))) }
}
