import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { hourLength } from '../domain/calendars/durations.ts'

/** Adds skipped rounds to the count of their hour. Call it last in a transaction, as it holds the row of the hour. */
export async function noteMissedRounds(transaction: Executor, rounds: number, now: number): Promise<void> {
  if (rounds === 0) return
  const hour = new Date(Math.floor(now / hourLength) * hourLength)
  await transaction.execute(sql`
    insert into missed_rounds (hour, rounds) values (${hour}, ${rounds})
    on conflict (hour) do update set rounds = missed_rounds.rounds + excluded.rounds`)
}

/** The rounds that were skipped since the hour of `fromAt` began. */
export async function countMissedRounds(executor: Executor, fromAt: number): Promise<number> {
  const hour = new Date(Math.floor(fromAt / hourLength) * hourLength)
  const [row] = await executor.query<{ rounds: number }>(
    sql`select coalesce(sum(rounds), 0)::bigint as rounds from missed_rounds where hour >= ${hour}`,
  )
  return row?.rounds ?? 0
}

export async function pruneMissedRounds(executor: Executor, beforeAt: number): Promise<void> {
  await executor.execute(sql`delete from missed_rounds where hour < ${new Date(beforeAt)}`)
}
