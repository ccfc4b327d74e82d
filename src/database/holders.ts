import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Executor } from './connect.ts'
import { listeningSuffix, sessionName } from './session-name.ts'

/**
 * Which process holds which work. A process that dies ends its sessions with the database, wherever it ran. So the
 * holder of a piece of work is named by the session on which its process listens.
 */

/** A session of another login shows only its number: any session with that number counts as the holder. */
const hidden = sql`(backend_start is null and starts_with(held_by, pid || '@'))`

/** The sessions of living processes. */
export async function readSessions(executor: Executor): Promise<ReadonlySet<string>> {
  const rows = await executor.query<{ session: string | null }>(
    sql`
      select ${sessionName} as session from pg_stat_activity
      where datname = current_database() and right(application_name, ${listeningSuffix.length}) = ${listeningSuffix}`,
    'read-sessions',
  )
  return new Set(rows.flatMap(({ session }) => session ?? []))
}

/** Rows that a process claims for itself until a lease ends. */
interface Work {
  readonly table: string
  readonly key: readonly string[]
  /** A condition on a held row: another process may take it over without harm. */
  readonly isHeld: Sql
  /** Releases a row so that anybody may claim it at once, and ends the previous claim. */
  givenBack(at: Date): Sql
}

/**
 * A message that was handed over may have arrived. Only its sender knows, so the end of its lease decides. The same
 * holds for one with many attempts, because it may be what kills its senders.
 */
const isToBeSent = sql`status = 'pending' and handed_over_at is null and attempts <= 5`

/** The tables of waiting messages, in any state. */
export const messageTables = ['notification_intents', 'messages'] as const

function toBeSent(table: (typeof messageTables)[number], ...key: readonly string[]): Work {
  return { table, key, isHeld: isToBeSent, givenBack: (at) => sql`next_attempt_at = ${at}` }
}

const works = {
  rounds: {
    table: 'schedule',
    key: ['service_id'],
    isHeld: sql`leased_until is not null`,
    givenBack: () => sql`leased_until = null`,
  },
  diagnostics: {
    table: 'diagnostics',
    key: ['id'],
    isHeld: sql`status = 'in_progress'`,
    givenBack: () => sql`status = 'pending', leased_until = null`,
  },
  notices: toBeSent('notification_intents', 'service_id', 'event_id', 'address_id'),
  messages: toBeSent('messages', 'id'),
  reports: {
    table: 'reports',
    key: ['id'],
    isHeld: sql`leased_until is not null`,
    givenBack: () => sql`leased_until = null`,
  },
} satisfies Readonly<Record<string, Work>>

export type KindOfWork = keyof typeof works

/** Releases the work of dead holders; returns the holder of each row. Any number of processes may call it at once. */
export async function giveBackAbandoned(executor: Executor, kind: KindOfWork, now: number): Promise<string[]> {
  const { table, key, isHeld, givenBack }: Work = works[kind]
  const keys = raw(key.join(', '))
  const isSame = join(
    key.map((column) => raw(`held.${column} = abandoned.${column}`)),
    ' and ',
  )
  const rows = await executor.query<{ holder: string }>(sql`
    with abandoned as (
      select ${keys}, held_by as holder from ${raw(table)}
      where held_by is not null and ${isHeld}
        and not exists (select from pg_stat_activity where ${sessionName} = held_by or ${hidden})
      order by ${keys} for update skip locked)
    update ${raw(table)} as held set held_by = null, ${givenBack(new Date(now))} from abandoned where ${isSame}
    returning abandoned.holder`)
  return rows.map(({ holder }) => holder)
}
