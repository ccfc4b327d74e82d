import sql, { raw } from 'sql-template-tag'
import type { Executor } from '../connect.ts'
import { lockKeys } from '../locks.ts'

/** Called with every write to a page or a part of it, so that every process makes the page anew at once. */
export async function pageChanged(transaction: Executor, pageId: number, now: number): Promise<void> {
  await transaction.execute(sql`
    with changed as (
      update status_pages set version = version + 1, updated_at = ${new Date(now)} where id = ${pageId} returning slug)
    select pg_notify('status_pages', slug) from changed`)
}

/** True if another page has the slug. In a transaction nobody else can take it before the end. */
export async function isSlugTaken(executor: Executor, slug: string, exceptId: number | null): Promise<boolean> {
  await executor.execute(sql`select pg_advisory_xact_lock(${lockKeys.pageSlugs}, hashtext(${slug}))`)
  const found = await executor.query(sql`
    select 1 from status_pages where slug = ${slug} and id is distinct from ${exceptId}`)
  return found.length > 0
}

/** The language and time zone of an account, which its pages have unless they say otherwise. */
export async function readAccountWords(
  executor: Executor,
  accountId: number,
): Promise<{ readonly language_id?: string; readonly time_zone_id?: string }> {
  const [found] = await executor.query<{ language_id: string; time_zone_id: string }>(
    sql`select language_id, time_zone_id from accounts where id = ${accountId}`,
  )
  return found ?? {}
}

export async function hasPagePassword(executor: Executor, id: number): Promise<boolean> {
  const found = await executor.query(sql`select 1 from status_pages where id = ${id} and password_hash is not null`)
  return found.length > 0
}

export async function setPagePassword(transaction: Executor, id: number, hash: string): Promise<void> {
  await transaction.execute(sql`update status_pages set password_hash = ${hash} where id = ${id}`)
}

/** Ends the current link at once. */
export async function setPageLink(transaction: Executor, id: number, digest: Buffer | null): Promise<void> {
  await transaction.execute(sql`update status_pages set link_digest = ${digest} where id = ${id}`)
}

/** The owner of a page, which stays until the transaction ends. */
export async function pageOwner(transaction: Executor, id: number): Promise<number | undefined> {
  const [found] = await transaction.query<{ owner_id: number }>(sql`
    select owner_id from status_pages where id = ${id} for key share`)
  return found?.owner_id
}

export interface ComponentOfPage {
  readonly id: number
  readonly parent_id: number | null
  /** True if it shows services, or has a status of its own. */
  readonly has_source: boolean
}

export async function componentsOf(executor: Executor, pageId: number): Promise<readonly ComponentOfPage[]> {
  return executor.query<ComponentOfPage>(sql`
    select id, parent_id, num_nonnulls(service_id, group_id, tag, status) > 0 as has_source
    from status_page_components where status_page_id = ${pageId} order by id`)
}

/** True if the owner has that service, group or tag (a name, in any case). */
export async function hasSource(
  executor: Executor,
  ownerId: number,
  [kind, value]: readonly ['service_id' | 'group_id' | 'tag', number | string],
): Promise<boolean> {
  const found = await executor.query(
    kind === 'tag'
      ? sql`select 1 from tags where owner_id = ${ownerId} and fold(name) = fold(${value})`
      : sql`select 1 from ${raw(kind === 'service_id' ? 'services' : 'groups')}
          where id = ${value} and owner_id = ${ownerId}`,
  )
  return found.length > 0
}

/** People confirm the failures of a component and of its parts. */
export async function confirmComponent(transaction: Executor, id: number, now: number): Promise<void> {
  await transaction.execute(sql`
    update status_page_components set confirmed_at = ${new Date(now)} where id = ${id} or parent_id = ${id}`)
}

/** Removes a component from the incidents of its page, and from those that are prepared. */
export async function forgetComponent(transaction: Executor, pageId: number, id: number): Promise<void> {
  await transaction.execute(sql`
    update status_page_incidents set component_ids = array_remove(component_ids, ${id})
    where status_page_id = ${pageId} and ${id} = any(component_ids)`)
  await transaction.execute(sql`
    update status_page_incident_templates set component_ids = array_remove(component_ids, ${id})
    where status_page_id = ${pageId} and ${id} = any(component_ids)`)
}
