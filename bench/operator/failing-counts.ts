/** How many services failed lately, read from the database beside the program. */
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'

export interface FailingCounts {
  /** The least and the most of the last milliseconds; null if the database was away meanwhile, or it is too early. */
  within(milliseconds: number): { readonly least: number; readonly most: number } | null
  stop(): Promise<void>
}

const everyMs = 2000

interface Look {
  readonly at: number
  /** Null while the database is away. */
  readonly count: number | null
}

export function watchFailing(database: Database): FailingCounts {
  const looks: Look[] = []
  const over = new AbortController()
  async function work(): Promise<void> {
    while (!over.signal.aborted) {
      const count = await database
        .query<{ count: number }>(sql`select count(*) as count from service_statuses where check_status = 'failure'`)
        .then(
          ([row]) => row?.count ?? null,
          () => null,
        )
      looks.push({ at: Date.now(), count })
      await pause(everyMs, undefined, { signal: over.signal }).catch(() => undefined)
    }
  }
  const working = work()
  return {
    within(milliseconds) {
      const from = Date.now() - milliseconds
      if (!looks.some(({ at }) => at < from)) return null
      const counts = looks.filter(({ at }) => at >= from).map(({ count }) => count)
      const known = counts.filter((count) => count !== null)
      if (known.length === 0 || known.length < counts.length) return null
      return { least: Math.min(...known), most: Math.max(...known) }
    },
    async stop() {
      over.abort()
      await working
    },
  }
}
