/**
 * Packs closed days of the history, one row per service, and drops their partition. There are three steps, so that
 * neither a crash nor a reader nor a late result loses anything. First all services are packed, each verified by
 * reading it back. Then an hour passes, in which every earlier read ends. Then everything is compared once more, and
 * the partition is dropped if nothing came meanwhile.
 */

import sql, { raw } from 'sql-template-tag'
import type { Database, Executor } from '../../database/connect.ts'
import { isDatabaseAway } from '../../database/failures.ts'
import { lockKeys } from '../../database/locks.ts'
import {
  daysOf,
  ensureDays,
  type PartitionMode,
  packedDays,
  partitionOf,
  recentDays,
  settingsReachMachines,
} from '../../database/partitions.ts'
import { dayLength, hourLength } from '../../domain/calendars/durations.ts'
import { hasUnsent } from '../unsent.ts'
import { packBatch, type UnequalService, unequalServices } from './batch.ts'
import { batchesOf } from './batches.ts'
import { lockedNote, note, notedAt } from './notes.ts'

/** Milliseconds after the end of a day. */
export const packingDelay = dayLength
/** Milliseconds for which a packed day stays in both places. */
export const handover = hourLength

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

/**
 * A service that cannot be packed does not stop the others. Returns the first fault with the number of packed analyses.
 */
async function packAll(
  database: Database,
  start: number,
  signal: AbortSignal | undefined,
): Promise<{ count: number; fault: unknown }> {
  const pack = (batch: readonly UnequalService[]) =>
    database.transaction((transaction) => packBatch(transaction, start, batch))
  let [count, fault]: [number, unknown] = [0, null]
  for (const batch of batchesOf(await unequalServices(database, start))) {
    signal?.throwIfAborted()
    try {
      count += await pack(batch)
    } catch (error) {
      if (isDatabaseAway(error)) throw error
      for (const service of batch) {
        try {
          count += await pack([service])
        } catch (error) {
          fault ??= error
        }
      }
    }
  }
  return { count, fault }
}

/** True if the day at `start` is due for packing. */
export function isClosed(start: number, nowAt: number): boolean {
  return start + dayLength + packingDelay <= nowAt
}

/** True if `packClosedDays` has anything to do. */
export async function hasClosedDay(executor: Executor, nowAt: number): Promise<boolean> {
  return (await daysOf(executor, recentDays)).some((start) => isClosed(start, nowAt))
}

/**
 * Waits for the day's current writers, and blocks others until the transaction ends. False if the day is gone. Keep it
 * short, because a round's analyses are written together with those of others.
 */
async function lockDay(transaction: Executor, start: number): Promise<boolean> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.packing})`)
  await transaction.execute(settingsReachMachines)
  await transaction.execute(sql`set local lock_timeout = '2s'`)
  // Looked up in the catalogue, because a cached name may outlive its table.
  if (!(await daysOf(transaction, recentDays)).includes(start)) return false
  await transaction.execute(sql`lock table ${raw(partitionOf(recentDays, start))} in share mode`)
  return true
}

/**
 * False if something came since the day was recorded, which deletes the record, or is still to come, or if another
 * process was first.
 */
async function dropNoted(transaction: Executor, start: number, packedAt: number): Promise<boolean> {
  if (!(await lockDay(transaction, start)) || (await lockedNote(transaction, start)) !== packedAt) return false
  if (await hasUnsent(transaction, start)) return false
  await transaction.execute(sql`drop table ${raw(partitionOf(recentDays, start))}`)
  return true
}

/**
 * Packs the days that ended a day ago, and drops those that were packed an hour ago. A day waits for analyses that are
 * judged, but not known to be on their machine: a dropped day would not tell which ones it had already. Any number of
 * processes may call it at once. If a service cannot be packed, it rejects with the fault after packing all others;
 * that day stays.
 */
export async function packClosedDays(database: Database, { nowAt, mode, signal }: Packing): Promise<PackedCount> {
  let [packedAnalyses, droppedDays] = [0, 0]
  let firstFault: unknown = null
  for (const start of await daysOf(database, recentDays)) {
    if (!isClosed(start, nowAt) || (await hasUnsent(database, start))) continue
    const packedAt = await notedAt(database, start)
    // A clock that was set back must not keep the day for longer than that.
    if (packedAt !== undefined && Math.abs(nowAt - packedAt) < handover) continue
    await ensureDays(database, packedDays, [start], mode)
    // Later writers see the record; earlier writes are seen below.
    if (packedAt !== undefined) await database.transaction((transaction) => lockDay(transaction, start))
    const { count: fresh, fault } = await packAll(database, start, signal)
    packedAnalyses += fresh
    firstFault ??= fault
    if (fault !== null) continue
    if (packedAt === undefined || fresh > 0) await note(database, start, nowAt)
    else if (await database.transaction((transaction) => dropNoted(transaction, start, packedAt))) droppedDays++
  }
  if (firstFault !== null) throw firstFault
  return { packedAnalyses, droppedDays }
}
