import type { Database } from '../../database/connect.ts'
import { dropDay, ensureDays, packedDays, recentDays } from '../../database/partitions.ts'
import { type GivenAnalyses, packBatch, unequalServices } from './batch.ts'
import { batchesOf } from './batches.ts'

/**
 * Packs a whole day of given analyses and those in the table, and drops its partition at once: for a history that is
 * made while nobody reads it.
 */
export async function packGiven(database: Database, start: number, given: GivenAnalyses): Promise<void> {
  await ensureDays(database, packedDays, [start])
  const hot = await unequalServices(database, start)
  const known = new Set(hot.map(({ serviceId }) => serviceId))
  const others = [...given.keys()].filter((serviceId) => !known.has(serviceId))
  const services = [...hot, ...others.map((serviceId) => ({ serviceId, weight: 0, isTooMuch: false }))]
  for (const batch of batchesOf(services))
    await database.transaction((transaction) => packBatch(transaction, start, batch, given))
  await dropDay(database, recentDays, start)
}
