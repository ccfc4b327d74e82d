import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../src/database/connect.ts'

/** Remembers what was recorded, and tells at the end what is gone or has become something else. */
export interface Witness {
  look(): Promise<void>
  /** Looks a last time; what went missing or changed since it was first seen. */
  lost(): Promise<string[]>
  /** Records seen. */
  seen(): number
}

/**
 * Facts that never change once they exist, as text by key. The ends of periods and the results of messages exist once
 * they are known.
 */
const records: Readonly<Record<string, Sql>> = {
  analysis: sql`
    select service_id || ' ' || analysis_id as key, verdict || ' ' || results::text || ' ' || time_offsets::text as value
    from analyses_hot where service_id in (select id from services)`,
  'status change': sql`
    select service_id || ' ' || change_id as key,
      concat_ws(' ', status, start_time, pause_reason, first_analysis_id) as value
    from status_changes where service_id in (select id from services)`,
  'end of a status change': sql`
    select service_id || ' ' || change_id as key, end_time::text as value
    from status_changes where end_time is not null and service_id in (select id from services)`,
  notice: sql`
    select service_id || ' ' || event_id || ' ' || address_id as key,
      concat_ws(' ', notification_condition_id, address, created_at) as value
    from notification_intents where service_id in (select id from services)`,
  'result of a notice': sql`
    select service_id || ' ' || event_id || ' ' || address_id as key,
      concat_ws(' ', status, subject, attempts, error_message, handed_over_at, finished_at) as value
    from notification_intents where finished_at is not null`,
  'log of logins': sql`
    select id::text as key, concat_ws(' ', account_id, time, method, success) as value from authentications`,
}

export function startWitness(database: Database): Witness {
  const seen = new Map<string, string>()
  async function read(): Promise<Map<string, string>> {
    const now = new Map<string, string>()
    for (const [kind, statement] of Object.entries(records)) {
      const rows = await database.query<{ key: string; value: string }>(statement)
      for (const { key, value } of rows) now.set(`${kind} ${key}`, value)
    }
    return now
  }
  return {
    async look() {
      for (const [key, value] of await read()) if (!seen.has(key)) seen.set(key, value)
    },
    async lost() {
      const now = await read()
      const services = new Set(
        (await database.query<{ id: number }>(sql`select id from services`)).map(({ id }) => String(id)),
      )
      return [...seen].flatMap(([key, value]) => {
        const there = now.get(key)
        if (there === value || (there === undefined && isOfRemoved(key, services))) return []
        return [`${key}: ${value} became ${there ?? 'nothing'}`]
      })
    },
    seen: () => seen.size,
  }
}

/** The history of a removed service goes with it. */
function isOfRemoved(key: string, services: ReadonlySet<string>): boolean {
  const serviceId = /^(?:analysis|status change|end of a status change|notice) (\d+) /.exec(key)?.[1]
  return serviceId !== undefined && !services.has(serviceId)
}
