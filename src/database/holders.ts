import sql from 'sql-template-tag'
import type { Executor } from './connect.ts'
import { sessionName } from './session-name.ts'

/**
 * Whose rounds are whose. A process that dies leaves its sessions with the database, wherever it ran: who holds a round is named by
 * the session that the process listens on.
 */

/** A session of another login tells its number only: whoever has it is taken for the holder. */
const hidden = sql`(backend_start is null and starts_with(held_by, pid || '@'))`

/** Sessions that are there. */
export async function readSessions(executor: Executor): Promise<ReadonlySet<string>> {
  const rows = await executor.query<{ session: string | null }>(
    sql`select ${sessionName} as session from pg_stat_activity where datname = current_database()`,
    'read-sessions',
  )
  return new Set(rows.flatMap(({ session }) => session ?? []))
}

/** Gives rounds back whose holders are gone. Returns how many. Any number of processes may do it at once. */
export function freeAbandoned(executor: Executor): Promise<number> {
  return executor.execute(sql`
    with abandoned as (
      select service_id from schedule
      where leased_until is not null and held_by is not null
        and not exists (select from pg_stat_activity where ${sessionName} = held_by or ${hidden})
      order by service_id for update skip locked)
    update schedule set leased_until = null from abandoned where schedule.service_id = abandoned.service_id`)
}
