import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import { escalationEventsOf } from '../domain/notification/escalation.ts'
import type { DecidedEvent } from './escalations.ts'

/** A recovery, with the key of its event. */
export interface DecidedRecovery extends DecidedEvent {
  readonly eventId: string
}

/** Tells the end of failures to every address that a step of their escalation told. Returns how many messages wait. */
export async function writeRecoveries(
  transaction: Executor,
  recoveries: readonly DecidedRecovery[],
  now: number,
): Promise<number> {
  if (recoveries.length === 0) return 0
  return transaction.execute(
    sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at, contact_id)
    select distinct on (earlier.service_id, target.id) earlier.service_id, told.event_id, target.id, earlier.account_id,
      earlier.group_id, target.notification_channel_id, 'recovery', target.address, target.destination, told.facts,
      ${new Date(now)}::timestamptz, ${new Date(now)}::timestamptz, earlier.contact_id
    from unnest(${recoveries.map(({ serviceId }) => serviceId)}::int[], ${recoveries.map(({ eventId }) => eventId)}::text[],
      ${recoveries.map(({ facts }) => escalationEventsOf(Number(facts.change?.id)))}::text[],
      ${recoveries.map(({ facts }) => JSON.stringify(facts))}::jsonb[]) as told (service_id, event_id, prefix, facts)
    join notification_intents earlier on earlier.service_id = told.service_id and starts_with(earlier.event_id, told.prefix)
    join notification_addresses target on target.id = earlier.address_id
    where target.confirmed_at is not null and target.is_enabled
    order by earlier.service_id, target.id
    on conflict (service_id, event_id, address_id) do nothing`,
    'write-escalated-recoveries',
  )
}
