import sql from 'sql-template-tag'
import type { ManualIncident } from '../../domain/status-pages/page-failure.ts'
import type { IncidentUpdate } from '../../domain/status-pages/status-page.ts'
import type { Executor } from '../connect.ts'

/** Failures behind status pages that people tell before their page does, or that still wait. Unix milliseconds. */

/** Since when services of these components fail whose failures their pages do not show yet; others are missing. */
export async function readUnconfirmed(
  executor: Executor,
  componentIds: readonly number[],
  now: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await executor.query<{ id: number; since: number }>(
    sql`select c.id, min(ss.state_since) as since
      from service_statuses ss join services s on s.id = ss.service_id
      join status_pages p on p.owner_id = s.owner_id
      join status_page_components c on c.status_page_id = p.id and (c.service_id = s.id or c.group_id = s.group_id
        or c.tag is not null and exists (
          select 1 from tags t where t.owner_id = p.owner_id and fold(t.name) = fold(c.tag) and t.id = any(s.tag_ids)))
      where ss.state = 'failure' and not s.is_archived and c.id = any(${[...componentIds]}::int[])
        and ss.state_since + make_interval(secs => p.publish_after_seconds) > ${new Date(now)}
        and (c.confirmed_at is null or c.confirmed_at < ss.state_since)
      group by c.id`,
    'unconfirmed-page-failures',
  )
  return new Map(rows.map(({ id, since }) => [id, since]))
}

const downStatuses = ['partial_outage', 'major_outage']

/** The published incidents of a page that people made and that are not over. Groups do not stand for their parts. */
export async function readManualIncidents(executor: Executor, pageId: number): Promise<readonly ManualIncident[]> {
  const rows = await executor.query<{
    readonly created_at: number
    readonly component_ids: readonly number[]
    readonly updates: readonly IncidentUpdate[]
  }>(
    sql`select created_at, component_ids, updates from status_page_incidents
      where status_page_id = ${pageId} and is_published and not is_maintenance and resolved_at is null
        and change_ids = '{}'`,
    'manual-page-incidents',
  )
  return rows.map(({ created_at: createdAt, component_ids: componentIds, updates }) => {
    const said = updates.flatMap(({ affected_components: affected }) => affected)
    const last = new Map(said.map(({ component_id: id, status }) => [id, status]))
    const downIds = [...last].filter(([, status]) => downStatuses.includes(status)).map(([id]) => id)
    return { createdAt, componentIds, downIds }
  })
}
