import type { UnequalService } from './batch.ts'

const mostServices = 10
/**
 * The limit of one transaction; a usual day of a service weighs a million. Several times as much is in memory
 * meanwhile: the rows, their columns, and the rows read back.
 */
const mostWeight = 16_777_216

/** The batches, one transaction each, in the same order. A service above the limit is a batch by itself. */
export function batchesOf(services: readonly UnequalService[]): readonly (readonly UnequalService[])[] {
  const batches: UnequalService[][] = []
  let [batch, weight]: [UnequalService[], number] = [[], 0]
  for (const service of services) {
    if (batch.length === 0 || batch.length === mostServices || weight + service.weight > mostWeight) {
      batch = []
      weight = 0
      batches.push(batch)
    }
    batch.push(service)
    weight += service.weight
  }
  return batches
}
