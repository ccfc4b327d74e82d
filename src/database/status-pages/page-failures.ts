import sql from 'sql-template-tag'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { FailedChange, PageFailure } from '../../domain/status-pages/page-failure.ts'
import type { IncidentProgress, IncidentUpdate } from '../../domain/status-pages/status-page.ts'
import type { Executor } from '../connect.ts'

/** Failures behind the components of status pages, and the incidents that they opened. Unix milliseconds. */

interface FailureRow {
  readonly page_id: number
  readonly component_ids: readonly number[]
  readonly service_id: number
  readonly change_id: number
  readonly failed_at: number
}

/** Pairs of a page and a failing service that one query reads. */
const mostPairs = 2000
/** Queries of one look. */
const mostQueries = 50
/** Components that an incident of a failure names. */
const mostComponents = 100

/**
 * Failures that have lasted for the delay of their page or that a person confirmed, and that have no incident yet.
 * Components under maintenance have none.
 */
export async function readNewFailures(executor: Executor, now: number): Promise<readonly PageFailure[]> {
  const found: PageFailure[] = []
  let last: FailureRow | undefined
  for (let count = 0; count < mostQueries; count++) {
    const rows = await readFailures(executor, now, last)
    const failures = rows.map(failureOf)
    const known = failures.length === 0 ? new Set() : await readKnownFailures(executor, failures)
    for (const [index, failure] of failures.entries()) {
      if (known.has(failureKey(failure))) continue
      for (const componentId of rows[index]?.component_ids ?? []) found.push({ ...failure, componentId })
    }
    last = rows.at(-1)
    if (rows.length < mostPairs) break
  }
  return found
}

function failureOf(row: FailureRow): PageFailure {
  return {
    pageId: row.page_id,
    componentId: row.component_ids[0] ?? 0,
    serviceId: row.service_id,
    changeId: row.change_id,
    failedAt: row.failed_at,
  }
}

/** The pairs after the last one, by page and service. */
function readFailures(executor: Executor, now: number, last: FailureRow | undefined): Promise<FailureRow[]> {
  const at = new Date(now)
  return executor.query<FailureRow>(
    sql`select p.id as page_id, s.id as service_id, ss.state_change_id as change_id, ss.state_since as failed_at,
        (array_agg(c.id order by c.position, c.id))[1:${mostComponents}::int] as component_ids
      from service_statuses ss join services s on s.id = ss.service_id
      join status_pages p on p.owner_id = s.owner_id
      join status_page_components c on c.status_page_id = p.id and (c.service_id = s.id or c.group_id = s.group_id
        or c.tag is not null and exists (
          select 1 from tags t where t.owner_id = p.owner_id and fold(t.name) = fold(c.tag) and t.id = any(s.tag_ids)))
      where ss.state = 'failure' and not s.is_archived
        and (p.id, s.id) > (${last?.page_id ?? 0}::int, ${last?.service_id ?? 0}::int)
        and not exists (select 1 from status_page_incidents m where m.status_page_id = p.id and m.is_maintenance
          and m.is_published and c.id = any(m.component_ids) and m.scheduled_for <= ${at} and m.scheduled_until > ${at})
      group by p.id, s.id, ss.state_change_id, ss.state_since
      having ss.state_since + make_interval(secs => p.publish_after_seconds) <= ${at}
        or max(c.confirmed_at) >= ss.state_since
      order by p.id, s.id limit ${mostPairs}`,
    'page-failures',
  )
}

/** The key of a failure in `readKnownFailures`. */
export function failureKey({ pageId, serviceId, changeId }: Omit<PageFailure, 'componentId' | 'failedAt'>): string {
  return `${pageId} ${serviceId} ${changeId}`
}

/** The pairs `service change` of the pages that have an incident already. */
export async function readKnownFailures(
  executor: Executor,
  failures: readonly PageFailure[],
): Promise<ReadonlySet<string>> {
  const rows = await executor.query<{ key: string }>(
    sql`select f.status_page_id || ' ' || f.service_id || ' ' || f.change_id as key from status_page_failures f
      join unnest(${failures.map(({ pageId }) => pageId)}::int[], ${failures.map(({ serviceId }) => serviceId)}::int[],
        ${failures.map(({ changeId }) => changeId)}::bigint[]) as asked (page_id, service_id, change_id)
        on f.status_page_id = asked.page_id and f.service_id = asked.service_id and f.change_id = asked.change_id`,
    'known-page-failures',
  )
  return new Set(rows.map(({ key }) => key))
}

export interface FailurePageRow {
  readonly id: number
  readonly language_id: string
  readonly auto_publish: boolean
  readonly publish_after_seconds: number
}

/** Locks the page, so that one process opens the incident. */
export async function lockFailurePage(transaction: Executor, pageId: number): Promise<FailurePageRow | undefined> {
  const [found] = await transaction.query<FailurePageRow>(sql`
    select id, language_id, auto_publish, publish_after_seconds from status_pages where id = ${pageId} for no key update`)
  return found
}

export async function componentNames(executor: Executor, ids: readonly number[]): Promise<readonly string[]> {
  const rows = await executor.query<{ name: string }>(sql`
    select name from status_page_components where id = any(${[...ids]}::int[]) order by position, id`)
  return rows.map(({ name }) => name)
}

export interface NewIncident {
  readonly pageId: number
  readonly name: string
  readonly isPublished: boolean
  readonly startedAt: number
  readonly componentIds: readonly number[]
  readonly failures: readonly FailedChange[]
}

/** True if the page may have another incident. */
export async function hasRoomForIncident(executor: Executor, pageId: number): Promise<boolean> {
  const [found] = await executor.query<{ count: number }>(sql`
    select count(*)::int as count from status_page_incidents where status_page_id = ${pageId}`)
  return (found?.count ?? 0) < countLimits.statusPageIncidents
}

/** The failures get no further incident. @param incidentId null: they have none */
export async function rememberFailures(
  transaction: Executor,
  { pageId, failures }: Pick<NewIncident, 'pageId' | 'failures'>,
  incidentId: number | null,
): Promise<void> {
  await transaction.execute(sql`
    insert into status_page_failures (status_page_id, service_id, change_id, incident_id)
    select ${pageId}, service_id, change_id, ${incidentId} from unnest(${failures.map(({ serviceId }) => serviceId)}::int[],
      ${failures.map(({ changeId }) => changeId)}::bigint[]) as failed (service_id, change_id)`)
}

/** Writes an incident of failures, and remembers that they have one. */
export async function insertFailureIncident(transaction: Executor, made: NewIncident, now: number): Promise<number> {
  const { pageId, failures, componentIds } = made
  const [row] = await transaction.query<{ id: number }>(sql`
    insert into status_page_incidents (status_page_id, name, status, impact, is_published, started_at, component_ids,
      change_ids, created_at, updated_at)
    values (${pageId}, ${made.name}, 'investigating', 'major', ${made.isPublished}, ${new Date(made.startedAt)},
      ${[...componentIds]}::int[], ${failures.map(({ changeId }) => String(changeId))}::text[], ${new Date(now)},
      ${new Date(now)})
    returning id`)
  const id = row?.id ?? 0
  await rememberFailures(transaction, made, id)
  return id
}

export interface LastingIncidentRow extends IncidentProgress {
  readonly id: number
  readonly page_id: number
  readonly language_id: string
  readonly publish_after_seconds: number
  readonly updates: readonly IncidentUpdate[]
  readonly service_id: number
  readonly change_id: number
}

/** The failures of lasting incidents that no person has published. @param id of one incident; null: all */
export function readLastingFailures(
  executor: Executor,
  id: number | null = null,
): Promise<readonly LastingIncidentRow[]> {
  return executor.query<LastingIncidentRow>(
    sql`select i.id, i.status_page_id as page_id, p.language_id, p.publish_after_seconds, i.status, i.monitoring_at,
        i.resolved_at, i.updates, f.service_id, f.change_id
      from status_page_failures f join status_page_incidents i on i.id = f.incident_id
      join status_pages p on p.id = i.status_page_id
      where i.resolved_at is null and (p.auto_publish or not i.is_published) and (${id}::int is null or i.id = ${id})
      order by i.id, f.service_id`,
    'lasting-page-failures',
  )
}

/** When each `service change` ended; those that last are missing. */
export async function readEnds(
  executor: Executor,
  changes: readonly { readonly service_id: number; readonly change_id: number }[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await executor.query<{ service_id: number; change_id: number; end_time: number }>(
    sql`select service_id, change_id, end_time from status_changes
      where service_id = any(${changes.map(({ service_id: id }) => id)}::int[])
        and change_id = any(${changes.map(({ change_id: id }) => id)}::bigint[]) and end_time is not null`,
    'page-failure-ends',
  )
  return new Map(rows.map((row) => [`${row.service_id} ${row.change_id}`, row.end_time]))
}
