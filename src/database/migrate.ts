import sql, { raw } from 'sql-template-tag'
import type { Clock } from '../domain/clock.ts'
import type { Database, Executor } from './connect.ts'
import { isUndefinedTable } from './failures.ts'
import { lockKeys } from './locks.ts'
import { type Migration, migrations as released } from './migrations/list.ts'
import { ensureFold } from './text.ts'
import { DatabaseUnusable } from './unusable.ts'

async function appliedNumber(executor: Executor): Promise<number> {
  const [last] = await executor.query<{ number: number | null }>(sql`select max(number) as number from migrations`)
  return last?.number ?? 0
}

/** Until the end of the transaction only one process changes the schema; the others wait here and find it done. */
export async function lockSchema(transaction: Executor): Promise<void> {
  await transaction.execute(sql`select pg_advisory_xact_lock(${lockKeys.migrations})`)
}

async function prepare(transaction: Executor): Promise<void> {
  await lockSchema(transaction)
  await transaction.execute(sql`
    create table if not exists migrations (
      number integer primary key,
      name text not null,
      applied_at timestamptz not null
    )`)
  await ensureFold(transaction)
}

async function applyOnce(transaction: Executor, migration: Migration, clock: Clock): Promise<boolean> {
  await lockSchema(transaction)
  if ((await appliedNumber(transaction)) >= migration.number) return false
  await transaction.execute(raw(migration.text))
  await transaction.execute(sql`
    insert into migrations (number, name, applied_at)
    values (${migration.number}, ${migration.name}, ${new Date(clock.now())})`)
  return true
}

/**
 * Makes the schema of a version in the given transaction, on a database without one. Processes that start meanwhile
 * wait for its end.
 */
export async function makeSchema(transaction: Executor, clock: Clock, upTo: number = latestSchema): Promise<void> {
  await prepare(transaction)
  for (const migration of released.slice(0, upTo)) await applyOnce(transaction, migration, clock)
}

/** The number of the schema that this program needs. */
export const latestSchema = released.length

/** The number of the database's schema; null if it has none. */
export async function schemaNumber(executor: Executor): Promise<number | null> {
  const [known] = await executor.query<{ found: boolean }>(sql`select to_regclass('migrations') is not null as found`)
  return known?.found === true ? appliedNumber(executor) : null
}

/**
 * Brings the schema up to date, each migration in its own transaction; any number of processes may call it at once.
 * Returns the names of the migrations that this call applied. Throws `DatabaseUnusable` if the schema is newer than the
 * program.
 */
export async function migrate(
  database: Database,
  clock: Clock,
  migrations: readonly Migration[] = released,
): Promise<string[]> {
  await database.transaction(prepare)
  const [current, latest] = [await appliedNumber(database), migrations.at(-1)?.number ?? 0]
  if (current > latest) {
    throw new DatabaseUnusable(
      `The database was changed by a newer Latarnik (its schema is ${current}, this program knows ${latest}): start that version or a later one. To go back, restore the backup made before the upgrade, with the newer version and --force.`,
    )
  }
  const applied: string[] = []
  for (const migration of migrations) {
    if (migration.number <= current) continue
    if (await database.transaction((transaction) => applyOnce(transaction, migration, clock)))
      applied.push(migration.name)
  }
  return applied
}

/**
 * True if the schema exists and is as new as this program. It may not be after another restore, or in an older copy.
 */
export async function hasCurrentSchema(executor: Executor): Promise<boolean> {
  try {
    return (await appliedNumber(executor)) >= latestSchema
  } catch (error) {
    if (isUndefinedTable(error)) return false
    throw error
  }
}
