import sql from 'sql-template-tag'
import { dayLength } from '../domain/calendars/durations.ts'
import type { Executor } from './connect.ts'
import type { Queue } from './enqueue.ts'
import { daysOf, recentDays } from './partitions.ts'
import { sensorSilenceSeconds } from './services/sensors.ts'

export interface WaitingRow {
  readonly kind: 'notification' | Queue
  readonly due: number
  readonly later: number
  /** Null if none is due. */
  readonly oldest_due_at: number | null
}

export interface SeenSensor {
  readonly id: number
  readonly name: string
  readonly is_available: boolean
  readonly last_seen_at: number | null
}

/** The waiting work in the database, and the sensors that report in. */
export interface Backlog {
  readonly roundsOverdue: number
  readonly waiting: readonly WaitingRow[]
  readonly reports: { readonly pending: number; readonly in_progress: number }
  readonly sensors: readonly SeenSensor[]
  /** Days of the history that should be packed by now and are not. */
  readonly daysUnpacked: number
}

/** Milliseconds after which an unclaimed round is overdue. */
const overdueAfter = 2000
/**
 * Milliseconds after its end by which a day is packed and dropped. Packing begins after one day and takes hours at
 * most, so late results do not matter.
 */
const packedAfter = 2 * dayLength

/**
 * Everything comes from indexes that hold only unfinished work. A message behind an earlier one to the same address is
 * not due.
 */
export async function readBacklog(executor: Executor, now: number): Promise<Backlog> {
  const at = new Date(now)
  const [schedule] = await executor.query<{ overdue: number }>(sql`
    select count(*) as overdue from schedule
    where due_at < ${new Date(now - overdueAfter)} and (leased_until is null or leased_until < ${at})`)
  const waiting = await executor.query<WaitingRow>(sql`
    select kind, count(*) filter (where is_due) as due, count(*) filter (where not is_due) as later,
      min(next_attempt_at) filter (where is_due) as oldest_due_at
    from (
      select 'notification' as kind, greatest(next_attempt_at, digest_at) as next_attempt_at,
        greatest(next_attempt_at, digest_at) <= ${at} and not exists (
          select from notification_intents earlier
          where earlier.service_id = intent.service_id and earlier.address_id = intent.address_id
            and earlier.status = 'pending' and earlier.id < intent.id) as is_due
      from notification_intents intent where status = 'pending'
      union all
      select queue, next_attempt_at, next_attempt_at <= ${at} from messages where status = 'pending') parcels
    group by kind`)
  const [reports] = await executor.query<Backlog['reports']>(sql`
    select count(*) filter (where status = 'pending') as pending, count(*) filter (where status = 'in_progress') as in_progress
    from reports where status in ('pending', 'in_progress')`)
  const sensors = await executor.query<SeenSensor>(sql`
    select id, name, coalesce(last_seen_at > ${new Date(now - sensorSilenceSeconds * 1000)}, false) as is_available, last_seen_at
    from sensors order by id`)
  return {
    roundsOverdue: schedule?.overdue ?? 0,
    waiting,
    reports: reports ?? { pending: 0, in_progress: 0 },
    sensors,
    daysUnpacked: (await daysOf(executor, recentDays)).filter((start) => start + dayLength + packedAfter <= now).length,
  }
}

export async function readDatabaseSize(executor: Executor): Promise<number> {
  const [row] = await executor.query<{ bytes: number }>(sql`select pg_database_size(current_database()) as bytes`)
  return row?.bytes ?? 0
}
