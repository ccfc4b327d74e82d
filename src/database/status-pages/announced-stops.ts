import sql from 'sql-template-tag'
import { type AnnouncedStop, stopKey } from '../../domain/status-pages/planned-stop.ts'
import type { Executor } from '../connect.ts'
import { type AskedPages, servicesShown, statementName } from './page-suspensions.ts'
import { ofActiveOwner } from './status-page-rows.ts'

/** Planned stops that the subscribers of status pages know of. Moments in Unix milliseconds. */

export type AnnouncedStopOfPage = AnnouncedStop & { readonly pageId: number }

interface Row {
  readonly status_page_id: number
  readonly id: string
  readonly series: string | null
  readonly start_time: number
  readonly end_time: number
  readonly component_ids: readonly number[]
  readonly status: AnnouncedStop['status']
}

/** Whether any page shows planned stops or has told of one. Few installations do, and reading them all is costly. */
export async function anyPageShowsStops(executor: Executor): Promise<boolean> {
  const [row] = await executor.query<{ found: boolean }>(
    sql`select exists (select from status_pages where shows_suspensions or shows_weekly_suspensions)
      or exists (select from status_page_stops) as found`,
  )
  return row?.found === true
}

/** Stops of pages that are public. */
export async function readAnnouncedStops(
  executor: Executor,
  asked: AskedPages,
): Promise<readonly AnnouncedStopOfPage[]> {
  const ofPage = asked === 'all' ? sql`${ofActiveOwner}` : sql`status_pages.id = ${asked.id}`
  const rows = await executor.query<Row>(
    sql`select told.* from status_page_stops told join status_pages on status_pages.id = told.status_page_id
      where ${ofPage} order by told.status_page_id, told.key`,
    statementName('announced-stops', asked),
  )
  return rows.map(({ status_page_id: pageId, id, series, status, ...row }) => ({
    ...{ pageId, id, series, status, startAt: row.start_time, endAt: row.end_time, componentIds: row.component_ids },
  }))
}

export async function keepAnnouncedStops(
  transaction: Executor,
  pageId: number,
  stops: readonly AnnouncedStop[],
): Promise<void> {
  for (const { id, series, startAt, endAt, componentIds, status } of stops) {
    const row = sql`${id}, ${series}, ${new Date(startAt)}, ${new Date(endAt)}, ${[...componentIds]}::int[], ${status}`
    await transaction.execute(sql`
      insert into status_page_stops (status_page_id, key, id, series, start_time, end_time, component_ids, status)
      values (${pageId}, ${stopKey({ id, series })}, ${row})
      on conflict (status_page_id, key) do update set id = excluded.id, start_time = excluded.start_time,
        end_time = excluded.end_time, component_ids = excluded.component_ids, status = excluded.status`)
  }
}

export async function forgetAnnouncedStops(
  transaction: Executor,
  pageId: number,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await transaction.execute(sql`
    delete from status_page_stops where status_page_id = ${pageId} and key = any(${[...keys]}::text[])`)
}

export interface StopPageRow {
  readonly shows_suspensions: boolean
  readonly shows_weekly_suspensions: boolean
}

/** Locks the page, so that one process tells of its stops. Undefined: there is none that is public. */
export async function lockStopPage(transaction: Executor, pageId: number): Promise<StopPageRow | undefined> {
  const [found] = await transaction.query<StopPageRow>(sql`
    select shows_suspensions, shows_weekly_suspensions from status_pages
    where id = ${pageId} and ${ofActiveOwner} for no key update`)
  return found
}

export interface StopComponentRow {
  readonly id: number
  readonly parent_id: number | null
  readonly name: string
  /** It shows services that are there. */
  readonly has_service: boolean
}

export async function readStopComponents(transaction: Executor, pageId: number): Promise<readonly StopComponentRow[]> {
  const rows = await transaction.query<Omit<StopComponentRow, 'has_service'>>(sql`
    select id, parent_id, name from status_page_components
    where status_page_id = ${pageId} order by position, id`)
  const shown = await transaction.query<{ component_id: number }>(sql`
    select distinct component_id from ${servicesShown(sql`status_pages.id = ${pageId}`)}`)
  const living = new Set(shown.map(({ component_id: id }) => id))
  return rows.map((row) => ({ ...row, has_service: living.has(row.id) }))
}
