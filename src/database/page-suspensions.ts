import sql, { type Sql } from 'sql-template-tag'
import type { Executor } from './connect.ts'
import { covers } from './coverage.ts'
import { ofActiveOwner } from './status-page-rows.ts'

/** Planned stops of the services behind status pages, for the components that show one service. Unix milliseconds. */

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

/** The services of a page that a component shows by themselves. */
const shownServices = sql`status_pages
  join status_page_components component on component.status_page_id = status_pages.id
  join services on services.id = component.service_id and services.owner_id = status_pages.owner_id`

const concerned = sql`status_pages.id as page_id,
  array_agg(distinct component.id order by component.id) as component_ids`

/** One-off suspensions that stop the monitoring, not over yet. */
export async function readPageSuspensions(
  executor: Executor,
  asked: AskedPages,
  now: number,
): Promise<readonly PageSuspensionRow[]> {
  const pages = pagesOf(asked, sql`shows_suspensions`)
  const own = await executor.query<PageSuspensionRow>(
    sql`select ${concerned}, planned.id::text as key, start_time, end_time
      from ${shownServices} join suspensions planned on planned.service_id = services.id
      where ${pages} and end_time > ${new Date(now)} and not only_notifications
      group by status_pages.id, planned.id, start_time, end_time
      order by start_time, planned.id, status_pages.id limit ${mostRows}`,
    statementName('status-page-suspensions', asked),
  )
  const wide = await executor.query<PageSuspensionRow>(
    sql`select ${concerned}, 'wide-' || wide.id as key, start_time, end_time
      from ${shownServices} join wide_suspensions wide on ${covers}
      where ${pages} and end_time > ${new Date(now)} and not only_notifications
      group by status_pages.id, wide.id, start_time, end_time
      order by start_time, wide.id, status_pages.id limit ${mostRows}`,
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
  const ofOwner = sql`join accounts owner on owner.id = status_pages.owner_id`
  const inOrder = sql`group by status_pages.id, start_minute, end_minute, owner.time_zone_id
    order by status_pages.id, start_minute, end_minute limit ${mostRows}`
  const own = await executor.query<PageWeeklySuspensionRow>(
    sql`select ${weekly} from ${shownServices} ${ofOwner}
        join weekly_suspensions planned on planned.service_id = services.id
      where ${pages} and not only_notifications ${inOrder}`,
    statementName('status-page-weekly-suspensions', asked),
  )
  const wide = await executor.query<PageWeeklySuspensionRow>(
    sql`select ${weekly} from ${shownServices} ${ofOwner} join wide_weekly_suspensions wide on ${covers}
      where ${pages} and not only_notifications ${inOrder}`,
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
