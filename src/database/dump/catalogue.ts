import sql, { join, raw } from 'sql-template-tag'
import type { Executor } from '../connect.ts'
import { daysOf, dividedTables, ensureDays } from '../partitions.ts'
import { listeningSuffix } from '../session-name.ts'
import { placement } from '../shards.ts'

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** Bytes on disk, partitions included. */
  readonly bytes: number
}

/** The state of a sequence: the last number it gave; null if it gave none. */
export interface Sequence {
  readonly name: string
  readonly last: number | null
}

/**
 * Sequences outside a column: numbers that several tables share, and turns. Every other sequence belongs to its table.
 */
export const sharedSequences = ['login_ids', 'report_turns'] as const

/** Tables that triggers fill from the rows of other tables, also while a dump is loaded. A dump leaves them out. */
export const derivedTables: readonly string[] = ['status_change_counts']

/** Short-lived work of one installation, and the state of its processes: an export leaves it out. */
export const notExported: readonly string[] = [
  'migrations',
  'sessions',
  'api_key_tokens',
  'assistant_confirmations',
  'account_tokens',
  'oauth_codes',
  'address_codes',
  'machine_clocks',
  'forced_analyses',
  'diagnostics',
  'core',
  'processes',
  'process_messages',
  'login_failures',
  'stream_events',
  'stream_epochs',
]

/** The rows of a table that an export includes: account mails have links that work only in their own installation. */
export const exportedRows: Readonly<Record<string, string>> = { messages: "queue <> 'letter'" }

const ours: readonly string[] = [...Object.keys(placement.distributed), ...placement.local]

/**
 * The tables of a dump, referenced ones first. It leaves out derived tables, and unlogged ones, which a crash may lose
 * too.
 */
export async function readTables(executor: Executor): Promise<Table[]> {
  const tables = await executor.query<Table & { refers_to: string[] }>(sql`
    select c.relname::text as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      (select coalesce(sum(pg_table_size(t.relid)), 0) from pg_partition_tree(c.oid) t where t.isleaf)
        + case c.relkind when 'r' then pg_table_size(c.oid) else 0 end as bytes,
      array(select distinct f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers_to
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and c.relname = any(${ours.filter((name) => !derivedTables.includes(name))})
    order by c.relname`)
  const sorted: Table[] = []
  const waiting = new Map(tables.map((table) => [table.name, table]))
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(({ refers_to }) => !refers_to.some((name) => waiting.has(name)))
    if (free.length === 0) throw new Error(`these tables refer to each other in a circle: ${[...waiting.keys()]}`)
    for (const { name, columns, bytes } of free) {
      sorted.push({ name, columns, bytes })
      waiting.delete(name)
    }
  }
  return sorted
}

/** Other tables in the schema, which this program does not know. */
export async function foreignTables(executor: Executor): Promise<string[]> {
  const rows = await executor.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all(${[...ours]}) and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`)
  return rows.map((row) => row.name)
}

/** All tables of the schema; a name alone would also find the server's own. */
export async function tablesInSchema(executor: Executor): Promise<ReadonlySet<string>> {
  const rows = await executor.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`)
  return new Set(rows.map(({ name }) => name))
}

export function readSequences(executor: Executor): Promise<Sequence[]> {
  return executor.query<Sequence>(sql`
    select sequencename::text as name, last_value as last from pg_sequences
    where schemaname = current_schema() order by 1`)
}

/** Sets the sequences to continue after these numbers; one that gave none starts over. */
export async function setSequences(executor: Executor, sequences: readonly Sequence[]): Promise<void> {
  const given = sequences.filter(({ last }) => last !== null)
  if (given.length === 0) return
  const pairs = given.map(({ name, last }) => sql`(${name}::text, ${last}::bigint)`)
  await executor.execute(sql`
    select setval(to_regclass(name), last) from (values ${join(pairs)}) as given (name, last)
    where to_regclass(name) is not null`)
}

/** Drops our tables with their data. Fails if foreign objects depend on them. */
export async function dropTables(transaction: Executor): Promise<void> {
  await transaction.execute(raw(`drop table if exists ${ours.join(', ')}`))
  await transaction.execute(raw(`drop sequence if exists ${sharedSequences.join(', ')}`))
}

/** True if the program never started on the database, or its first start did not get far. */
export async function isUnused(executor: Executor): Promise<boolean> {
  const [row] = await executor.query<{ used: boolean }>(sql`select exists (select from distributions) as used`)
  return row?.used !== true
}

/** True if another program works on the database now. */
export async function isInUse(executor: Executor, applicationName: string): Promise<boolean> {
  const [row] = await executor.query<{ used: boolean }>(sql`
    select exists (select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name in (${applicationName}, ${applicationName + listeningSuffix})) as used`)
  return row?.used === true
}

export async function isThere(executor: Executor, table: string): Promise<boolean> {
  const [row] = await executor.query<{ found: boolean }>(sql`select to_regclass(${table}) is not null as found`)
  return row?.found === true
}

/** The days of the partitioned tables, as `2026-11-21`. */
export async function readDays(executor: Executor): Promise<Record<string, string[]>> {
  const days: Record<string, string[]> = {}
  for (const table of dividedTables) {
    if (!(await isThere(executor, table.name))) continue
    const starts = await daysOf(executor, table)
    days[table.name] = starts.map((day) => new Date(day).toISOString().slice(0, 10))
  }
  return days
}

/** Days of one statement. A file may name thousands, and nobody can stop a statement on its way. */
const daysAtOnce = 50

/** Makes the partitions of the days; tables that the schema does not have are skipped. */
export async function makeDays(
  executor: Executor,
  days: Readonly<Record<string, readonly string[]>>,
  signal: AbortSignal,
): Promise<void> {
  for (const table of dividedTables) {
    if (!(await isThere(executor, table.name))) continue
    const starts = (days[table.name] ?? []).map((day) => Date.parse(day))
    for (let at = 0; at < starts.length; at += daysAtOnce) {
      signal.throwIfAborted()
      await ensureDays(executor, table, starts.slice(at, at + daysAtOnce))
    }
  }
}
