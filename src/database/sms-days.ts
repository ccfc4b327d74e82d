import sql from 'sql-template-tag'
import type { SmsLimitFacts } from '../domain/letter.ts'
import type { Database, Executor } from './connect.ts'
import { enqueue } from './enqueue.ts'

export interface CountedIntent {
  readonly service_id: number
  readonly event_id: string
  readonly address_id: number
  readonly account_id: number
}

/**
 * Counts a message among the SMS of its account's day (UTC). False: the day's limit is reached, and the account gets a
 * mail about it once a day. Counts at most `limit` a day, however many processes call it at once.
 */
export function countSms(database: Database, intent: CountedIntent, limit: number, now: number): Promise<boolean> {
  const { account_id: accountId } = intent
  const day = new Date(now).toISOString().slice(0, 10)
  return database.transaction(async (transaction) => {
    const counted = await transaction.execute(sql`
      insert into sms_days as today (account_id, day, count) values (${accountId}, ${day}::date, 1)
      on conflict (account_id, day) do update set count = today.count + 1 where today.count < ${limit}`)
    if (counted === 0) {
      await tellOnce(transaction, accountId, day, limit, now)
      return false
    }
    await transaction.execute(sql`
      update notification_intents set sms_counted_at = ${new Date(now)}
      where service_id = ${intent.service_id} and event_id = ${intent.event_id} and address_id = ${intent.address_id}`)
    return true
  })
}

async function tellOnce(transaction: Executor, accountId: number, day: string, limit: number, now: number) {
  const isFirst = await transaction.execute(sql`
    update sms_days set told_at = ${new Date(now)}
    where account_id = ${accountId} and day = ${day}::date and told_at is null`)
  if (isFirst === 0) return
  const facts: SmsLimitFacts = { limit }
  const readers = await transaction.query<{ email_address: string }>(sql`
    select email_address from user_data where id = ${accountId} and email_address <> ''`)
  const told = readers.map(({ email_address: address }) => ({
    kind: 'sms_limit_reached' as const,
    ...{ account_id: accountId, address, facts },
  }))
  await enqueue(transaction, told, now)
}
