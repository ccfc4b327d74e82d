import sql from 'sql-template-tag'
import { countAttempts, countedKey } from '../database/accounts/counted-windows.ts'
import type { Executor } from '../database/connect.ts'

/** Failed attempts, counted over all processes of one database. */
export interface SharedFailures {
  /** When the last window with at least `failures` ends, in Unix milliseconds; null if there is none. */
  fullUntil(keys: readonly string[], failures: number, now: number): Promise<number | null>
  /** Adds a failure to the window of each key; an expired window starts over. */
  count(keys: readonly string[], now: number): Promise<void>
}

/** A window that would end later than a new one was begun before the clock was set back; it does not count. */
export function failuresIn(database: Executor, windowMs: number): SharedFailures {
  return {
    async fullUntil(keys, failures, now) {
      const [found] = await database.query<{ ends_at: number | null }>(sql`
        select max(ends_at) as ends_at from login_failures
        where counts_against = any(${keys.map(countedKey)}::bytea[]) and failures >= ${failures}
          and ends_at > ${new Date(now)} and ends_at <= ${new Date(now + windowMs)}`)
      return found?.ends_at ?? null
    },
    async count(keys, now) {
      await countAttempts(database, keys, { now, windowMs })
    },
  }
}
