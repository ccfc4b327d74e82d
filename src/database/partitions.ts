import sql, { raw } from 'sql-template-tag'
import { analysisIdAt } from './analysis-id.ts'
import type { Executor } from './connect.ts'
import { lockKeys } from './locks.ts'

const dayMilliseconds = 86_400_000
const parent = 'analyses_hot'
const partitionName = /^analyses_hot_(\d{4})(\d\d)(\d\d)$/

/** native: partitions of one PostgreSQL. citus: the same, spread over the machines of a Citus cluster. */
export type PartitionMode = 'native' | 'citus'

function startOfDay(ms: number): number {
  return Math.floor(ms / dayMilliseconds) * dayMilliseconds
}

function nameOf(day: number): string {
  return `${parent}_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/**
 * Attaching takes a weaker lock than `create table … partition of`, which would stop the writers for a moment.
 * Citus wants the latter.
 */
function statementsFor(day: number, mode: PartitionMode): string {
  const name = nameOf(day)
  const bounds = `for values from (${analysisIdAt(day)}) to (${analysisIdAt(day + dayMilliseconds)})`
  return mode === 'citus'
    ? `create table if not exists ${name} partition of ${parent} ${bounds};`
    : `create table ${name} (like ${parent} including all);
       alter table ${parent} attach partition ${name} ${bounds};`
}

async function existingPartitions(executor: Executor): Promise<string[]> {
  const rows = await executor.query<{ name: string }>(
    sql`select c.relname::text as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${parent}::regclass`,
    'existing-partitions',
  )
  return rows
    .map((row) => row.name)
    .filter((name) => partitionName.test(name))
    .sort()
}

/** All or nothing, and one process at a time; what another made meanwhile is left alone. */
function createAll(days: readonly number[], mode: PartitionMode): string {
  const parts = days.map((day) => `if to_regclass('${nameOf(day)}') is null then ${statementsFor(day, mode)} end if;`)
  return `do $$ begin perform pg_advisory_xact_lock(${lockKeys.partitions}); ${parts.join('\n')} end $$`
}

/**
 * Makes the day partitions from yesterday (a clock may be set back, a result may be late) to `daysAhead` days from now.
 * Returns the names of those that were missing. Any number of processes may do it at once.
 */
export async function ensurePartitions(
  executor: Executor,
  nowMs: number,
  daysAhead: number,
  mode: PartitionMode = 'native',
): Promise<string[]> {
  const first = startOfDay(nowMs) - dayMilliseconds
  const days = Array.from({ length: daysAhead + 2 }, (_, index) => first + index * dayMilliseconds)
  const existing = await existingPartitions(executor)
  const missing = days.filter((day) => !existing.includes(nameOf(day)))
  if (missing.length > 0) await executor.execute(raw(createAll(missing, mode)))
  return missing.map(nameOf)
}

function endOf(name: string): number {
  const [, year, month, day] = partitionName.exec(name) ?? []
  return Date.parse(`${year}-${month}-${day}T00:00:00Z`) + dayMilliseconds
}

/**
 * Drops the days that end at or before the moment and returns their names. Dropping waits for no reader longer than two
 * seconds, because everybody else would wait behind it: it fails with 55P03 then, and the next daily run tries again.
 */
export async function dropPartitionsBefore(executor: Executor, ms: number): Promise<string[]> {
  const old = (await existingPartitions(executor)).filter((name) => endOf(name) <= ms)
  for (const name of old) {
    await executor.execute(
      raw(`do $$ begin perform set_config('lock_timeout', '2s', true); drop table if exists ${name}; end $$`),
    )
  }
  return old
}

/** The UTC day, since 1970, of the oldest analyses that can be there; null without any partition. */
export async function oldestDay(executor: Executor): Promise<number | null> {
  const [oldest] = await existingPartitions(executor)
  return oldest === undefined ? null : endOf(oldest) / dayMilliseconds - 1
}

/** The moment since which analyses can be there, Unix milliseconds; Infinity where there are none. */
export async function keptAnalysesFrom(executor: Executor): Promise<number> {
  const day = await oldestDay(executor)
  return day === null ? Number.POSITIVE_INFINITY : day * dayMilliseconds
}

export interface HistoryRange {
  readonly daysAhead: number
  /** Whole days of history that stay. */
  readonly daysKept: number
  readonly mode?: PartitionMode
}

/** For a job that runs at least daily. */
export async function movePartitions(executor: Executor, nowMs: number, range: HistoryRange) {
  const created = await ensurePartitions(executor, nowMs, range.daysAhead, range.mode)
  const dropped = await dropPartitionsBefore(executor, startOfDay(nowMs) - range.daysKept * dayMilliseconds)
  return { created, dropped }
}
