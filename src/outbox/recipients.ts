import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { NoticeFacts } from '../domain/notification/notice.ts'
import { withoutAbsent } from './absent-contacts.ts'

/**
 * The recipients of an event: the addresses of the service's group, as far as their tags let it through, and the
 * contacts of the service, its group and its tags.
 */

/** A decided event with what its messages tell. */
export interface Addressable {
  readonly serviceId: number
  readonly eventId: string
  readonly facts: NoticeFacts
}

/**
 * Writes a message for each address of the groups whose channel and condition the service has chosen, unless the
 * account leaves them to its contacts. @returns how many
 */
export async function tellGroups(transaction: Executor, told: readonly Addressable[], now: number): Promise<number> {
  if (told.length === 0) return 0
  const heard = await readWhoHeard(transaction, told)
  return transaction.execute(
    sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at)
    select services.id, told.event_id, target.id, services.owner_id, services.group_id, target.notification_channel_id,
      told.condition_id, target.address, target.destination, told.facts, ${new Date(now)}, ${new Date(now)}
    from unnest(${told.map(({ serviceId }) => serviceId)}::int[], ${told.map(({ eventId }) => eventId)}::text[],
      ${told.map(({ facts }) => facts.condition)}::text[],
      ${told.map(({ facts }) => JSON.stringify(facts))}::jsonb[]) with ordinality
      as told (service_id, event_id, condition_id, facts, place)
    join services on services.id = told.service_id
    join accounts on accounts.id = services.owner_id
    join notification_addresses target on target.group_id = services.group_id
    where target.notification_channel_id = any(services.notification_channel_ids)
      and told.condition_id = any(services.notification_condition_ids)
      and target.confirmed_at is not null and target.is_enabled and not accounts.disable_legacy_notifications
      and (target.tag_ids is null or target.tag_ids && services.tag_ids or ${isEndOfHeard(heard)})
    order by told.place, target.id
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
          select unnest(tags.contact_ids) from tags where tags.id = any(services.tag_ids)
          union all
          select unnest(contact_groups.contact_ids) from contact_groups
            where contact_groups.id = any(services.contact_group_ids || groups.contact_group_ids)
              or contact_groups.id in (
                select unnest(tags.contact_group_ids) from tags where tags.id = any(services.tag_ids))) as named) as contact_ids
      from services join groups on groups.id = services.group_id
      where services.id = any(${[...serviceIds]}::int[])) as naming
    where contact_ids <> '{}'`,
    'read-named-contacts',
  )
}

interface HeardRow {
  readonly service_id: number
  readonly address_id: number
  /** Null for an address of a group. */
  readonly contact_id: number | null
}

/** The addresses that were told of the failures whose end is told now. */
async function readWhoHeard(transaction: Executor, told: readonly Addressable[]): Promise<readonly HeardRow[]> {
  const ends = told.filter(({ facts }) => facts.condition === 'recovery')
  if (ends.length === 0) return []
  return transaction.query<HeardRow>(
    sql`
    select distinct earlier.service_id, earlier.address_id, earlier.contact_id
    from unnest(${ends.map(({ serviceId }) => serviceId)}::int[],
      ${ends.map(({ facts }) => Number(facts.change?.id ?? 0))}::bigint[]) as ended (service_id, change_id)
    join notification_intents earlier on earlier.service_id = ended.service_id
      and (earlier.event_id = 'failure:' || ended.change_id
        or starts_with(earlier.event_id, 'failure_continuation:' || ended.change_id || ':'))`,
    'read-who-heard',
  )
}

interface Chosen {
  readonly service_id: number
  readonly id: number
  /** False for one that only hears the end of what it was told. */
  readonly isNamed: boolean
}

function chosenOf(named: readonly NamedRow[], heard: readonly HeardRow[]): readonly Chosen[] {
  const chosen = named.flatMap(({ service_id, contact_ids }) =>
    contact_ids.map((id) => ({ service_id, id, isNamed: true })),
  )
  const known = new Set(chosen.map(({ service_id, id }) => `${service_id} ${id}`))
  for (const { service_id, contact_id: id } of heard) {
    if (id === null || known.has(`${service_id} ${id}`)) continue
    known.add(`${service_id} ${id}`)
    chosen.push({ service_id, id, isNamed: false })
  }
  return chosen
}

/** Holds for a message to `target` about the end of a failure that it was told. */
function isEndOfHeard(heard: readonly HeardRow[]): Sql {
  return sql`told.condition_id = 'recovery' and exists (
    select from unnest(${heard.map((row) => row.service_id)}::int[], ${heard.map((row) => row.address_id)}::int[])
      as heard (service_id, address_id)
    where heard.service_id = told.service_id and heard.address_id = target.id)`
}

/**
 * Writes a message for each address of the available contacts, if the service has chosen the condition. The end of a
 * failure also goes to contacts who were notified of it and have become unavailable since, or are no longer named. A
 * contact chooses its channels by its addresses; the service's channels apply to the addresses of groups. @returns how
 * many
 */
export async function tellContacts(transaction: Executor, told: readonly Addressable[], now: number): Promise<number> {
  const named = await readNamed(transaction, [...new Set(told.map(({ serviceId }) => serviceId))])
  const heard = await readWhoHeard(transaction, told)
  const chosen = chosenOf(named, heard)
  if (chosen.length === 0) return 0
  const present = await withoutAbsent(transaction, [...new Set(named.flatMap((row) => row.contact_ids))], now)
  const isPresent = ({ id, isNamed }: Chosen) => isNamed && present.has(id)
  return transaction.execute(
    sql`
    insert into notification_intents (service_id, event_id, address_id, account_id, group_id, notification_channel_id,
      notification_condition_id, address, destination, facts, created_at, next_attempt_at, contact_id)
    select services.id, told.event_id, target.id, services.owner_id, services.group_id, target.notification_channel_id,
      told.condition_id, target.address, target.destination, told.facts, ${new Date(now)}, ${new Date(now)}, target.contact_id
    from unnest(${told.map(({ serviceId }) => serviceId)}::int[], ${told.map(({ eventId }) => eventId)}::text[],
      ${told.map(({ facts }) => facts.condition)}::text[],
      ${told.map(({ facts }) => JSON.stringify(facts))}::jsonb[]) with ordinality
      as told (service_id, event_id, condition_id, facts, place)
    join unnest(${chosen.map(({ service_id }) => service_id)}::int[], ${chosen.map(({ id }) => id)}::int[],
      ${chosen.map(isPresent)}::boolean[]) as chosen (service_id, contact_id, is_present)
      on chosen.service_id = told.service_id
    join services on services.id = told.service_id
    join notification_addresses target on target.contact_id = chosen.contact_id
    where told.condition_id = any(services.notification_condition_ids)
      and target.confirmed_at is not null and target.is_enabled
      and (chosen.is_present or ${isEndOfHeard(heard)})
    order by told.place, target.id
    on conflict (service_id, event_id, address_id) do nothing`,
    'write-contact-intents',
  )
}
