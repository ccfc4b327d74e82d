import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'

/**
 * Sends the message of a notification again to the same address, under the key of its first time. Null: the log no
 * longer has it, or the address is off, unconfirmed or of another channel now.
 *
 * @param eventId new for every redelivery
 * @returns the id of the new notification in the log
 */
export async function writeRedelivery(
  transaction: Executor,
  notificationId: number,
  eventId: string,
  now: number,
): Promise<number | null> {
  const [written] = await transaction.query<{ id: number }>(sql`
    insert into notification_intents (service_id, event_id, repeats, address_id, account_id, group_id, contact_id,
      notification_channel_id, notification_condition_id, address, destination, facts, created_at, next_attempt_at)
    select first.service_id, ${eventId}, coalesce(first.repeats, first.event_id), target.id, first.account_id, first.group_id,
      first.contact_id, first.notification_channel_id, first.notification_condition_id, target.address, target.destination,
      first.facts, ${new Date(now)}, ${new Date(now)}
    from notification_intents first
    join notification_addresses target on target.id = first.address_id
      and target.notification_channel_id = first.notification_channel_id
    where first.id = ${notificationId} and target.is_enabled and target.confirmed_at is not null
    returning id`)
  if (written !== undefined) await transaction.execute(sql`select pg_notify('notifications', '')`)
  return written?.id ?? null
}
