import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Exchanged } from '../channels/exchanged.ts'
import { programChannelIds } from '../channels/index.ts'
import { countSent } from '../database/accounts/usage.ts'
import type { Executor } from '../database/connect.ts'
import type { IntentFacts } from '../domain/notification/notice.ts'
import type { StoredSettings } from '../domain/services/extended-settings.ts'
import { type Avoiding, type ClaimRequest, type DeliveryRecord, leaseDuration } from '../outbox/claims.ts'

/** The most events in one digest; further ones make up the next digest of the address. */
const largestDigest = 1000
/** The most digests that one claim takes, so that their events fit into memory. */
const mostDigests = 20
/** Steps of an escalation. */
const mostSteps = 20

export interface ClaimedIntent {
  readonly service_id: number
  readonly event_id: string
  /** The event that it tells anew: its messages have the key of that one. Null: it tells its own. */
  readonly repeats: string | null
  readonly address_id: number
  /** Null: the address is a group's. */
  readonly contact_id: number | null
  readonly account_id: number
  readonly notification_channel_id: string
  readonly notification_condition_id: string
  readonly address: string
  readonly facts: IntentFacts
  readonly attempts: number
  /** The error of the previous attempt. */
  readonly error_message: string | null
  readonly created_at: number
  /** End of the lease; with `attempts` it tells this claim from every other. */
  readonly next_attempt_at: number
  /** Set by an earlier claim that ended without an outcome. */
  readonly handed_over_at: number | null
  /** When it was counted among the SMS of its account's day. */
  readonly sms_counted_at: number | null
  /** The address is not confirmed, or another one was confirmed in its place since. Null when it is gone. */
  readonly is_unconfirmed: boolean | null
  /** The host that it goes to; null where the operator's gateway carries it. */
  readonly destination: string | null
  /** The settings of an integration, as they are now. Null when the address is gone, or of another channel now. */
  readonly settings: StoredSettings | null
  /** The address was switched off since. Null when it is gone. */
  readonly is_enabled: boolean | null
  /** The language of the contact, or of the account. Null when the account is gone. */
  readonly language_id: string | null
  readonly time_zone_id: string | null
  /** It is claimed together with others of its address, condition and number of attempts. Null: it goes by itself. */
  readonly digest_at: number | null
  /**
   * The destination's reference to the message about the failure at the same address. Null: there was none, or the
   * destination gives no references.
   */
  readonly answers: string | null
  /** Its number in the log. */
  readonly id: number
}

/** The notification channels that one worker takes care of. */
export type ChannelFilter = { readonly oneOf: readonly string[] } | { readonly noneOf: readonly string[] }

function accepts(filter: ChannelFilter): Sql {
  if ('oneOf' in filter) return sql`notification_channel_id = any(${[...filter.oneOf]})`
  return sql`notification_channel_id <> all(${[...filter.noneOf]})`
}

const nothing: Avoiding = { destinations: [], accountIds: [] }

/** A text of its own only where something is avoided, so that gateways keep their prepared statement. */
function spares({ destinations, accountIds }: Avoiding): Sql {
  if (destinations.length === 0 && accountIds.length === 0) return empty
  return sql` and destination || ' ' || account_id <> all(${[...destinations]}::text[]) and account_id <> all(${[...accountIds]}::int[])`
}

/**
 * Nothing earlier of the same service and address waits: a recovery never overtakes its failure, in a digest either.
 */
function isNext(intent: Sql): Sql {
  return sql`not exists (
    select from notification_intents as earlier
    where earlier.service_id = ${intent}.service_id and earlier.address_id = ${intent}.address_id
      and earlier.status = 'pending' and earlier.id < ${intent}.id)`
}

/**
 * Claims due intents for the length of a lease, each when it is the next of its service and address. An intent of a
 * digest brings all others that wait for the same digest, due or not. In the order in which they were decided.
 */
export async function claimIntents(
  database: Executor,
  filter: ChannelFilter,
  { now, heldBy, limit, avoiding = nothing }: ClaimRequest,
): Promise<readonly ClaimedIntent[]> {
  const at = new Date(now)
  const isMeant = sql`status = 'pending' and next_attempt_at <= ${at} and ${accepts(filter)}${spares(avoiding)}`
  const isAlone = sql`(digest_at is null or notification_channel_id = any(${programChannelIds}))`
  const statement = sql`
    with digests as (
      select distinct on (address_id, notification_condition_id, attempts, handed_over_at)
        service_id, event_id, address_id, notification_condition_id, attempts, handed_over_at
      from notification_intents as intent
      where ${isMeant} and not ${isAlone} and digest_at <= ${at} and ${isNext(raw('intent'))}
      order by address_id, notification_condition_id, attempts, handed_over_at, id
    ), leads as (
      select intent.service_id, intent.event_id, intent.address_id, digests.notification_condition_id, digests.attempts, digests.handed_over_at
      from digests join notification_intents as intent using (service_id, event_id, address_id)
      where intent.status = 'pending' and intent.next_attempt_at <= ${at}
      limit ${Math.min(limit, mostDigests)} for update of intent skip locked
    ), company as (
      select mates.* from leads cross join lateral (
        select mate.service_id, mate.event_id, mate.address_id from notification_intents as mate
        where leads.handed_over_at is null and mate.address_id = leads.address_id
          and mate.notification_condition_id = leads.notification_condition_id and mate.attempts = leads.attempts
          and mate.handed_over_at is null and mate.digest_at is not null
          and mate.status = 'pending' and mate.next_attempt_at <= ${at} and ${isNext(raw('mate'))}
        order by mate.id limit ${largestDigest} for update skip locked) as mates
    ), alone as (
      select service_id, event_id, address_id from notification_intents as intent
      where ${isMeant} and ${isAlone} and ${isNext(raw('intent'))}
      order by next_attempt_at, id
      limit (select greatest(0, ${limit}::int - count(*)) from leads) for update skip locked
    ), due as (
      select * from alone union select * from company union select service_id, event_id, address_id from leads
    )
    update notification_intents as intent
    set next_attempt_at = ${new Date(now + leaseDuration)}, held_by = ${heldBy},
        attempts = attempts + case when handed_over_at is null then 1 else 0 end
    from due
    where (intent.service_id, intent.event_id, intent.address_id) = (due.service_id, due.event_id, due.address_id)
    returning intent.id, intent.digest_at,
      ${answeredReference} as answers, intent.service_id, intent.event_id, intent.repeats, intent.address_id, intent.contact_id, account_id, notification_channel_id,
      notification_condition_id, address, destination, facts, attempts, error_message, created_at, next_attempt_at, handed_over_at, sms_counted_at,
      (select target.confirmed_at is null or target.confirmed_at > intent.created_at
          and (target.address, target.notification_channel_id) is distinct from (intent.address, intent.notification_channel_id)
        from notification_addresses target where target.id = intent.address_id) as is_unconfirmed,
      coalesce(intent.settings, (select case when target.old_secret_until <= ${new Date(now)}
          then target.settings || jsonb_build_object('secret', split_part(target.settings->>'secret', ' ', 1)) else target.settings end
        from notification_addresses target
        where target.id = intent.address_id and target.notification_channel_id = intent.notification_channel_id)) as settings,
      (select is_enabled from notification_addresses target where target.id = intent.address_id) as is_enabled,
      (select coalesce(contacts.language_id, accounts.language_id) from accounts left join contacts on contacts.id = intent.contact_id
        where accounts.id = intent.account_id) as language_id,
      (select coalesce(contacts.time_zone_id, accounts.time_zone_id) from accounts left join contacts on contacts.id = intent.contact_id
        where accounts.id = intent.account_id) as time_zone_id`
  const claimed = await database.query<ClaimedIntent>(statement, statementName(filter, avoiding))
  return claimed.toSorted((one, other) => one.id - other.id)
}

/** True if a notification by e-mail waits that may be sent now. */
export async function hasDueMail(database: Executor, now: number): Promise<boolean> {
  const found = await database.query(
    sql`select 1 from notification_intents as intent
      where status = 'pending' and next_attempt_at <= ${new Date(now)} and (digest_at is null or digest_at <= ${new Date(now)})
        and notification_channel_id like 'email%' and ${isNext(raw('intent'))} limit 1`,
    'has-due-mail',
  )
  return found.length > 0
}

/** Its address was told of the failure at once, or first by a step of an escalation. */
const answeredReference = sql`(
  select failure.reference from notification_intents failure
  where failure.service_id = intent.service_id and failure.address_id = intent.address_id and failure.reference is not null
    and failure.notification_channel_id = intent.notification_channel_id
    and failure.event_id = any(case when intent.destination is null and intent.notification_channel_id not like 'email%' then '{}'::text[] else
      array['failure:' || (intent.facts->'change'->>'id')::bigint]
        || array(select 'escalation:' || (intent.facts->'change'->>'id')::bigint || ':' || step || ':0' from generate_series(1, ${mostSteps}::int) step)
      end)
    and failure.id < intent.id
  order by failure.id limit 1)`

function statementName(filter: ChannelFilter, avoiding: Avoiding): string {
  if ('noneOf' in filter) return 'claim-other-intents'
  return spares(avoiding) === empty ? 'claim-intents' : 'claim-spared-intents'
}

interface ClaimKey {
  readonly service_id: number
  readonly event_id: string
  readonly address_id: number
}

function keyOf({ service_id, event_id, address_id }: ClaimKey): string {
  return `${service_id} ${address_id} ${event_id}`
}

/** A row `(service_id, event_id, address_id, attempts, lease_ends_at)` for each claim. */
function claimColumns(intents: readonly ClaimedIntent[]): Sql {
  return sql`${intents.map((intent) => intent.service_id)}::int[], ${intents.map((intent) => intent.event_id)}::text[],
    ${intents.map((intent) => intent.address_id)}::int[], ${intents.map(({ attempts }) => attempts)}::int[],
    ${intents.map((intent) => new Date(intent.next_attempt_at))}::timestamptz[]`
}

const isClaim = sql`intent.service_id = told.service_id and intent.event_id = told.event_id
  and intent.address_id = told.address_id and intent.status = 'pending' and intent.attempts = told.attempts
  and intent.next_attempt_at = told.lease_ends_at`

/**
 * Records, for each intent in order, that the next step cannot be undone. False if the intent was claimed by another
 * process meanwhile.
 */
export async function markHandedOver(
  database: Executor,
  intents: readonly ClaimedIntent[],
  now: number,
): Promise<boolean[]> {
  const marked = await database.query<ClaimKey>(
    sql`update notification_intents as intent set handed_over_at = ${new Date(now)}
      from unnest(${claimColumns(intents)}) as told (service_id, event_id, address_id, attempts, lease_ends_at)
      where ${isClaim} and intent.handed_over_at is null
      returning intent.service_id, intent.event_id, intent.address_id`,
    'mark-intents-handed-over',
  )
  const keys = new Set(marked.map(keyOf))
  return intents.map((intent) => keys.has(keyOf(intent)))
}

export interface EndedIntent {
  readonly intent: ClaimedIntent
  readonly delivery: DeliveryRecord
  /** The request and the answer. Absent if the destination was not asked, or the channel is not an integration. */
  readonly exchanged?: Exchanged | null
  /** The destination's reference to the message. */
  readonly reference?: string | null
  /** The log id of the message that brought it; absent: it came by itself, or brought the others. */
  readonly digestOf?: number
}

/** Ends the claims and counts what was sent. False, in its place, where one had ended before. */
export async function recordDeliveries(
  database: Executor,
  ended: readonly EndedIntent[],
  now: number,
): Promise<boolean[]> {
  const records = ended.map(({ delivery }) => delivery)
  const recorded = await database.query<ClaimKey>(
    sql`with ended as (
        update notification_intents as intent
        set status = told.status, subject = coalesce(told.subject, intent.subject), error_message = told.error_message,
          next_attempt_at = told.next_attempt_at, held_by = null, digest_of = told.digest_of,
          reference = coalesce(told.reference, intent.reference),
          settings = case when told.status = 'pending' then intent.settings end,
          handed_over_at = case when told.status = 'sent' then intent.handed_over_at end,
          finished_at = case when told.status <> 'pending' then ${new Date(now)}::timestamptz end
        from unnest(${claimColumns(ended.map(({ intent }) => intent))}, ${records.map(({ status }) => status)}::text[],
          ${records.map(({ subject }) => subject)}::text[], ${records.map((record) => record.errorMessage)}::text[],
          ${records.map(({ nextAttemptAt }) => (nextAttemptAt === null ? null : new Date(nextAttemptAt)))}::timestamptz[],
          ${ended.map(({ exchanged }) => (exchanged ? JSON.stringify(exchanged) : null))}::jsonb[],
          ${ended.map(({ digestOf }) => digestOf ?? null)}::bigint[], ${ended.map(({ reference }) => reference ?? null)}::text[])
          as told (service_id, event_id, address_id, attempts, lease_ends_at, status, subject, error_message, next_attempt_at, exchanged,
            digest_of, reference)
        where ${isClaim}
        returning intent.*, told.exchanged
      ), counted as (${countSent(raw('ended'), now)}), shown as (
        insert into stream_events (kind, owner_id, service_id, subject_id)
        select 'notification', account_id, nullif(service_id, 0), id from ended where status <> 'pending'
      ), kept as (
        insert into deliveries (address_id, account_id, group_id, notification_id, notification_channel_id, time, attempt,
          status, error_message, exchanged)
        select address_id, account_id, group_id, id, notification_channel_id, ${new Date(now)}, attempts,
          case when status = 'pending' then 'retried' when status = 'sent' and error_message is not null then 'unconfirmed' else status end,
          error_message, exchanged
        from ended where exchanged is not null and address_id <> 0
      )
      select service_id, event_id, address_id from ended`,
    'record-intents',
  )
  const keys = new Set(recorded.map(keyOf))
  return ended.map(({ intent }) => keys.has(keyOf(intent)))
}
