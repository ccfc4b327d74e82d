import sql, { raw } from 'sql-template-tag'
import { dayLength } from '../domain/calendars/durations.ts'
import { analysisIdAt } from '../domain/judging/analysis-id.ts'
import type { Executor } from './connect.ts'
import { lockKeys } from './locks.ts'

const partitionName = /_(\d{4})(\d\d)(\d\d)$/

/** Tables partitioned by UTC day, with their key at the start of a day (Unix milliseconds). */
export interface DividedTable {
  readonly name: string
  readonly keyAt: (day: number) => number
}

export const recentDays: DividedTable = { name: 'analyses_hot', keyAt: analysisIdAt }
export const packedDays: DividedTable = { name: 'packed_days', keyAt: (day) => day / dayLength }

export const dividedTables: readonly DividedTable[] = [recentDays, packedDays]

/** native: partitions of one PostgreSQL. citus: the same, distributed over the machines of a Citus cluster. */
export type PartitionMode = 'native' | 'citus'

function startOfDay(ms: number): number {
  return Math.floor(ms / dayLength) * dayLength
}

export function partitionOf({ name }: DividedTable, day: number): string {
  return `${name}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/**
 * Attaching takes a weaker lock than `create table … partition of`, which would stop the writers for a moment. Citus
 * needs the latter.
 */
function statementsFor(table: DividedTable, day: number, mode: PartitionMode): string {
  const name = partitionOf(table, day)
  const bounds = `for values from (${table.keyAt(day)}) to (${table.keyAt(day + dayLength)})`
  return mode === 'citus'
    ? `create table if not exists ${name} partition of ${table.name} ${bounds};`
    : `create table ${name} (like ${table.name} including all);
       alter table ${table.name} attach partition ${name} ${bounds};`
}

async function existingPartitions(executor: Executor, ...tables: readonly DividedTable[]): Promise<string[]> {
  const rows = await executor.query<{ name: string }>(
    sql`select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = any(${tables.map(({ name }) => name)}::text[]::regclass[])`,
    'existing-partitions',
  )
  return rows
    .map((row) => row.name)
    .filter((name) => partitionName.test(name))
    .sort()
}

/** All or nothing, by one process at a time; partitions that another process made meanwhile are left alone. */
function createAll(table: DividedTable, days: readonly number[], mode: PartitionMode): string {
  const parts = days.map(
    (day) => `if to_regclass('${partitionOf(table, day)}') is null then ${statementsFor(table, day, mode)} end if;`,
  )
  return `do $$ begin perform pg_advisory_xact_lock(${lockKeys.partitions}); ${parts.join('\n')} end $$`
}

/** Makes the missing days and returns their names. Any number of processes may call it at once. */
export async function ensureDays(
  executor: Executor,
  table: DividedTable,
  days: readonly number[],
  mode: PartitionMode = 'native',
): Promise<string[]> {
  const existing = await existingPartitions(executor, table)
  const missing = days.filter((day) => !existing.includes(partitionOf(table, day)))
  if (missing.length > 0) await executor.execute(raw(createAll(table, missing, mode)))
  return missing.map((day) => partitionOf(table, day))
}

/**
 * Makes the day partitions of recent analyses from yesterday (a clock may be set back, a result may be late) to
 * `daysAhead` days from now. Returns the names of the missing ones.
 */
export function ensurePartitions(
  executor: Executor,
  nowMs: number,
  daysAhead: number,
  mode: PartitionMode = 'native',
): Promise<string[]> {
  const first = startOfDay(nowMs) - dayLength
  const days = Array.from({ length: daysAhead + 2 }, (_, index) => first + index * dayLength)
  return ensureDays(executor, recentDays, days, mode)
}

function dayOf(name: string): number {
  const [, year, month, day] = partitionName.exec(name) ?? []
  return Date.parse(`${year}-${month}-${day}T00:00:00Z`)
}

/** Starts of the table's days (Unix milliseconds), the oldest first. */
export async function daysOf(executor: Executor, table: DividedTable): Promise<number[]> {
  return (await existingPartitions(executor, table)).map(dayOf)
}

/** Settings of the transaction hold on the machines of a cluster, too. One server takes it without knowing it. */
export const settingsReachMachines = raw(`set local citus.propagate_set_commands = 'local'`)

/**
 * Dropping waits for readers two seconds at most, also on each machine of a cluster, because everybody else would wait
 * behind it; then it fails with 55P03.
 */
export async function dropDay(executor: Executor, table: DividedTable, day: number): Promise<void> {
  const name = partitionOf(table, day)
  await executor.execute(
    raw(
      `do $$ begin ${settingsReachMachines.text}; set local lock_timeout = '2s'; drop table if exists ${name}; end $$`,
    ),
  )
}

/**
 * Drops the days that end at or before the moment, with the records of their packing, and returns their names. A day
 * that is read for too long is left to the next daily run.
 */
export async function dropPartitionsBefore(executor: Executor, ms: number): Promise<string[]> {
  const dropped: string[] = []
  for (const table of [recentDays, packedDays]) {
    for (const day of (await daysOf(executor, table)).filter((start) => start + dayLength <= ms)) {
      await dropDay(executor, table, day)
      dropped.push(partitionOf(table, day))
    }
  }
  await executor.execute(sql`delete from packed_day_notes where day < ${Math.floor(ms / dayLength)}::int`)
  return dropped
}

/** The UTC day, since 1970, of the oldest possible analyses; null without any partition. */
export async function oldestDay(executor: Executor): Promise<number | null> {
  const days = (await existingPartitions(executor, recentDays, packedDays)).map(dayOf)
  return days.length === 0 ? null : Math.min(...days) / dayLength
}

/** The moment since which analyses may exist, Unix milliseconds; Infinity if there are none. */
export async function keptAnalysesFrom(executor: Executor): Promise<number> {
  const day = await oldestDay(executor)
  return day === null ? Number.POSITIVE_INFINITY : day * dayLength
}
