import { createHash } from 'node:crypto'
import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { StoredSettings } from '../domain/services/extended-settings.ts'
import { isConfirmLinkOpen, reactionTo, type SubscriberKind } from '../domain/status-pages/subscriber.ts'

/** The subscribers of status pages: they ask, confirm, change their choice and leave. Moments in Unix milliseconds. */

/** Where a subscriber is told. */
export interface SubscriberAddress {
  readonly kind: SubscriberKind
  /** The form for people; it holds no secret. */
  readonly address: string
  /** The fields of an integration; empty for e-mail. */
  readonly settings: StoredSettings
  /** The host that receives the messages; null where the operator's mail server carries them. */
  readonly destination: string | null
  /** The same for two spellings of one destination. */
  readonly sameness: string
}

export interface Wanted extends SubscriberAddress {
  readonly pageId: number
  readonly componentIds: readonly number[]
}

export interface SubscriberRow {
  readonly id: number
  readonly status_page_id: number
  readonly kind: SubscriberKind
  readonly address: string
  readonly component_ids: readonly number[]
  readonly asked_at: number
  readonly confirmed_at: number | null
  readonly disabled_reason: string | null
}

export function digestOfAddress({ kind, sameness }: Pick<SubscriberAddress, 'kind' | 'sameness'>): Buffer {
  return createHash('sha256').update(`${kind} ${sameness}`).digest()
}

/** True if the page has a subscriber with this address, confirmed or not. */
export async function isSubscribed(executor: Executor, pageId: number, address: SubscriberAddress): Promise<boolean> {
  const found = await executor.query(sql`
    select 1 from status_page_subscribers where status_page_id = ${pageId} and address_digest = ${digestOfAddress(address)}`)
  return found.length > 0
}

export interface MostSubscribers {
  readonly confirmed: number
  /** A limit of their own, so that addresses that nobody confirms take no places of subscribers. */
  readonly waiting: number
}

/** True if the page has as many confirmed subscribers as it may, or as many that wait. */
export async function isPageFull(executor: Executor, pageId: number, most: MostSubscribers): Promise<boolean> {
  const atMost = (limit: number, condition: Sql) => sql`
    (select count(*)::int from (
      select from status_page_subscribers where status_page_id = ${pageId} and ${condition} limit ${limit}) as present)`
  const [counted] = await executor.query<MostSubscribers>(sql`
    select ${atMost(most.confirmed, sql`confirmed_at is not null`)} as confirmed,
      ${atMost(most.waiting, sql`confirmed_at is null`)} as waiting`)
  return counted === undefined || counted.confirmed >= most.confirmed || counted.waiting >= most.waiting
}

/** A new row waits for its confirmation. A row that waits already with the same address makes place. */
export async function makeSubscriber(transaction: Executor, wanted: Wanted, now: number): Promise<number> {
  const digest = digestOfAddress(wanted)
  await transaction.execute(sql`
    delete from status_page_subscribers
    where status_page_id = ${wanted.pageId} and address_digest = ${digest} and confirmed_at is null`)
  const [made] = await transaction.query<{ id: number }>(sql`
    insert into status_page_subscribers (status_page_id, kind, address, address_digest, settings, destination, component_ids,
      asked_at, created_at)
    values (${wanted.pageId}, ${wanted.kind}, ${wanted.address}, ${digest}, ${JSON.stringify(wanted.settings)}::jsonb,
      ${wanted.destination}, ${[...wanted.componentIds]}::int[], ${new Date(now)}, ${new Date(now)})
    returning id`)
  if (made === undefined) throw new Error('The new subscriber has no number.')
  await orderMessage(transaction, made.id, 'subscriber_confirmation', now)
  return made.id
}

/**
 * A visitor asks for messages. The outcome is not for the visitor, who must not learn which addresses are known.
 * A webhook and a browser are made anew, because only their latest secrets are right.
 *
 * @returns the id of a row that was made
 */
export async function askToSubscribe(transaction: Executor, wanted: Wanted, now: number): Promise<number | null> {
  if (wanted.kind === 'webhook' || wanted.kind === 'web_push') return makeSubscriber(transaction, wanted, now)
  const [known] = await transaction.query<SubscriberRow>(sql`
    select * from status_page_subscribers
    where status_page_id = ${wanted.pageId} and address_digest = ${digestOfAddress(wanted)}
    order by confirmed_at nulls last limit 1 for update`)
  const stored = known && {
    isConfirmed: known.confirmed_at !== null,
    isDisabled: known.disabled_reason !== null,
    askedAt: known.asked_at,
  }
  const reaction = reactionTo(stored ?? null, now)
  if (reaction === 'make') return makeSubscriber(transaction, wanted, now)
  if (reaction === 'nothing' || known === undefined) return null
  if (reaction === 'ask_again') {
    await transaction.execute(sql`
      update status_page_subscribers
      set confirmed_at = null, disabled_reason = null, component_ids = ${[...wanted.componentIds]}::int[]
      where id = ${known.id}`)
  }
  await transaction.execute(sql`update status_page_subscribers set asked_at = ${new Date(now)} where id = ${known.id}`)
  const kind = reaction === 'ask_again' ? 'subscriber_confirmation' : 'subscriber_links'
  await orderMessage(transaction, known.id, kind, now)
  return null
}

/** Puts a message about the subscription itself into the outbox. */
async function orderMessage(
  transaction: Executor,
  subscriberId: number,
  kind: 'subscriber_confirmation' | 'subscriber_links',
  now: number,
): Promise<void> {
  await transaction.execute(sql`
    insert into messages (queue, kind, address, subscriber_id, destination, created_at, next_attempt_at)
    select case kind when 'email' then 'subscriber_mail' else 'subscriber_hook' end, ${kind}, '', subscriber.id,
      destination || ' page ' || status_page_id, ${new Date(now)}, ${new Date(now)}
    from status_page_subscribers subscriber where id = ${subscriberId}`)
  await transaction.execute(sql`select pg_notify('notifications', '')`)
}

/** Undefined: it left, or was removed. */
export async function readSubscriber(
  executor: Executor,
  { id, pageId }: { readonly id: number; readonly pageId: number },
): Promise<SubscriberRow | undefined> {
  const [found] = await executor.query<SubscriberRow>(sql`
    select id, status_page_id, kind, address, component_ids, asked_at, confirmed_at, disabled_reason
    from status_page_subscribers where id = ${id} and status_page_id = ${pageId}`)
  return found
}

interface WaitingRow extends SubscriberRow {
  readonly address_digest: Buffer
}

/**
 * From now on the subscriber is told. One that was confirmed already stays as it is. False: the row is gone, or its
 * link has ended. If two rows have one address, the earlier confirmed one stays.
 */
export async function confirmSubscriber(transaction: Executor, id: number, now: number): Promise<boolean> {
  const [row] = await transaction.query<WaitingRow>(
    sql`select * from status_page_subscribers where id = ${id} for update`,
  )
  if (row === undefined) return false
  if (!isConfirmLinkOpen({ askedAt: row.asked_at, confirmedAt: row.confirmed_at }, now)) return false
  if (row.confirmed_at !== null) return true
  const [twin] = await transaction.query<SubscriberRow>(sql`
    select * from status_page_subscribers
    where status_page_id = ${row.status_page_id} and address_digest = ${row.address_digest} and confirmed_at is not null
    for update`)
  if (twin !== undefined) {
    const stays = twin.disabled_reason === null ? twin : row
    await leave(transaction, stays === twin ? row.id : twin.id)
    if (stays === twin) return true
  }
  await transaction.execute(sql`
    update status_page_subscribers set confirmed_at = ${new Date(now)}, disabled_reason = null where id = ${id}`)
  return true
}

export async function chooseComponents(executor: Executor, id: number, componentIds: readonly number[]): Promise<void> {
  await executor.execute(
    sql`update status_page_subscribers set component_ids = ${[...componentIds]}::int[] where id = ${id}`,
  )
}

/** Removes everything that is kept of the subscriber, waiting messages included. */
export async function leave(executor: Executor, id: number): Promise<void> {
  await executor.execute(sql`delete from status_page_subscribers where id = ${id}`)
}

/** Sends nothing more to an address that is gone; its owner sees the reason. */
export async function disableSubscriber(executor: Executor, id: number, reason: string): Promise<void> {
  await executor.execute(sql`
    update status_page_subscribers set disabled_reason = ${reason} where id = ${id} and disabled_reason is null`)
}
