import sql from 'sql-template-tag'
import type {
  ComponentSource,
  IncidentImpact,
  IncidentProgress,
  IncidentUpdate,
  PageAccess,
} from '../../domain/status-pages/status-page.ts'
import type { Executor } from '../connect.ts'

/** The rows from which a status page is made. Moments in Unix milliseconds. */

export interface PageRow {
  readonly id: number
  readonly owner_id: number
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly language_id: string
  readonly time_zone_id: string
  readonly theme: {
    readonly accent?: string | null
    readonly logo_artifact?: string | null
    readonly logo_dark_artifact?: string | null
    readonly logo_alt?: string
  }
  readonly host: string | null
  /** Null: the page does not have the host. */
  readonly host_proven_at: number | null
  readonly host_is_free: boolean
  readonly access: PageAccess
  readonly password_hash: string | null
  readonly link_digest: Buffer | null
  readonly allowed_addresses: readonly string[]
  readonly is_indexed: boolean
  readonly publish_after_seconds: number
  readonly shows_suspensions: boolean
  readonly shows_weekly_suspensions: boolean
  readonly version: number
  readonly created_at: number
  readonly updated_at: number
}

export interface ComponentRow extends ComponentSource {
  readonly id: number
  readonly parent_id: number | null
  readonly position: number
  readonly name: string
  readonly description: string
  readonly only_show_if_degraded: boolean
  readonly start_date: string | null
  readonly confirmed_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

export interface IncidentRow extends IncidentProgress {
  readonly id: number
  readonly name: string
  readonly impact: IncidentImpact
  readonly is_maintenance: boolean
  readonly started_at: number
  readonly scheduled_for: number | null
  readonly scheduled_until: number | null
  readonly component_ids: readonly number[]
  readonly updates: readonly IncidentUpdate[]
  readonly created_at: number
  readonly updated_at: number
}

/** A service behind components. */
export interface PageServiceRow {
  readonly id: number
  readonly group_id: number
  readonly tags: readonly string[]
  readonly is_archived: boolean
  readonly monitoring_status: string | null
  readonly valid_until: number | null
}

/** Pages of blocked accounts are not public. */
export const ofActiveOwner = sql`not exists (
  select from accounts owner left join accounts parent on parent.id = owner.parent_account_id
  where owner.id = status_pages.owner_id and (owner.is_blocked or coalesce(parent.is_blocked, false)))`

/** The page of a slug; undefined if there is none, or if its owner is blocked. */
export async function readPage(executor: Executor, slug: string): Promise<PageRow | undefined> {
  const [found] = await executor.query<PageRow>(
    sql`select * from status_pages where slug = ${slug} and ${ofActiveOwner}`,
    'status-page',
  )
  return found
}

/** The page, even of a blocked owner. */
export async function readPageOfId(executor: Executor, id: number): Promise<PageRow | undefined> {
  const [found] = await executor.query<PageRow>(sql`select * from status_pages where id = ${id}`)
  return found
}

export async function readPageVersions(
  executor: Executor,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await executor.query<{ slug: string; version: number }>(
    sql`select slug, version from status_pages where slug = any(${[...slugs]}::text[]) and ${ofActiveOwner}`,
    'status-page-versions',
  )
  return new Map(rows.map(({ slug, version }) => [slug, version]))
}

export async function readPublicSlugs(executor: Executor): Promise<readonly string[]> {
  const rows = await executor.query<{ slug: string }>(
    sql`select slug from status_pages where access = 'public' and ${ofActiveOwner} order by slug`,
    'public-status-pages',
  )
  return rows.map(({ slug }) => slug)
}

/** Every slug, even of a page that nobody may see now. */
export async function readAllSlugs(executor: Executor): Promise<readonly string[]> {
  const rows = await executor.query<{ slug: string }>(sql`select slug from status_pages`, 'status-page-slugs')
  return rows.map(({ slug }) => slug)
}

export type HostedPage = Pick<PageRow, 'slug' | 'host' | 'host_proven_at' | 'host_is_free'>

/** The pages that have a host of their own. */
export function readHostedPages(executor: Executor): Promise<readonly HostedPage[]> {
  return executor.query<HostedPage>(
    sql`select slug, host, host_proven_at, host_is_free from status_pages
      where host is not null and host_proven_at is not null and ${ofActiveOwner}`,
    'status-page-hosts',
  )
}

export function readComponents(executor: Executor, pageId: number): Promise<readonly ComponentRow[]> {
  return executor.query<ComponentRow>(
    sql`select * from status_page_components where status_page_id = ${pageId} order by position, id`,
    'status-page-components',
  )
}

/** Bytes of the updates of an incident that are read, the newest first; the last one in any case. */
const mostUpdateBytes = 20_000

/**
 * The latest published incidents, and those that are not over, with their latest updates.
 * @param most incidents that are over, incidents that last, and maintenance to come: so many of each
 */
export function readIncidents(
  executor: Executor,
  pageId: number,
  { most, now }: { readonly most: number; readonly now: number },
): Promise<readonly IncidentRow[]> {
  const published = sql`select id from status_page_incidents where status_page_id = ${pageId} and is_published`
  return executor.query<IncidentRow>(
    sql`select i.id, i.name, i.status, i.impact, i.is_maintenance, i.started_at, i.monitoring_at, i.resolved_at,
        i.scheduled_for, i.scheduled_until, i.component_ids, i.created_at, i.updated_at,
        coalesce(told.updates, '[]') as updates
      from status_page_incidents i left join lateral (
        select jsonb_agg(one order by place) as updates from (
          select one, place, sum(octet_length(one::text)) over (order by place desc) as bytes
          from jsonb_array_elements(i.updates) with ordinality as all_updates (one, place)) sized
        where bytes <= ${mostUpdateBytes} or place = jsonb_array_length(i.updates)) told on true
      where i.status_page_id = ${pageId} and i.id in (
        (${published} order by started_at desc, id desc limit ${most})
        union (${published} and not is_maintenance and resolved_at is null order by started_at desc, id desc limit ${most})
        union (${published} and is_maintenance and resolved_at is null
          and (scheduled_until > ${new Date(now)} or status = 'verifying') order by scheduled_for, id limit ${most}))
      order by i.started_at desc, i.id desc`,
    'status-page-incidents',
  )
}

/** Rows of services that one page reads; it shows fewer (`shownServices`). */
const mostPageServices = 5000

/** The owner's services that the components show. */
export async function readPageServices(
  executor: Executor,
  ownerId: number,
  components: readonly ComponentSource[],
): Promise<readonly PageServiceRow[]> {
  const serviceIds = components.flatMap(({ service_id: id }) => id ?? [])
  const groupIds = components.flatMap(({ group_id: id }) => id ?? [])
  const tags = components.flatMap(({ tag }) => tag ?? [])
  if (serviceIds.length + groupIds.length + tags.length === 0) return []
  const named = await executor.query<{ id: number; name: string }>(
    sql`select id, fold(name) as name from tags
      where owner_id = ${ownerId} and fold(name) = any(select fold(asked) from unnest(${tags}::text[]) asked)`,
    'status-page-tags',
  )
  const nameOf = new Map(named.map(({ id, name }) => [id, name]))
  const rows = await executor.query<Omit<PageServiceRow, 'tags'> & { tag_ids: readonly number[] }>(
    sql`select s.id, s.group_id, s.tag_ids, s.is_archived, ss.monitoring_status, ss.valid_until
      from services s join service_statuses ss on ss.service_id = s.id
      where s.owner_id = ${ownerId} and (s.id = any(${serviceIds}::int[]) or not s.is_archived
        and (s.group_id = any(${groupIds}::int[]) or s.tag_ids && ${[...nameOf.keys()]}::int[]))
      order by s.id = any(${serviceIds}::int[]) desc, s.id limit ${mostPageServices}`,
    'status-page-services',
  )
  return rows.map(({ tag_ids: ids, ...row }) => ({ ...row, tags: ids.flatMap((id) => nameOf.get(id) ?? []) }))
}

/** States of services, to notice changes between two versions of a page. */
export async function readStateMarks(executor: Executor, serviceIds: readonly number[]): Promise<string> {
  const rows = await executor.query<{ mark: string }>(
    sql`select coalesce(string_agg(service_id || ' ' || coalesce(state_change_id, 0) || coalesce(' ' || degraded_since, ''), ',' order by service_id), '') as mark
      from service_statuses where service_id = any(${[...serviceIds]}::int[])`,
    'status-page-marks',
  )
  return rows[0]?.mark ?? ''
}
