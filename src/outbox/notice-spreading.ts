import sql from 'sql-template-tag'
import type { Database, Executor } from '../database/connect.ts'
import { dueIncidents, tellOfIncident } from './incident-notices.ts'

/** Messages that one transaction writes. */
const batchSize = 500
/** A notice with so many messages that nobody claimed yet gets no further ones now. So no page fills the outbox. */
const mostUnclaimed = 250

interface SpreadingNotice {
  readonly id: number
  readonly status_page_id: number
  readonly component_ids: readonly number[]
  readonly created_at: number
  readonly after_id: number
}

/**
 * Writes the next messages of notices that not all subscribers have. Notices of different pages take turns, and those
 * of one page keep their order. Each batch and its place are one transaction, so a crash repeats and loses nothing.
 *
 * @returns how many notices got further
 */
export async function spreadNotices(database: Database, now: number): Promise<number> {
  for (const id of await dueIncidents(database, now)) {
    await database.transaction((transaction) => tellOfIncident(transaction, id, now))
  }
  return database.transaction(async (transaction) => {
    const notice = await nextNotice(transaction, now)
    if (notice === undefined) return 0
    await spread(transaction, notice, now)
    return 1
  })
}

/** True if a notice waits for its turn. */
export async function isSpreading(executor: Executor): Promise<boolean> {
  const found = await executor.query(sql`select 1 from status_page_notices where not is_spread limit 1`)
  return found.length > 0
}

async function nextNotice(transaction: Executor, now: number): Promise<SpreadingNotice | undefined> {
  const [notice] = await transaction.query<SpreadingNotice>(sql`
    select notice.id, notice.status_page_id, notice.component_ids, notice.created_at, notice.after_id
    from status_page_notices notice
    where not is_spread
      and not exists (
        select from status_page_notices earlier
        where not earlier.is_spread and earlier.status_page_id = notice.status_page_id and earlier.id < notice.id)
      and (select count(*) from (
        select from messages message
        where message.notice_id = notice.id and message.status = 'pending' and message.next_attempt_at <= ${new Date(now)}
        limit ${mostUnclaimed}) as unclaimed) < ${mostUnclaimed}
    order by spread_at nulls first, id limit 1 for update skip locked`)
  return notice
}

/** Subscribers who confirmed after the notice read it on the page. Pages of blocked accounts tell nothing. */
async function spread(transaction: Executor, notice: SpreadingNotice, now: number): Promise<void> {
  const { id, status_page_id: pageId, component_ids: concerned } = notice
  const rows = await transaction.query<{ id: number }>(sql`
    select subscriber.id from status_page_subscribers subscriber
    where subscriber.status_page_id = ${pageId} and subscriber.id > ${notice.after_id}
      and confirmed_at <= ${new Date(notice.created_at)} and disabled_reason is null
      and (component_ids = '{}' or ${[...concerned]}::int[] = '{}' or component_ids && ${[...concerned]}::int[])
      and not exists (
        select from status_pages page join accounts owner on owner.id = page.owner_id
        left join accounts parent on parent.id = owner.parent_account_id
        where page.id = ${pageId} and (owner.is_blocked or coalesce(parent.is_blocked, false)))
    order by subscriber.id limit ${batchSize}`)
  const ids = rows.map((row) => row.id)
  await transaction.execute(sql`
    insert into messages (queue, kind, address, subscriber_id, notice_id, destination, created_at, next_attempt_at)
    select case kind when 'email' then 'subscriber_mail' else 'subscriber_hook' end, 'status_page_notice', '', subscriber.id,
      ${id}::bigint, destination || ' page ' || status_page_id, ${new Date(now)}, ${new Date(now)}
    from status_page_subscribers subscriber where subscriber.id = any(${ids}::int[]) order by subscriber.id
    on conflict do nothing`)
  await transaction.execute(sql`
    update status_page_notices set after_id = ${ids.at(-1) ?? notice.after_id}, spread_at = ${new Date(now)},
      is_spread = ${ids.length < batchSize} where id = ${id}`)
  await transaction.execute(sql`select pg_notify('notifications', '')`)
}
