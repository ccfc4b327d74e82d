import sql, { type Sql } from 'sql-template-tag'
import type { Database } from './connect.ts'

/** Rows of one deletion: short enough that nobody waits for its locks. */
const batchRows = 5000
/** Of one run; the next goes on where this one ended. */
const maximumBatches = 10_000

async function deleteInBatches(database: Database, batch: Sql): Promise<number> {
  let total = 0
  for (let turn = 0; turn < maximumBatches; turn += 1) {
    const removed = await database.execute(batch)
    total += removed
    if (removed < batchRows) return total
  }
  return total
}

/** What happened to notices that are not waiting any more. Returns how many rows went. */
export function pruneIntents(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from notification_intents where ctid = any(array(
      select ctid from notification_intents
      where created_at < ${new Date(beforeAt)} and status <> 'pending' limit ${batchRows}))
      and status <> 'pending'`,
  )
}

/** Letters that are not waiting any more; their tokens went when they were sent. Returns how many rows went. */
export function pruneLetters(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from letters where id = any(array(
      select id from letters where created_at < ${new Date(beforeAt)} and status <> 'pending' limit ${batchRows}))`,
  )
}

/** Attempts to log in. Returns how many rows went. */
export function pruneAuthentications(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from authentications where ctid = any(array(
      select ctid from authentications where time < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
}

/** Diagnostics, whatever became of them. Returns how many rows went. */
export function pruneDiagnostics(database: Database, beforeAt: number): Promise<number> {
  return deleteInBatches(
    database,
    sql`delete from diagnostics where id = any(array(
      select id from diagnostics where created_at < ${new Date(beforeAt)} limit ${batchRows}))`,
  )
}
