/** The size of the measured checks, in rows and packed. */
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'
import { openDatabase } from '../../src/database/open.ts'
import { packClosedDays, packingDelay } from '../../src/history/packed/pack-days.ts'
import { quietLog } from '../support/bench-database.ts'

const day = 86_400_000

export interface Weight {
  readonly bytes: number
  readonly checks: number
}

/** Bytes of a table with all that belongs to it, and the checks that are kept in rows. */
export async function weigh(database: Database, parent: 'analyses_hot' | 'packed_days'): Promise<Weight> {
  const [size] = await database.query<{ bytes: number }>(sql`
    select coalesce(sum(pg_total_relation_size(inhrelid)), 0)::bigint as bytes from pg_inherits where inhparent = ${parent}::regclass`)
  const [count] = await database.query<{ checks: number }>(
    sql`select coalesce(sum(cardinality(sensor_ids)), 0)::bigint as checks from analyses_hot`,
  )
  return { bytes: size?.bytes ?? 0, checks: count?.checks ?? 0 }
}

/** Packs everything as if its day were over. Only for a database whose program has stopped. */
export async function packAll(dataDirectory: string): Promise<Weight & { readonly seconds: number }> {
  const { database, close } = await openDatabase({ databaseUrl: undefined, dataDirectory, log: quietLog })
  try {
    const { checks } = await weigh(database, 'analyses_hot')
    const startedAt = performance.now()
    await packClosedDays(database, { nowAt: Date.now() + day + packingDelay })
    const seconds = (performance.now() - startedAt) / 1000
    const { bytes } = await weigh(database, 'packed_days')
    return { bytes, checks, seconds }
  } finally {
    await close()
  }
}
