import type { Executor } from '../database/connect.ts'
import {
  type AskedPages,
  readPageSuspensions,
  readPageWeeklySuspensions,
} from '../database/status-pages/page-suspensions.ts'
import type { PageRow } from '../database/status-pages/status-page-rows.ts'
import { dayLength } from '../domain/calendars/durations.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { weeklyOccurrences } from '../domain/calendars/weekly-occurrences.ts'
import { joinedStops, type PlannedStop } from '../domain/status-pages/planned-stop.ts'
import { languageOf } from '../wording/language.ts'
import { statusPageText } from '../wording/status-pages.ts'
import type { PublishedIncident } from './snapshot.ts'

/** Weekly suspensions appear this long before. */
const weeklyAheadMs = 28 * dayLength

/** Planned stops of one page: the next ones. */
const mostShown = 200

export type StopOfPage = PlannedStop & { readonly pageId: number }

/** Planned stops of the services as maintenance, as far as the page shows them. */
export async function suspensionIncidents(
  executor: Executor,
  page: PageRow,
  now: number,
): Promise<readonly PublishedIncident[]> {
  const planned = joinedStops([
    ...(page.shows_suspensions ? await oneOffStops(executor, page, now) : []),
    ...(page.shows_weekly_suspensions ? await weeklyStops(executor, page, now) : []),
  ])
  const next = planned.toSorted((one, other) => one.startAt - other.startAt).slice(0, mostShown)
  return next.map((stop) => maintenance(stop, page, now))
}

export async function oneOffStops(executor: Executor, asked: AskedPages, now: number): Promise<readonly StopOfPage[]> {
  const rows = await readPageSuspensions(executor, asked, now)
  return rows.map(({ page_id: pageId, key, component_ids: componentIds, start_time: startAt, end_time: endAt }) => ({
    ...{ pageId, id: `suspension-${key}`, series: null, startAt, endAt, componentIds },
  }))
}

/** Each time has an id of its own, the same for as long as the suspension stays. */
export async function weeklyStops(executor: Executor, asked: AskedPages, now: number): Promise<readonly StopOfPage[]> {
  const rows = await readPageWeeklySuspensions(executor, asked)
  return rows.flatMap(({ page_id: pageId, start_minute: start, end_minute: end, ...row }) => {
    const series = `weekly-${start}-${end}`
    const zone = timeZoneName(row.time_zone_id) ?? 'UTC'
    return weeklyOccurrences({ start, end, zone }, now, now + weeklyAheadMs).map(({ startAt, endAt }) => ({
      ...{ pageId, id: `${series}-${startAt / 1000}`, series, startAt, endAt, componentIds: row.component_ids },
    }))
  })
}

/** A suspension has a description for the owner's eyes; the page tells only of its time. */
function maintenance(
  { id, series, startAt, endAt, componentIds }: PlannedStop,
  page: PageRow,
  now: number,
): PublishedIncident {
  const isUnderWay = startAt <= now
  // Nothing says when it was planned.
  const createdAt = Math.min(startAt, page.created_at)
  return {
    ...{ id, series, name: statusPageText('maintenance', languageOf(page.language_id)), impact: 'none' },
    ...{ isMaintenance: true, isSuspension: true, componentIds, updates: [] },
    ...{ status: isUnderWay ? 'in_progress' : 'scheduled', monitoringAt: null, resolvedAt: null },
    ...{ scheduledFor: startAt, scheduledUntil: endAt, startedAt: startAt },
    ...{ createdAt, updatedAt: isUnderWay ? startAt : createdAt },
  }
}
