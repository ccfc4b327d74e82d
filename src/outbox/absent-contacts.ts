import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { calendarOf, isInEffect } from '../domain/calendars/suspension.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { windowsOfRange } from '../domain/calendars/week.ts'

interface ContactRow {
  readonly id: number
  readonly time_zone_id: string
  /** Minutes since Monday 00:00. */
  readonly weekly: readonly { readonly start: number; readonly end: number }[]
}

/** The contacts who are not suspended at the moment, weekly by the clocks of their own zone. */
export async function withoutAbsent(
  transaction: Executor,
  ids: readonly number[],
  now: number,
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await transaction.query<ContactRow>(
    sql`
    select id, time_zone_id, coalesce((select jsonb_agg(jsonb_build_object('start', start_minute, 'end', end_minute))
      from contact_weekly_suspensions where contact_id = contacts.id), '[]') as weekly
    from contacts where id = any(${[...ids]}::int[]) and not exists (select from contact_suspensions
      where contact_id = contacts.id and start_time <= ${new Date(now)} and end_time > ${new Date(now)})`,
    'read-present-contacts',
  )
  const present = rows.filter(({ time_zone_id: zone, weekly }) => {
    const windows = weekly.flatMap(({ start, end }) => windowsOfRange(start, end))
    return !isInEffect(calendarOf(timeZoneName(zone) ?? 'UTC', windows, []), now)
  })
  return new Set(present.map(({ id }) => id))
}
