import type { Database } from '../database/connect.ts'

class RehearsalOver extends Error {}

/**
 * The database of a rehearsal: each transaction does its work and is rolled back, so that a write meets every rule and
 * changes nothing. An operation may be rehearsed if all that it changes lies in one transaction.
 */
export function rehearsed(database: Database): Database {
  return {
    ...database,
    async transaction<T>(work: Parameters<typeof database.transaction<T>>[0]): Promise<T> {
      const results: T[] = []
      try {
        await database.transaction(async (transaction) => {
          results[0] = await work(transaction)
          throw new RehearsalOver('rolled back')
        })
      } catch (error) {
        if (!(error instanceof RehearsalOver)) throw error
      }
      return results[0] as T
    },
  }
}
