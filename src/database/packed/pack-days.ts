/**
 * Closed days of the history become packed rows, one for each service, and their partition is dropped. In three steps, so that neither a
 * crash nor a reader nor a late result loses anything: all is packed, service after service, each proven by reading it back; an hour
 * passes, in which every read that knew nothing of it ends; then the partition goes, if by then it holds nothing that is not packed.
 */
import sql, { raw } from 'sql-template-tag'
import type { Database, Executor } from '../connect.ts'
import { lockKeys } from '../locks.ts'
import { daysOf, ensureDays, type PartitionMode, packedDays, partitionOf, recentDays } from '../partitions.ts'
import { dayLength, packBatch, packedOf, unequalServices, within } from './batch.ts'

/** Milliseconds after the end of a day. */
export const packingDelay = dayLength
/** Milliseconds that a packed day stays in both places. */
export const handover = 3_600_000
/** Of one transaction. */
const batchServices = 10

export interface Packing {
  readonly nowAt: number
  readonly mode?: PartitionMode
  /** No further batch is begun once it is aborted. */
  readonly signal?: AbortSignal
}

export interface PackedCount {
  readonly packedAnalyses: number
  readonly droppedDays: number
}

async function packAll(database: Database, start: number, signal: AbortSignal | undefined): Promise<number> {
  const serviceIds = await unequalServices(database, start)
  let count = 0
  for (let from = 0; from < serviceIds.length; from += batchServices) {
    signal?.throwIfAborted()
    const batch = serviceIds.slice(from, from + batchServices)
    count += await database.transaction((transaction) => packBatch(transaction, start, batch))
  }
  return count
}

function isClosed(start: number, nowAt: number): boolean {
  return start + dayLength + packingDelay <= nowAt
}

/** Whether there is anything for `packClosedDays` to look at. */
export async function hasClosedDay(executor: Executor, nowAt: number): Promise<boolean> {
  return (await daysOf(executor, recentDays)).some((start) => isClosed(start, nowAt))
}

async function notedAt(executor: Executor, start: number): Promise<number | undefined> {
  const [note] = await executor.query<{ packed_at: number }>(sql`
    select packed_at from packed_day_notes where day = ${start / dayLength}::int`)
  return note?.packed_at
}

function note(executor: Executor, start: number, nowAt: number): Promise<number> {
  return executor.execute(sql`
    insert into packed_day_notes (day, packed_at) values (${start / dayLength}::int, ${new Date(nowAt)})
    on conflict (day) do update set packed_at = excluded.packed_at`)
}

/** False when something came that is not packed: nothing can come while it is looked at. Also false where another process was first. */
async function dropWhole(transaction: Executor, start: number): Promise<boolean> {
  const name = partitionOf(recentDays, start)
  await transaction.execute(sql`set local lock_timeout = '2s'`)
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.packing})`)
  const [found] = await transaction.query<{ is_there: boolean }>(
    sql`select to_regclass(${name}) is not null as is_there`,
  )
  if (found?.is_there !== true) return false
  await transaction.execute(sql`lock table ${raw(name)} in share mode`)
  for (const serviceId of await unequalServices(transaction, start)) {
    const packed = await packedOf(transaction, start, [serviceId])
    const known = new Set((packed.get(serviceId) ?? []).map(({ analysisId }) => analysisId))
    const rows = await transaction.query<{ analysis_id: number }>(sql`
      select analysis_id from analyses_hot where service_id = ${serviceId} and ${within(start)}`)
    if (rows.some(({ analysis_id }) => !known.has(analysis_id))) return false
  }
  await transaction.execute(sql`drop table ${raw(name)}`)
  return true
}

/** Packs the days that ended a day ago, and drops those that were packed an hour ago. Any number of processes may do it at once. */
export async function packClosedDays(database: Database, { nowAt, mode, signal }: Packing): Promise<PackedCount> {
  let [packedAnalyses, droppedDays] = [0, 0]
  for (const start of await daysOf(database, recentDays)) {
    if (!isClosed(start, nowAt)) continue
    const packedAt = await notedAt(database, start)
    // A clock that was set back must not keep the day for longer than it was set back.
    if (packedAt !== undefined && Math.abs(nowAt - packedAt) < handover) continue
    await ensureDays(database, packedDays, [start], mode)
    const fresh = await packAll(database, start, signal)
    packedAnalyses += fresh
    if (packedAt === undefined || fresh > 0) await note(database, start, nowAt)
    else if (await database.transaction((transaction) => dropWhole(transaction, start))) droppedDays++
  }
  return { packedAnalyses, droppedDays }
}
