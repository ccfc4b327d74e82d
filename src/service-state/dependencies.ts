import sql from 'sql-template-tag'
import { reportsIn } from '../checks/index.ts'
import type { Executor } from '../database/connect.ts'
import { type Ancestor, dependencyLevels } from '../domain/judging/dependencies.ts'
import { nextOnGrid, spedUpIntervalSeconds } from '../domain/judging/schedule.ts'
import type { MonitoringStatus } from '../domain/judging/status.ts'
import type { State } from '../domain/judging/status-change.ts'
import { wakeSchedulers } from './wake-schedulers.ts'

/**
 * Services that depend on others. A round reads the ancestors of a service without their locks. It never waits for
 * their plans either: what is locked then is looked at again by the next round.
 */

interface AncestorRow {
  readonly id: number
  readonly type_id: string
  readonly parent_ids: readonly number[]
  readonly notification_mode_id: string
  readonly state: State | null
  readonly state_since: number | null
  readonly monitoring_status: MonitoringStatus
  readonly unknown_reason: string | null
  readonly valid_until: number | null
  readonly last_due_at: number | null
}

function readLevel(executor: Executor, ids: readonly number[]): Promise<AncestorRow[]> {
  return executor.query<AncestorRow>(
    sql`
    select services.id, type_id, parent_ids, notification_mode_id, state, state_since, monitoring_status, unknown_reason,
      valid_until, last_due_at
    from services join service_statuses status on status.service_id = services.id
    where services.id = any(${[...ids]}::int[])`,
    'read-ancestors',
  )
}

/** A service with the ids of its parents. */
export interface Child {
  readonly service_id: number
  readonly parent_ids: readonly number[]
}

/** The ancestors of each service, by its id. One query for each level, and none for services without parents. */
export async function readAncestors(
  executor: Executor,
  children: readonly Child[],
  now: number,
): Promise<ReadonlyMap<number, readonly Ancestor[]>> {
  const known = new Map<number, AncestorRow>()
  let wanted = [...new Set(children.flatMap((child) => child.parent_ids))]
  for (let level = 1; level <= dependencyLevels && wanted.length > 0; level++) {
    const rows = await readLevel(executor, wanted)
    for (const row of rows) known.set(row.id, row)
    wanted = [...new Set(rows.flatMap((row) => row.parent_ids))].filter((id) => !known.has(id))
  }
  return new Map(children.map((child) => [child.service_id, ancestorsOf(child, known, now)]))
}

function ancestorsOf({ parent_ids }: Child, known: ReadonlyMap<number, AncestorRow>, now: number): Ancestor[] {
  const found = new Map<number, Ancestor>()
  let ids = parent_ids
  for (let level = 1; level <= dependencyLevels && ids.length > 0; level++) {
    const rows = ids.flatMap((id) => (found.has(id) ? [] : (known.get(id) ?? [])))
    for (const row of rows) found.set(row.id, ancestorOf(row, level, now))
    ids = rows.flatMap((row) => row.parent_ids)
  }
  return [...found.values()]
}

function ancestorOf(row: AncestorRow, level: number, now: number): Ancestor {
  return {
    serviceId: row.id,
    level,
    state: row.state,
    sinceAt: row.state_since,
    isMonitored: row.monitoring_status === 'on',
    isKnown: row.unknown_reason === null && row.valid_until !== null && row.valid_until > now,
    // Nobody can ask a heartbeat: its next verdict comes when it comes.
    isUntried: row.unknown_reason !== null || reportsIn(row.type_id),
    isNotified: row.notification_mode_id !== 'off',
    lastDueAt: row.last_due_at,
  }
}

/** Asks for analyses of ancestors at once. One that is being analysed, or that somebody else is changing, is left. */
export async function askAncestors(transaction: Executor, ids: readonly number[], now: number): Promise<void> {
  if (ids.length === 0) return
  const asked = await transaction.execute(
    sql`
    update schedule set due_at = ${new Date(now)}, reason = 'forced' where service_id in (
      select service_id from schedule
      where service_id = any(${[...new Set(ids)]}::int[]) and leased_until is null and due_at > ${new Date(now)}
        and due_at < 'infinity'
      order by service_id for update skip locked)`,
    'ask-ancestors',
  )
  if (asked > 0) await wakeSchedulers(transaction)
}

/**
 * The services have not failed any more, or are not monitored: those whose notifications they held are analysed within
 * a minute, each on its own grid.
 */
export async function wakeHeld(transaction: Executor, holderIds: readonly number[], now: number): Promise<void> {
  if (holderIds.length === 0) return
  const held = await transaction.query<HeldRow>(
    sql`select service_id from service_statuses where held_by_service_id = any(${[...holderIds]}::int[])`,
    'read-held',
  )
  await wake(transaction, held, now)
}

/** The same for a service that depends on others than before. */
export async function wakeIfHeld(transaction: Executor, serviceId: number, now: number): Promise<void> {
  const held = await transaction.query<HeldRow>(
    sql`select service_id from service_statuses where service_id = ${serviceId} and held_by_service_id is not null`,
  )
  await wake(transaction, held, now)
}

interface HeldRow {
  readonly service_id: number
}

async function wake(transaction: Executor, held: readonly HeldRow[], now: number): Promise<void> {
  if (held.length === 0) return
  const ids = held.map((row) => row.service_id)
  const dueAt = ids.map((id) => nextOnGrid(id, spedUpIntervalSeconds, now))
  const woken = await transaction.execute(
    sql`
    update schedule set due_at = to_timestamp(first.due_at / 1000), reason = 'forced'
    from unnest(${ids}::int[], ${dueAt}::float8[]) as first (service_id, due_at)
    where schedule.service_id = first.service_id and schedule.due_at > to_timestamp(first.due_at / 1000)
      and schedule.due_at < 'infinity' and schedule.service_id in (
        select service_id from schedule where service_id = any(${ids}::int[]) and leased_until is null
        order by service_id for update skip locked)`,
    'wake-held',
  )
  if (woken > 0) await wakeSchedulers(transaction)
}
