import sql from 'sql-template-tag'
import { type ServiceCalendar, serviceCalendar } from '../domain/suspension.ts'
import { timeZoneName } from '../domain/time-zones.ts'
import type { Executor } from './connect.ts'

/** What is planned for services: one-off and weekly suspensions, the older strings of hours, in the owner's zone. */

interface SuspensionRow {
  start_time: number
  end_time: number
  only_notifications: boolean
}

interface WeeklyRow {
  start_minute: number
  end_minute: number
  only_notifications: boolean
}

interface CalendarRow {
  id: number
  time_zone_id: string
  suspension_hours: string
  silent_hours: string
}

/** By service. Suspensions that were over before `fromAt` are left out. */
export async function readCalendars(
  transaction: Executor,
  serviceIds: readonly number[],
  fromAt: number,
): Promise<ReadonlyMap<number, ServiceCalendar>> {
  const ids = sql`${serviceIds}::int[]`
  const services = await transaction.query<CalendarRow>(sql`
    select services.id, accounts.time_zone_id, suspension_hours, silent_hours
    from services join accounts on accounts.id = services.owner_id where services.id = any(${ids})`)
  const once = await transaction.query<SuspensionRow & { service_id: number }>(sql`
    select service_id, start_time, end_time, only_notifications from suspensions
    where service_id = any(${ids}) and end_time > ${new Date(fromAt)}`)
  const weekly = await transaction.query<WeeklyRow & { service_id: number }>(sql`
    select service_id, start_minute, end_minute, only_notifications from weekly_suspensions
    where service_id = any(${ids})`)
  const [onceOf, weeklyOf] = [byService(once), byService(weekly)]
  return new Map(services.map((row) => [row.id, calendarOf(row, onceOf.get(row.id) ?? [], weeklyOf.get(row.id) ?? [])]))
}

function byService<Row extends { readonly service_id: number }>(rows: readonly Row[]): ReadonlyMap<number, Row[]> {
  const grouped = new Map<number, Row[]>()
  for (const row of rows) {
    const others = grouped.get(row.service_id)
    if (others === undefined) grouped.set(row.service_id, [row])
    else others.push(row)
  }
  return grouped
}

function calendarOf(row: CalendarRow, once: readonly SuspensionRow[], weekly: readonly WeeklyRow[]): ServiceCalendar {
  return serviceCalendar({
    zone: timeZoneName(row.time_zone_id) ?? 'UTC',
    suspensions: once.map((one) => ({
      startAt: one.start_time,
      endAt: one.end_time,
      onlyNotifications: one.only_notifications,
    })),
    weekly: weekly.map((one) => ({
      start: one.start_minute,
      end: one.end_minute,
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
      or strpos(silent_hours, '1') > 0 or exists (select from weekly_suspensions where service_id = services.id))
    order by id`)
  return rows.map(({ id }) => id)
}
