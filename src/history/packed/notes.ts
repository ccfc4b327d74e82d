import sql, { empty, type Sql } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { dayLength } from '../../domain/calendars/durations.ts'
import { analysisDayOf } from '../../domain/judging/analysis-id.ts'

/** When all analyses of the day at `start` were packed; undefined if some came since, or they never were. */
export async function notedAt(executor: Executor, start: number, lock: Sql = empty): Promise<number | undefined> {
  const [note] = await executor.query<{ packed_at: number }>(sql`
    select packed_at from packed_day_notes where day = ${start / dayLength}::int ${lock}`)
  return note?.packed_at
}

/** The same; a transaction that is about to delete the record is waited for. */
export function lockedNote(transaction: Executor, start: number): Promise<number | undefined> {
  return notedAt(transaction, start, sql`for update`)
}

/** Records that all analyses of the day at `start` are packed. */
export function note(executor: Executor, start: number, nowAt: number): Promise<number> {
  return executor.execute(sql`
    insert into packed_day_notes (day, packed_at) values (${start / dayLength}::int, ${new Date(nowAt)})
    on conflict (day) do update set packed_at = excluded.packed_at`)
}

/** Deletes the records of the days to which a transaction has added these analyses. */
export function forgetNotes(transaction: Executor, analysisIds: readonly number[]): Promise<number> {
  const days = new Set(analysisIds.map(analysisDayOf))
  return transaction.execute(sql`delete from packed_day_notes where day = any(${[...days]}::int[])`, 'forget-notes')
}
