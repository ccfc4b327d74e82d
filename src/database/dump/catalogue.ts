import sql, { join, raw } from 'sql-template-tag'
import type { Executor } from '../connect.ts'
import { daysOf, dividedTables, ensureDays } from '../partitions.ts'
import { placement } from '../shards.ts'

export interface Table {
  readonly name: string
  readonly columns: readonly string[]
  /** On disk, with its partitions. */
  readonly bytes: number
}

/** Where a sequence stands: the last number it gave; null when it gave none. */
export interface Sequence {
  readonly name: string
  readonly last: number | null
}

/** Numbers of no column of their own: what several tables share, and turns. Every other sequence goes with its table. */
export const sharedSequences = ['login_ids', 'report_turns'] as const

/** Work of one installation that lasts minutes, and what holds for its processes alone: an export leaves it behind. */
export const notExported: readonly string[] = [
  'migrations',
  'sessions',
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

/** Rows of a table that an export takes: account mails carry links that work in their own installation alone. */
export const exportedRows: Readonly<Record<string, string>> = { messages: "queue <> 'letter'" }

const ours: readonly string[] = [...Object.keys(placement.distributed), ...placement.reference, ...placement.local]

/** Our tables as they are, those that others refer to first. What a crash may lose, a dump does too: unlogged tables. */
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
      and c.relpersistence = 'p' and c.relname = any(${[...ours]})
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

/** What else lies in the schema: a table that this program does not know. */
export async function foreignTables(executor: Executor): Promise<string[]> {
  const rows = await executor.query<{ name: string }>(sql`
    select c.relname::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> all(${[...ours]}) and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1`)
  return rows.map((row) => row.name)
}

/** All tables of the schema; never those of the server itself, which a name alone would find too. */
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

/** Later numbers follow; one that never gave any starts anew. */
export async function setSequences(executor: Executor, sequences: readonly Sequence[]): Promise<void> {
  const given = sequences.filter(({ last }) => last !== null)
  if (given.length === 0) return
  const pairs = given.map(({ name, last }) => sql`(${name}::text, ${last}::bigint)`)
  await executor.execute(sql`
    select setval(to_regclass(name), last) from (values ${join(pairs)}) as given (name, last)
    where to_regclass(name) is not null`)
}

/** Removes our tables with all that is in them. Fails when something of somebody else's stands on them. */
export async function dropTables(transaction: Executor): Promise<void> {
  await transaction.execute(raw(`drop table if exists ${ours.join(', ')}`))
  await transaction.execute(raw(`drop sequence if exists ${sharedSequences.join(', ')}`))
}

/** True when nobody has ever started the program on the database, or its first start did not come far. */
export async function isUnused(executor: Executor): Promise<boolean> {
  const [row] = await executor.query<{ used: boolean }>(sql`select exists (select from distributions) as used`)
  return row?.used !== true
}

/** Whether a program works on the database now, besides the caller. */
export async function isInUse(executor: Executor, applicationName: string): Promise<boolean> {
  const [row] = await executor.query<{ used: boolean }>(sql`
    select exists (select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = ${applicationName}) as used`)
  return row?.used === true
}

export async function isThere(executor: Executor, table: string): Promise<boolean> {
  const [row] = await executor.query<{ found: boolean }>(sql`select to_regclass(${table}) is not null as found`)
  return row?.found === true
}

/** The days of the tables that are divided by them, as `2026-11-21`. */
export async function readDays(executor: Executor): Promise<Record<string, string[]>> {
  const days: Record<string, string[]> = {}
  for (const table of dividedTables) {
    if (!(await isThere(executor, table.name))) continue
    const starts = await daysOf(executor, table)
    days[table.name] = starts.map((day) => new Date(day).toISOString().slice(0, 10))
  }
  return days
}

/** Makes room for the days; tables that the schema does not have are left out. */
export async function makeDays(executor: Executor, days: Readonly<Record<string, readonly string[]>>): Promise<void> {
  for (const table of dividedTables) {
    if (!(await isThere(executor, table.name))) continue
    await ensureDays(
      executor,
      table,
      (days[table.name] ?? []).map((day) => Date.parse(day)),
    )
  }
}
