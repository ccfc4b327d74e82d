import type { Database } from '../database/connect.ts'
import { isLostRace } from '../database/failures.ts'

const maximumTries = 4

/**
 * The database for operations. Work that lost a race for rows against another request is repeated. So an operation
 * changes nothing but the database while it is in a transaction.
 */
export function withoutLostRaces(database: Database): Database {
  return {
    ...database,
    async transaction(work) {
      for (let tries = 1; ; tries += 1) {
        try {
          return await database.transaction(work)
        } catch (error) {
          if (!isLostRace(error) || tries === maximumTries) throw error
        }
      }
    },
  }
}
