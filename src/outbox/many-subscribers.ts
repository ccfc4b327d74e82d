import sql from 'sql-template-tag'
import type { Executor } from '../database/connect.ts'
import type { SubscriberKind } from '../domain/status-pages/subscriber.ts'
import { digestOfAddress, type Wanted } from './subscribers.ts'

/** Many subscribers of a page at once: a file of its owner is read, or written. */

export interface ListedSubscriber {
  readonly id: number
  readonly kind: SubscriberKind
  readonly address: string
  readonly component_ids: readonly number[]
  readonly disabled_reason: string | null
  readonly created_at: number
  readonly confirmed_at: number | null
}

/** The next subscribers of the page in the order of their ids. */
export function subscribersAfter(
  executor: Executor,
  pageId: number,
  { afterId, limit }: { readonly afterId: number; readonly limit: number },
): Promise<readonly ListedSubscriber[]> {
  return executor.query<ListedSubscriber>(sql`
    select id, kind, address, component_ids, disabled_reason, created_at, confirmed_at
    from status_page_subscribers where status_page_id = ${pageId} and id > ${afterId} order by id limit ${limit}`)
}

export function componentNames(
  executor: Executor,
  pageId: number,
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  return executor.query(sql`
    select id, name from status_page_components where status_page_id = ${pageId} order by position, id`)
}

export async function countSubscribers(executor: Executor, pageId: number): Promise<number> {
  const [counted] = await executor.query<{ count: number }>(
    sql`select count(*)::int as count from status_page_subscribers where status_page_id = ${pageId}`,
  )
  return counted?.count ?? 0
}

export const keyOfAddress = (address: Pick<Wanted, 'kind' | 'sameness'>): string =>
  digestOfAddress(address).toString('hex')

/** The keys of those addresses that the page has, and whether each is confirmed. */
export async function knownAddresses(
  executor: Executor,
  pageId: number,
  keys: readonly string[],
): Promise<ReadonlyMap<string, boolean>> {
  const digests = keys.map((key) => Buffer.from(key, 'hex'))
  const rows = await executor.query<{ key: string; is_confirmed: boolean }>(sql`
    select encode(address_digest, 'hex') as key, bool_or(confirmed_at is not null) as is_confirmed
    from status_page_subscribers where status_page_id = ${pageId} and address_digest = any(${digests}::bytea[])
    group by address_digest`)
  return new Map(rows.map((row) => [row.key, row.is_confirmed]))
}

/** Rows of one statement. */
const batchSize = 1000

/**
 * Mailboxes whose people agreed elsewhere, as their owner declares. They are told from now on; the first message has
 * the links to change and leave. Rows that wait with the same addresses make place.
 *
 * @returns how many were added
 */
export async function addConfirmed(
  transaction: Executor,
  pageId: number,
  { wanted, now }: { readonly wanted: readonly Wanted[]; readonly now: number },
): Promise<number> {
  let added = 0
  for (let at = 0; at < wanted.length; at += batchSize) {
    const ids = await addBatch(transaction, pageId, { wanted: wanted.slice(at, at + batchSize), now })
    added += ids.length
  }
  if (added > 0) await transaction.execute(sql`select pg_notify('notifications', '')`)
  return added
}

async function addBatch(
  transaction: Executor,
  pageId: number,
  { wanted, now }: { readonly wanted: readonly Wanted[]; readonly now: number },
): Promise<readonly number[]> {
  const given = wanted.map((one) => ({
    ...{ address: one.address, digest: keyOfAddress(one), component_ids: one.componentIds },
  }))
  await transaction.execute(sql`
    delete from status_page_subscribers where status_page_id = ${pageId} and confirmed_at is null
      and address_digest = any(${wanted.map(digestOfAddress)}::bytea[])`)
  const at = new Date(now)
  const made = await transaction.query<{ id: number }>(sql`
    insert into status_page_subscribers (status_page_id, kind, address, address_digest, component_ids, asked_at,
      confirmed_at, created_at)
    select ${pageId}::int, 'email', address, decode(digest, 'hex'), component_ids, ${at}, ${at}, ${at}
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as given(address text, digest text, component_ids int[])
    on conflict do nothing returning id`)
  const ids = made.map(({ id }) => id)
  await transaction.execute(sql`
    insert into messages (queue, kind, address, subscriber_id, created_at, next_attempt_at)
    select 'subscriber_mail', 'subscriber_links', '', id, ${at}, ${at} from unnest(${[...ids]}::int[]) as id`)
  return ids
}
