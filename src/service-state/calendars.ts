import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { covers } from '../database/services/coverage.ts'
import { type ServiceCalendar, serviceCalendar } from '../domain/calendars/suspension.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'

/**
 * The plans of services in the owner's zone: one-off and weekly suspensions, those of their groups, tags and accounts,
 * and the older strings of hours.
 */

interface CalendarRow {
  id: number
  time_zone_id: string
  suspension_hours: string
  silent_hours: string
  /** Unix milliseconds. */
  once: readonly PlannedRow[] | null
  weekly: readonly PlannedRow[] | null
  wide_once: readonly PlannedRow[] | null
  wide_weekly: readonly PlannedRow[] | null
}

/** Moments, or minutes of the week. */
interface PlannedRow {
  readonly start: number
  readonly end: number
  readonly only_notifications: boolean
}

const timesOfOnce = sql`jsonb_agg(jsonb_build_object('start', extract(epoch from start_time) * 1000,
  'end', extract(epoch from end_time) * 1000, 'only_notifications', only_notifications))`
const timesOfWeekly = sql`jsonb_agg(jsonb_build_object('start', start_minute, 'end', end_minute,
  'only_notifications', only_notifications))`

/** By service. Suspensions that were over before `fromAt` are left out. */
export async function readCalendars(
  transaction: Executor,
  serviceIds: readonly number[],
  fromAt: number,
): Promise<ReadonlyMap<number, ServiceCalendar>> {
  const rows = await transaction.query<CalendarRow>(
    sql`select services.id, accounts.time_zone_id, suspension_hours, silent_hours, once, weekly, wide_once, wide_weekly
      from services join accounts on accounts.id = services.owner_id
      left join lateral (select ${timesOfOnce} as once from suspensions
        where service_id = services.id and end_time > ${new Date(fromAt)}) suspended on true
      left join lateral (select ${timesOfWeekly} as weekly from weekly_suspensions
        where service_id = services.id) repeated on true
      left join lateral (select ${timesOfOnce} as wide_once from wide_suspensions wide
        where ${covers} and end_time > ${new Date(fromAt)}) widely on true
      left join lateral (select ${timesOfWeekly} as wide_weekly from wide_weekly_suspensions wide
        where ${covers}) widely_repeated on true
      where services.id = any(${serviceIds}::int[])`,
    'read-calendars',
  )
  return new Map(rows.map((row) => [row.id, calendarOf(row)]))
}

function calendarOf(row: CalendarRow): ServiceCalendar {
  const { once, weekly, wide_once: wideOnce, wide_weekly: wideWeekly } = row
  return serviceCalendar({
    zone: timeZoneName(row.time_zone_id) ?? 'UTC',
    suspensions: [...(once ?? []), ...(wideOnce ?? [])].map((one) => ({
      startAt: one.start,
      endAt: one.end,
      onlyNotifications: one.only_notifications,
    })),
    weekly: [...(weekly ?? []), ...(wideWeekly ?? [])].map((one) => ({
      start: one.start,
      end: one.end,
      onlyNotifications: one.only_notifications,
    })),
    suspensionHours: row.suspension_hours,
    silentHours: row.silent_hours,
  })
}

/** The services of an account that have anything planned. */
export async function plannedServices(transaction: Executor, ownerId: number): Promise<number[]> {
  const rows = await transaction.query<{ id: number }>(sql`
    select id from services where owner_id = ${ownerId} and (strpos(suspension_hours, '1') > 0
      or strpos(silent_hours, '1') > 0 or exists (select from weekly_suspensions where service_id = services.id)
      or exists (select from wide_weekly_suspensions wide where ${covers}))
    order by id`)
  return rows.map(({ id }) => id)
}
