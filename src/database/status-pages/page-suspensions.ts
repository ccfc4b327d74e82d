import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from '../connect.ts'
import { covers } from '../services/coverage.ts'
import { ofActiveOwner } from './status-page-rows.ts'

/** Planned stops of the services behind the components of status pages. Unix milliseconds. */

interface Concerned {
  readonly page_id: number
  /** In their order on the page. */
  readonly component_ids: readonly number[]
}

export interface PageSuspensionRow extends Concerned {
  /** Unique among both kinds. */
  readonly key: string
  readonly start_time: number
  readonly end_time: number
}

/** Minutes since Monday 00:00 in the owner's zone. */
export interface PageWeeklySuspensionRow extends Concerned {
  readonly start_minute: number
  readonly end_minute: number
  readonly time_zone_id: string
}

/** One page, whatever it shows; or all pages that show stops of the kind. */
export type AskedPages = { readonly id: number } | 'all'

/** Rows that one query reads. */
const mostRows = 20_000

function pagesOf(asked: AskedPages, shows: Sql): Sql {
  return asked === 'all' ? sql`${shows} and ${ofActiveOwner}` : sql`status_pages.id = ${asked.id}`
}

/** Statements that differ have different names. */
export function statementName(name: string, asked: AskedPages): string {
  return asked === 'all' ? `${name}-of-all` : name
}

/** The services behind each component of the pages: one, those of a group, or those with a tag. */
export function servicesShown(pages: Sql): Sql {
  const chosen = sql`services.id, services.owner_id, services.group_id, services.tag_ids, status_pages.id as page_id,
    component.id as component_id`
  const components = sql`status_pages
    join status_page_components component on component.status_page_id = status_pages.id`
  const ofOwner = sql`services.owner_id = status_pages.owner_id`
  return sql`(
    select ${chosen} from ${components} join services on services.id = component.service_id and ${ofOwner} where ${pages}
    union all
    select ${chosen} from ${components} join services on services.group_id = component.group_id and ${ofOwner}
      where ${pages} and not services.is_archived
    union all
    select ${chosen} from ${components}
      join tags on tags.owner_id = status_pages.owner_id and fold(tags.name) = fold(component.tag)
      join services on tags.id = any(services.tag_ids) and ${ofOwner}
      where ${pages} and not services.is_archived) services`
}

const concerned = sql`services.page_id,
  array_agg(distinct services.component_id order by services.component_id) as component_ids`

/** One-off suspensions that stop the monitoring, not over yet. */
export async function readPageSuspensions(
  executor: Executor,
  asked: AskedPages,
  now: number,
): Promise<readonly PageSuspensionRow[]> {
  const pages = pagesOf(asked, sql`shows_suspensions`)
  const coming = sql`end_time > ${new Date(now)} and not only_notifications`
  const own = await executor.query<PageSuspensionRow>(
    sql`select ${concerned}, planned.id::text as key, start_time, end_time
      from ${servicesShown(pages)} join suspensions planned on planned.service_id = services.id
      where ${coming}
      group by services.page_id, planned.id, start_time, end_time
      order by start_time, planned.id, services.page_id limit ${mostRows}`,
    statementName('status-page-suspensions', asked),
  )
  const wide = await executor.query<PageSuspensionRow>(
    sql`select ${concerned}, 'wide-' || wide.id as key, start_time, end_time
      from ${servicesShown(pages)} join wide_suspensions wide on ${covers}
      where ${coming}
      group by services.page_id, wide.id, start_time, end_time
      order by start_time, wide.id, services.page_id limit ${mostRows}`,
    statementName('status-page-wide-suspensions', asked),
  )
  return [...own, ...wide]
}

/** Weekly suspensions that stop the monitoring, wide ones too; those of one page at the same time are one. */
export async function readPageWeeklySuspensions(
  executor: Executor,
  asked: AskedPages,
): Promise<readonly PageWeeklySuspensionRow[]> {
  const pages = pagesOf(asked, sql`shows_weekly_suspensions`)
  const weekly = sql`${concerned}, start_minute, end_minute, owner.time_zone_id`
  const ofOwner = sql`join accounts owner on owner.id = services.owner_id`
  const inOrder = sql`group by services.page_id, start_minute, end_minute, owner.time_zone_id
    order by services.page_id, start_minute, end_minute limit ${mostRows}`
  const own = await executor.query<PageWeeklySuspensionRow>(
    sql`select ${weekly} from ${servicesShown(pages)} ${ofOwner}
        join weekly_suspensions planned on planned.service_id = services.id
      where not only_notifications ${inOrder}`,
    statementName('status-page-weekly-suspensions', asked),
  )
  const wide = await executor.query<PageWeeklySuspensionRow>(
    sql`select ${weekly} from ${servicesShown(pages)} ${ofOwner}
        join wide_weekly_suspensions wide on ${covers}
      where not only_notifications ${inOrder}`,
    statementName('status-page-wide-weekly-suspensions', asked),
  )
  const byTime = new Map<string, PageWeeklySuspensionRow>()
  for (const row of [...own, ...wide]) {
    const key = `${row.page_id} ${row.start_minute} ${row.end_minute}`
    const ids = [...(byTime.get(key)?.component_ids ?? []), ...row.component_ids]
    byTime.set(key, { ...row, component_ids: [...new Set(ids)] })
  }
  return [...byTime.values()]
}
