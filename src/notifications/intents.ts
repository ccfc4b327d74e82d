import sql, { raw, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { countSent } from '../database/usage.ts'
import type { NoticeFacts, TestFacts } from '../domain/notice.ts'
import type { Result } from './parcel.ts'

/** Milliseconds; longer than any channel's delivery can take, so that a living notifier never loses its claim. */
export const leaseDuration = 120_000

export interface ClaimedIntent {
  readonly service_id: number
  readonly event_id: string
  readonly address_id: number
  readonly notification_channel_id: string
  readonly notification_condition_id: string
  readonly address: string
  readonly facts: NoticeFacts | TestFacts
  readonly attempts: number
  readonly created_at: number
  /** End of the lease; with `attempts` it tells this claim from every other. */
  readonly next_attempt_at: number
  /** Set by an earlier claim that ended without an outcome. */
  readonly handed_over_at: number | null
  /** Null when the account is gone. */
  readonly language_id: string | null
  readonly time_zone_id: string | null
}

/** The notification channels that one courier takes care of. */
export type ChannelFilter = { readonly oneOf: readonly string[] } | { readonly noneOf: readonly string[] }

function accepts(filter: ChannelFilter): Sql {
  if ('oneOf' in filter) return sql`notification_channel_id = any(${[...filter.oneOf]})`
  return sql`notification_channel_id <> all(${[...filter.noneOf]})`
}

/**
 * Takes due intents for the length of a lease. A notice waits until the earlier ones of its service and address are
 * done: a recovery never overtakes its failure.
 */
export function claimIntents(database: Executor, filter: ChannelFilter, now: number, limit: number) {
  return database.query<ClaimedIntent>(sql`
    with due as (
      select service_id, event_id, address_id
      from notification_intents as intent
      where status = 'pending' and next_attempt_at <= ${new Date(now)} and ${accepts(filter)}
        and not exists (
          select from notification_intents as earlier
          where earlier.service_id = intent.service_id and earlier.address_id = intent.address_id
            and earlier.status = 'pending' and earlier.id < intent.id
        )
      order by next_attempt_at, id
      limit ${limit}
      for update skip locked
    )
    update notification_intents as intent
    set next_attempt_at = ${new Date(now + leaseDuration)},
        attempts = attempts + case when handed_over_at is null then 1 else 0 end
    from due
    where (intent.service_id, intent.event_id, intent.address_id) = (due.service_id, due.event_id, due.address_id)
    returning intent.service_id, intent.event_id, intent.address_id, notification_channel_id,
      notification_condition_id, address, facts, attempts, created_at, next_attempt_at, handed_over_at,
      (select language_id from accounts where accounts.id = intent.account_id) as language_id,
      (select time_zone_id from accounts where accounts.id = intent.account_id) as time_zone_id`)
}

function isClaim(intent: ClaimedIntent): Sql {
  return sql`service_id = ${intent.service_id} and event_id = ${intent.event_id} and address_id = ${intent.address_id}
    and status = 'pending' and attempts = ${intent.attempts}
    and next_attempt_at = ${new Date(intent.next_attempt_at)}`
}

/** Puts on record that the next step cannot be taken back. False when the intent is somebody else's by now. */
export async function markHandedOver(database: Executor, intent: ClaimedIntent, now: number): Promise<boolean> {
  const marked = await database.execute(sql`
    update notification_intents set handed_over_at = ${new Date(now)}
    where ${isClaim(intent)} and handed_over_at is null`)
  return marked === 1
}

/** Ends the claim and counts what was sent. False when it had ended before. */
export async function recordResult(database: Executor, intent: ClaimedIntent, result: Result, now: number) {
  const { status, subject, errorMessage, nextAttemptAt } = result
  const ended = await database.query(sql`
    with ended as (
      update notification_intents
      set status = ${status}, subject = coalesce(${subject}, subject), error_message = ${errorMessage},
        next_attempt_at = ${nextAttemptAt === null ? null : new Date(nextAttemptAt)},
        handed_over_at = case when ${status === 'sent'} then handed_over_at end,
        finished_at = ${status === 'pending' ? null : new Date(now)}
      where ${isClaim(intent)}
      returning *
    ), counted as (${countSent(raw('ended'), now)})
    select from ended`)
  return ended.length === 1
}
