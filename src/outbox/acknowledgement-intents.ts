import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { analysisIdText } from '../domain/judging/analysis-id.ts'

/** Channels that hear of acknowledgements. */
export interface AcknowledgedChannels {
  /** They keep an incident of the failure. */
  readonly incidents: readonly string[]
  /** They hear of it where a message about the failure can be answered. */
  readonly replies: readonly string[]
}

/** The first acknowledgement of a failure. */
export interface AcknowledgedFailure {
  readonly serviceId: number
  /** The status change that is the failure. */
  readonly changeId: number
  /** Unix milliseconds. */
  readonly at: number
  /** Null: the link of a message was used by somebody without a login. */
  readonly accountId: number | null
  /** The name of the contact or address whose link was used; null: the account acknowledges. */
  readonly name: string | null
  readonly comment: string | null
  readonly channels: AcknowledgedChannels
}

/** Tells the addresses that heard of the failure, through channels that understand acknowledgements. Once for each. */
export async function tellAcknowledgement(transaction: Executor, given: AcknowledgedFailure): Promise<void> {
  const { serviceId, changeId, at, accountId, name, comment, channels } = given
  const written = await transaction.execute(
    sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at, contact_id)
    select distinct on (target.id) earlier.service_id, ${`acknowledgement:${changeId}:${at}`}, target.id, earlier.account_id,
      earlier.group_id, target.notification_channel_id, 'acknowledgement', target.address, target.destination,
      jsonb_build_object('condition', 'acknowledgement', 'decidedAt', ${at}::bigint, 'change', earlier.facts->'change',
        'service', jsonb_build_object('id', earlier.service_id, 'name', earlier.facts->'service'->'name'),
        'by', coalesce(${name}, (select author.name from accounts author where author.id = ${accountId})), 'comment', ${comment}::text),
      ${new Date(at)}::timestamptz, ${new Date(at)}::timestamptz, earlier.contact_id
    from notification_intents earlier
    join notification_addresses target on target.id = earlier.address_id
    where earlier.service_id = ${serviceId} and earlier.facts->'change'->>'id' = ${analysisIdText(changeId)}
      and earlier.notification_condition_id in ('failure', 'failure_continuation', 'silent_failure')
      and earlier.status <> 'failed' and target.notification_channel_id = earlier.notification_channel_id
      and target.confirmed_at is not null and target.is_enabled
      and (target.notification_channel_id = any(${[...channels.incidents]}::text[])
        or target.notification_channel_id = any(${[...channels.replies]}::text[]) and earlier.reference is not null)
    order by target.id, earlier.id
    on conflict (service_id, event_id, address_id) do nothing`,
    'write-acknowledgements',
  )
  if (written > 0) await transaction.execute(sql`select pg_notify('notifications', '')`)
}
