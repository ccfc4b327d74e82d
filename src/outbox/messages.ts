import sql, { empty, type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { Queue } from '../database/enqueue.ts'
import { type ClaimRequest, type DeliveryRecord, leaseDuration } from './claims.ts'

/** The common fields of every message. */
export interface ClaimedMessage {
  readonly id: number
  readonly address: string
  readonly attempts: number
  readonly created_at: number
  /** End of the lease; with `attempts` it tells this claim from every other. */
  readonly next_attempt_at: number
  /** Set by an earlier claim that ended without an outcome. */
  readonly handed_over_at: number | null
}

/** Leaves out messages to subscribers of these destinations and of the pages of these accounts. */
function spares({ avoiding }: ClaimRequest): Sql {
  if (avoiding === undefined) return empty
  const { destinations, accountIds } = avoiding
  const ofHosts = destinations.length === 0 ? empty : sql` and destination <> all(${[...destinations]}::text[])`
  const ofAccounts =
    accountIds.length === 0
      ? empty
      : sql` and not exists (
          select from status_page_subscribers subscriber join status_pages page on page.id = subscriber.status_page_id
          where subscriber.id = message.subscriber_id and page.owner_id = any(${[...accountIds]}::int[]))`
  return sql`${ofHosts}${ofAccounts}`
}

/**
 * Parts of a `with` that claim due messages of a queue for the length of a lease; `claimed` has the columns of
 * `messages`. The return of a sensor or a gateway never overtakes its loss, and no message to a subscriber an earlier
 * one.
 */
export function claiming(queue: Queue, request: ClaimRequest): Sql {
  const { now, heldBy, limit } = request
  return sql`due as (
      select id from messages message
      where queue = ${queue} and status = 'pending' and next_attempt_at <= ${new Date(now)}${spares(request)}
        and not exists (
          select from messages earlier
          where earlier.sensor_id = message.sensor_id and earlier.address = message.address
            and earlier.status = 'pending' and earlier.id < message.id
        )
        and not exists (
          select from messages earlier
          where earlier.gateway_id = message.gateway_id and earlier.address = message.address
            and earlier.status = 'pending' and earlier.id < message.id
        )
        and not exists (
          select from messages earlier
          where earlier.subscriber_id = message.subscriber_id and earlier.status = 'pending' and earlier.id < message.id
        )
      order by next_attempt_at, id limit ${limit} for update skip locked
    ), claimed as (
      update messages as message
      set next_attempt_at = ${new Date(now + leaseDuration)}, held_by = ${heldBy},
          attempts = attempts + case when handed_over_at is null then 1 else 0 end
      from due where message.id = due.id
      returning message.*
    )`
}

function isClaim({ id, attempts, next_attempt_at }: ClaimedMessage): Sql {
  return sql`id = ${id} and status = 'pending' and attempts = ${attempts} and next_attempt_at = ${new Date(next_attempt_at)}`
}

/** The ends of a claim. Messages that are not sent again lose their token. */
export function endingOf(database: Executor, message: ClaimedMessage) {
  return {
    async markHandedOver(now: number): Promise<boolean> {
      const marked = await database.execute(sql`
        update messages set handed_over_at = ${new Date(now)} where ${isClaim(message)} and handed_over_at is null`)
      return marked === 1
    },
    async record({ status, subject, errorMessage, nextAttemptAt }: DeliveryRecord, now: number): Promise<boolean> {
      const isOver = status !== 'pending'
      const recorded = await database.execute(sql`
        update messages
        set status = ${status}, subject = coalesce(${subject}, subject), error_message = ${errorMessage},
            token = case when ${isOver} then null else token end,
            next_attempt_at = ${nextAttemptAt === null ? null : new Date(nextAttemptAt)}, held_by = null,
            handed_over_at = case when ${status === 'sent'} then handed_over_at end,
            finished_at = ${isOver ? new Date(now) : null}
        where ${isClaim(message)}`)
      return recorded === 1
    },
  }
}
