import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Executor } from './connect.ts'
import { sessionName } from './session-name.ts'

/**
 * Whose work is whose. A process that dies leaves its sessions with the database, wherever it ran: who holds a piece of work is named
 * by the session that the process listens on.
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

/** Rows that a process takes for itself alone until a lease ends. */
interface Work {
  readonly table: string
  readonly key: readonly string[]
  /** Of a row with a holder: it is held, and may be somebody else's without harm. */
  readonly isHeld: Sql
  /** Sets a row so that anybody may take it at once, and so that the claim which was is none any more. */
  givenBack(at: Date): Sql
}

/**
 * What was handed over may have arrived: only its sender knows, and the end of its lease decides. So it does for what was begun many
 * times: it may be what its senders die of.
 */
const isToBeSent = sql`status = 'pending' and handed_over_at is null and attempts <= 5`

/** Where what is to be sent waits, in whatever state. */
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

/** Gives back what is held by nobody who lives. Returns how much that was. Any number of processes may do it at once. */
export function giveBackAbandoned(executor: Executor, kind: KindOfWork, now: number): Promise<number> {
  const { table, key, isHeld, givenBack }: Work = works[kind]
  const keys = raw(key.join(', '))
  const isSame = join(
    key.map((column) => raw(`held.${column} = abandoned.${column}`)),
    ' and ',
  )
  return executor.execute(sql`
    with abandoned as (
      select ${keys} from ${raw(table)}
      where held_by is not null and ${isHeld}
        and not exists (select from pg_stat_activity where ${sessionName} = held_by or ${hidden})
      order by ${keys} for update skip locked)
    update ${raw(table)} as held set held_by = null, ${givenBack(new Date(now))} from abandoned where ${isSame}`)
}
