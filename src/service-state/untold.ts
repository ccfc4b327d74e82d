import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { enqueue } from '../database/enqueue.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { lastingReasons } from '../domain/judging/unknown-reason.ts'
import type { UncheckedFacts } from '../domain/notification/letter.ts'
import { lockPlans } from './statuses.ts'

/**
 * A user who is still editing mends the fault meanwhile, and many services made together share one mail. Milliseconds.
 */
const patience = 60_000
/** Services that one letter names. */
const mostNamed = 50
/** Services that one look takes. */
const mostTaken = 5000
/** Letters to one account in a day; what more there is waits for the next one. */
const mostDailyLetters = 5

interface UntoldRow {
  readonly id: number
  readonly name: string
  readonly owner_id: number
  readonly unknown_reason: string
}

/**
 * Writes one mail to each account about services that cannot be checked until somebody acts. Returns how many services.
 */
export async function tellUnchecked(database: Database, now: number): Promise<number> {
  const ids = (await untold(database, now)).map(({ id }) => id)
  if (ids.length === 0) return 0
  return database.transaction(async (transaction) => {
    await lockPlans(transaction, ids)
    const rows = await untold(transaction, now, ids)
    const readers = await readersOf(transaction, [...new Set(rows.map((row) => row.owner_id))], now)
    const told = rows.filter((row) => readers.has(row.owner_id))
    for (const [ownerId, address] of readers) {
      const services = told.filter((row) => row.owner_id === ownerId)
      const named = services
        .slice(0, mostNamed)
        .map((row) => ({ id: row.id, name: row.name, reason: row.unknown_reason }))
      const facts: UncheckedFacts = { services: named, count: services.length }
      await enqueue(transaction, [{ kind: 'services_unchecked', account_id: ownerId, address, facts }], now)
    }
    await transaction.execute(sql`
      update service_statuses set unknown_told_at = ${new Date(now)}
      where service_id = any(${told.map(({ id }) => id)}::int[])`)
    return told.length
  })
}

function untold(executor: Executor, now: number, among: readonly number[] | null = null): Promise<UntoldRow[]> {
  const which = among === null ? sql`true` : sql`services.id = any(${[...among]}::int[])`
  return executor.query<UntoldRow>(sql`
    select services.id, services.name, services.owner_id, status.unknown_reason
    from service_statuses status join services on services.id = status.service_id
    where status.unknown_reason is not null and status.unknown_told_at is null
      and status.unknown_reason = any(${[...lastingReasons]}) and status.unknown_since <= ${new Date(now - patience)}
      and status.monitoring_status = 'on' and ${which}
    order by services.id limit ${mostTaken}`)
}

/** The addresses of accounts that have one and were not written to too often. */
async function readersOf(
  transaction: Executor,
  accountIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, string>> {
  const rows = await transaction.query<{ id: number; email_address: string }>(sql`
    select id, email_address from user_data where id = any(${[...accountIds]}::int[]) and email_address <> ''
      and (select count(*) from messages where account_id = user_data.id and kind = 'services_unchecked'
        and created_at > ${new Date(now - dayLength)}) < ${mostDailyLetters}`)
  return new Map(rows.map((row) => [row.id, row.email_address]))
}
