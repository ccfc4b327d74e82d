import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { latenessTolerance, nextOnGrid, type RoundReason, spedUpIntervalSeconds } from '../domain/judging/schedule.ts'
import { calendarsChanged } from './pauses.ts'

/** Adjusts the moments in the database when somebody sets the wall clock. */

export interface ClockReading {
  /** Processes that share a machine's clock share this, too. */
  readonly machine: string
  /** The wall clock, Unix milliseconds. */
  readonly now: number
  /** The wall clock minus the machine's clock that never steps, milliseconds. */
  readonly offset: number
  /** Milliseconds; less is no step. */
  readonly tolerance: number
}

/**
 * Lets the plans follow the clock of a machine. Only one of several processes on it does so. Returns by how many
 * milliseconds the clock was set since the last look on this machine.
 */
export function followClock(database: Database, reading: ClockReading): Promise<number> {
  const { machine, now, offset, tolerance } = reading
  return database.transaction(async (transaction) => {
    const isNew = await transaction.execute(
      sql`insert into machine_clocks (machine, wall_offset) values (${machine}, ${offset}) on conflict do nothing`,
    )
    if (isNew > 0) await replanTooFar(transaction, now)
    const [known] = await transaction.query<{ wall_offset: number }>(
      sql`select wall_offset from machine_clocks where machine = ${machine} for update`,
    )
    const step = known === undefined ? 0 : Math.round(offset - known.wall_offset)
    if (Math.abs(step) <= tolerance) return 0
    await transaction.execute(sql`update machine_clocks set wall_offset = ${offset} where machine = ${machine}`)
    await shiftPlans(transaction, step, now)
    await shiftDelays(transaction, step, now)
    if (step < 0) await takeBack(transaction, step, now)
    // One that the new clock made, and that came due before this look, seemed to be of the old one.
    else await replanTooFar(transaction, now)
    return step
  })
}

const tick = sql`${latenessTolerance} * interval '1 ms'`

/**
 * Rounds that the change would have skipped or delayed come after the same pause as without it. None is lost, and
 * spread ones stay spread. Running rounds keep their lease. A plan made by the new clock before anybody noticed stays.
 */
async function shiftPlans(transaction: Executor, step: number, now: number): Promise<void> {
  const [before, after] = [new Date(now - step), new Date(now)]
  const isOld =
    step > 0
      ? sql`due_at >= ${before}::timestamptz - ${tick} and due_at < ${after}::timestamptz
          and (reason <> 'forced' or due_at < ${after}::timestamptz - ${tick})`
      : sql`due_at >= ${before}::timestamptz - ${tick} and due_at < 'infinity'`
  const shift = sql`${step} * interval '1 ms'`
  // In the order in which everybody locks plans.
  await transaction.execute(sql`select from schedule order by service_id for update`)
  await transaction.execute(sql`
    update schedule set leased_until = leased_until + ${shift},
      due_at = case when leased_until is null then due_at + ${shift} else due_at end
    where leased_until is not null or (${isOld})`)
}

interface Delays {
  readonly service_id: number
  readonly begun: number
  readonly last_notice_at: number | null
}

/**
 * Notices come after the same delays and pauses as without the change. Decisions made by the new clock before anybody
 * noticed stay. The moments are computed here, because on several machines none may come from a column
 * (docs/operations.md, Citus).
 */
async function shiftDelays(transaction: Executor, step: number, now: number): Promise<void> {
  const rows = await transaction.query<Delays>(sql`
    select service_id, coalesce(delays_from, state_since) as begun, last_notice_at from service_statuses
    where state in ('ok', 'failure')`)
  const shifted = (at: number) => (at > now - latenessTolerance && at <= now ? at : at + step)
  await transaction.execute(sql`
    update service_statuses set delays_from = to_timestamp(new.begun / 1000), last_notice_at = to_timestamp(new.noticed / 1000)
    from unnest(${rows.map((row) => row.service_id)}::int[], ${rows.map((row) => shifted(row.begun))}::float8[],
      ${rows.map((row) => (row.last_notice_at === null ? null : shifted(row.last_notice_at)))}::float8[])
      as new (service_id, begun, noticed)
    where service_statuses.service_id = new.service_id`)
}

/** Calendars speak anew, and nothing waits for a moment that has come already. */
async function takeBack(transaction: Executor, step: number, now: number): Promise<void> {
  const at = new Date(now)
  await replanTooFar(transaction, now)
  const spoken = await transaction.query<{ service_id: number }>(
    sql`select service_id from schedule where boundary_at < 'infinity' order by service_id`,
  )
  await calendarsChanged(
    transaction,
    spoken.map((row) => row.service_id),
    now,
  )
  await transaction.execute(sql`
    update forced_analyses set requested_at = requested_at + ${step} * interval '1 ms' where requested_at > ${at}`)
  await transaction.execute(sql`
    update notification_intents set next_attempt_at = ${at}, digest_at = least(digest_at, ${at}::timestamptz)
    where status = 'pending' and attempts = 0 and (next_attempt_at > ${at} or digest_at > ${at})`)
  await transaction.execute(sql`
    update messages set next_attempt_at = ${at} where status = 'pending' and attempts = 0 and next_attempt_at > ${at}`)
}

interface FarPlan {
  readonly id: number
  readonly interval: number
  readonly reason: RoundReason
}

/** Plans that a clock made which was ahead: farther away than any plan can be. */
async function replanTooFar(transaction: Executor, now: number): Promise<void> {
  const far = await transaction.query<FarPlan>(sql`
    select services.id, services.interval, reason from schedule join services on services.id = schedule.service_id
    where leased_until is null and due_at < 'infinity' and due_at > ${new Date(now)}::timestamptz + ${tick}
      + case reason when 'forced' then least(services.interval, ${spedUpIntervalSeconds}) else services.interval end
        * interval '1 second'
    order by services.id`)
  const dueAt = far.map(({ id, interval, reason }) => (reason === 'forced' ? now : nextOnGrid(id, interval, now)))
  await transaction.execute(sql`
    update schedule set due_at = to_timestamp(new.due_at / 1000),
      reason = case reason when 'forced' then reason else 'interval' end
    from unnest(${far.map(({ id }) => id)}::int[], ${dueAt}::float8[]) as new (service_id, due_at)
    where schedule.service_id = new.service_id`)
}
