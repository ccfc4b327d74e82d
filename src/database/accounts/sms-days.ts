import sql from 'sql-template-tag'
import { dayLength } from '../../domain/calendars/durations.ts'
import type { SmsLimitFacts } from '../../domain/notification/letter.ts'
import type { Database, Executor } from '../connect.ts'
import { enqueue } from '../enqueue.ts'
import { attemptsOf, countAttempt } from './counted-windows.ts'

export interface CountedIntent {
  readonly service_id: number
  readonly event_id: string
  readonly address_id: number
  readonly account_id: number
}

/** SMS a day (UTC). */
export interface SmsLimits {
  readonly perAccount: number
  /** All accounts together; undefined: no limit. */
  readonly inAll: number | undefined
}

/** The limit that an SMS meets. `isFirst`: it is the first of its day to meet that of all accounts. */
export type MetSmsLimit = { readonly of: 'account' } | { readonly of: 'all'; readonly isFirst: boolean }

/**
 * Counts a message among the SMS of its account's day (UTC) and of all accounts; null: it meets no limit. An account
 * that meets its own gets a mail about it once a day. Counts at most as many as the limits, however many processes call
 * it at once.
 */
export function countSms(
  database: Database,
  intent: CountedIntent,
  { perAccount: limit, inAll }: SmsLimits,
  now: number,
): Promise<MetSmsLimit | null> {
  const { account_id: accountId } = intent
  const day = new Date(now).toISOString().slice(0, 10)
  return database.transaction(async (transaction) => {
    const counted = await transaction.execute(sql`
      insert into sms_days as today (account_id, day, count) values (${accountId}, ${day}::date, 1)
      on conflict (account_id, day) do update set count = today.count + 1 where today.count < ${limit}`)
    if (counted === 0) {
      await tellOnce(transaction, accountId, day, limit, now)
      return { of: 'account' }
    }
    const place = inAll === undefined ? 0 : (await countOfAll(transaction, now)) - inAll
    if (place > 0) {
      await giveBack(transaction, accountId, day)
      return { of: 'all', isFirst: place === 1 }
    }
    await transaction.execute(sql`
      update notification_intents set sms_counted_at = ${new Date(now)}
      where service_id = ${intent.service_id} and event_id = ${intent.event_id} and address_id = ${intent.address_id}`)
    return null
  })
}

const allAccounts = 'sms of all accounts'

/** How many SMS all accounts have counted today, this one included. */
async function countOfAll(transaction: Executor, now: number): Promise<number> {
  const windowMs = dayLength - (now % dayLength)
  return (await countAttempt(transaction, allAccounts, { now, windowMs })).attempts
}

/** The SMS of all accounts on the day of `now` (UTC) under their common limit. */
export interface SmsOfAll {
  readonly limit: number
  /** At most the limit. */
  readonly sent: number
  /** Those beyond the limit. They fail, and do not count for their accounts. */
  readonly kept_back: number
}

export async function readSmsOfAll(database: Executor, limit: number, now: number): Promise<SmsOfAll> {
  const counted = await attemptsOf(database, allAccounts, now)
  const sent = Math.min(counted, limit)
  return { limit, sent, kept_back: counted - sent }
}

/** An SMS that is not sent for the sake of others costs its account nothing. */
async function giveBack(transaction: Executor, accountId: number, day: string): Promise<void> {
  await transaction.execute(sql`
    update sms_days set count = count - 1 where account_id = ${accountId} and day = ${day}::date`)
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
