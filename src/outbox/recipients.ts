import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { NoticeFacts } from '../domain/notice.ts'
import { withoutAbsent } from './absent-contacts.ts'

/** Who is told of an event: the addresses of the service's group, and the contacts that the service and its group name. */

/** A decided event with what its messages tell. */
export interface Addressable {
  readonly serviceId: number
  readonly eventId: string
  readonly facts: NoticeFacts
}

/**
 * Writes a message for each address of the groups whose channel and condition the service has chosen, unless the account leaves them to its
 * contacts. @returns how many
 */
export async function tellGroups(transaction: Executor, told: readonly Addressable[], now: number): Promise<number> {
  if (told.length === 0) return 0
  return transaction.execute(
    sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at)
    select services.id, told.event_id, target.id, services.owner_id, services.group_id, target.notification_channel_id,
      told.condition_id, target.address, target.destination, told.facts, ${new Date(now)}, ${new Date(now)}
    from unnest(${told.map(({ serviceId }) => serviceId)}::int[], ${told.map(({ eventId }) => eventId)}::text[],
      ${told.map(({ facts }) => facts.condition)}::text[],
      ${told.map(({ facts }) => JSON.stringify(facts))}::jsonb[]) as told (service_id, event_id, condition_id, facts)
    join services on services.id = told.service_id
    join accounts on accounts.id = services.owner_id
    join notification_addresses target on target.group_id = services.group_id
    where target.notification_channel_id = any(services.notification_channel_ids)
      and told.condition_id = any(services.notification_condition_ids)
      and target.confirmed_at is not null and target.is_enabled and not accounts.disable_legacy_notifications
    on conflict (service_id, event_id, address_id) do nothing`,
    'write-intents',
  )
}

interface NamedRow {
  readonly service_id: number
  readonly contact_ids: readonly number[]
}

/** By service, each contact once. Services that name none are left out. */
async function readNamed(transaction: Executor, serviceIds: readonly number[]): Promise<readonly NamedRow[]> {
  return transaction.query<NamedRow>(
    sql`
    select service_id, contact_ids from (
      select services.id as service_id, array(
        select distinct named.id from (
          select unnest(services.contact_ids || groups.contact_ids) as id
          union all
          select unnest(contact_groups.contact_ids) from contact_groups
            where contact_groups.id = any(services.contact_group_ids || groups.contact_group_ids)) as named) as contact_ids
      from services join groups on groups.id = services.group_id
      where services.id = any(${[...serviceIds]}::int[])) as naming
    where contact_ids <> '{}'`,
    'read-named-contacts',
  )
}

/**
 * Writes a message for each address of the contacts that are there, if the service has chosen the condition. Of the end of a failure those
 * are told, too, who were told of the failure and have gone since. A contact says by its addresses how it is told: the channels of the
 * service are for the addresses of groups. @returns how many
 */
export async function tellContacts(transaction: Executor, told: readonly Addressable[], now: number): Promise<number> {
  const named = await readNamed(transaction, [...new Set(told.map(({ serviceId }) => serviceId))])
  if (named.length === 0) return 0
  const present = await withoutAbsent(transaction, [...new Set(named.flatMap((row) => row.contact_ids))], now)
  const chosen = named.flatMap(({ service_id, contact_ids }) => contact_ids.map((id) => ({ service_id, id })))
  return transaction.execute(
    sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at, contact_id)
    select services.id, told.event_id, target.id, services.owner_id, services.group_id, target.notification_channel_id,
      told.condition_id, target.address, target.destination, told.facts, ${new Date(now)}, ${new Date(now)}, target.contact_id
    from unnest(${told.map(({ serviceId }) => serviceId)}::int[], ${told.map(({ eventId }) => eventId)}::text[],
      ${told.map(({ facts }) => facts.condition)}::text[], ${told.map(({ facts }) => Number(facts.change?.id ?? 0))}::bigint[],
      ${told.map(({ facts }) => JSON.stringify(facts))}::jsonb[]) as told (service_id, event_id, condition_id, change_id, facts)
    join unnest(${chosen.map(({ service_id }) => service_id)}::int[], ${chosen.map(({ id }) => id)}::int[],
      ${chosen.map(({ id }) => present.has(id))}::boolean[]) as chosen (service_id, contact_id, is_present)
      on chosen.service_id = told.service_id
    join services on services.id = told.service_id
    join notification_addresses target on target.contact_id = chosen.contact_id
    where told.condition_id = any(services.notification_condition_ids)
      and target.confirmed_at is not null and target.is_enabled
      and (chosen.is_present or told.condition_id = 'recovery' and exists (
        select from notification_intents earlier
        where earlier.service_id = told.service_id and earlier.address_id = target.id
          and (earlier.event_id = 'failure:' || told.change_id
            or starts_with(earlier.event_id, 'failure_continuation:' || told.change_id || ':'))))
    on conflict (service_id, event_id, address_id) do nothing`,
    'write-contact-intents',
  )
}
