import type { Database } from '../connect.ts'
import { dropDay, ensureDays, packedDays, recentDays } from '../partitions.ts'
import { batchServices, type GivenAnalyses, packBatch, unequalServices } from './batch.ts'

/**
 * Packs a whole day of which analyses are given beside those in the table, and drops its partition at once: for a history that is made
 * while nobody reads it.
 */
export async function packGiven(database: Database, start: number, given: GivenAnalyses): Promise<void> {
  await ensureDays(database, packedDays, [start])
  const hot = await unequalServices(database, start)
  const serviceIds = [...new Set([...hot, ...given.keys()])]
  for (let from = 0; from < serviceIds.length; from += batchServices) {
    const batch = serviceIds.slice(from, from + batchServices)
    await database.transaction((transaction) => packBatch(transaction, start, batch, given))
  }
  await dropDay(database, recentDays, start)
}
