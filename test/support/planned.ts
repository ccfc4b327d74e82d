import sql from 'sql-template-tag'
import { calendarsChanged } from '../../src/service-state/pauses.ts'
import type { MonitoringWorld } from './monitoring.ts'

type Planning = Pick<MonitoringWorld, 'database' | 'clock'>

interface Quiet {
  readonly onlyNotifications?: boolean
}

/** Plans a suspension as the API does. Unix milliseconds. */
export async function planOnce(
  { database, clock }: Planning,
  serviceId: number,
  { from, to, onlyNotifications = false }: Quiet & { readonly from: number; readonly to: number },
  now = clock.now(),
): Promise<number> {
  return database.transaction(async (transaction) => {
    const [row] = await transaction.query<{ id: number }>(sql`
      insert into suspensions (service_id, start_time, end_time, only_notifications)
      values (${serviceId}, ${new Date(from)}, ${new Date(to)}, ${onlyNotifications}) returning id`)
    await calendarsChanged(transaction, [serviceId], now)
    return row?.id ?? 0
  })
}

/** Takes a suspension back. */
export async function dropOnce({ database, clock }: Planning, serviceId: number, id: number): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`delete from suspensions where id = ${id}`)
    await calendarsChanged(transaction, [serviceId], clock.now())
  })
}

/** Plans a weekly suspension; minutes since Monday 00:00. */
export async function planWeekly(
  { database, clock }: Planning,
  serviceId: number,
  { start, end, onlyNotifications = false }: Quiet & { readonly start: number; readonly end: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`
      insert into weekly_suspensions (service_id, start_minute, end_minute, only_notifications)
      values (${serviceId}, ${start}, ${end}, ${onlyNotifications})`)
    await calendarsChanged(transaction, [serviceId], clock.now())
  })
}

/** Sets the older strings of hours. */
export async function planHours(
  { database, clock }: Planning,
  serviceId: number,
  { suspensionHours = '0'.repeat(168), silentHours = '0'.repeat(24) },
): Promise<void> {
  await database.transaction(async (transaction) => {
    await transaction.execute(sql`update services set suspension_hours = ${suspensionHours}, silent_hours = ${silentHours}
      where id = ${serviceId}`)
    await calendarsChanged(transaction, [serviceId], clock.now())
  })
}
