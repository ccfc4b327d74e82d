import type { Executor } from '../database/connect.ts'
import { readPageSuspensions, readPageWeeklySuspensions } from '../database/page-suspensions.ts'
import type { ComponentRow, PageRow } from '../database/status-page-rows.ts'
import { readAccountWords } from '../database/status-pages.ts'
import { dayLength } from '../domain/durations.ts'
import type { Period } from '../domain/suspension.ts'
import { timeZoneName } from '../domain/time-zones.ts'
import { weeklyOccurrences } from '../domain/weekly-occurrences.ts'
import { languageOf } from '../wording/language.ts'
import { statusPageText } from '../wording/status-pages.ts'
import type { PublishedIncident } from './snapshot.ts'

/** Weekly suspensions appear this long before. */
const weeklyAheadMs = 28 * dayLength

/** Planned stops of one page: the next ones. */
const mostShown = 200

interface Behind {
  readonly components: readonly ComponentRow[]
  readonly serviceIds: readonly number[]
  readonly now: number
}

interface Planned extends Pick<PublishedIncident, 'id' | 'series'>, Period {
  readonly serviceIds: readonly number[]
}

/** Planned stops of the services as maintenance, as far as the page shows them. */
export async function suspensionIncidents(
  executor: Executor,
  page: PageRow,
  { components, serviceIds, now }: Behind,
): Promise<readonly PublishedIncident[]> {
  const planned = [
    ...(page.shows_suspensions ? await once(executor, serviceIds, now) : []),
    ...(page.shows_weekly_suspensions ? await weekly(executor, page.owner_id, { serviceIds, now }) : []),
  ]
  const next = planned.toSorted((one, other) => one.startAt - other.startAt).slice(0, mostShown)
  return next.flatMap((one) => {
    const componentIds = components.filter(({ service_id: id }) => id !== null && one.serviceIds.includes(id))
    return componentIds.length === 0 ? [] : [maintenance(one, componentIds, page, now)]
  })
}

async function once(executor: Executor, serviceIds: readonly number[], now: number): Promise<readonly Planned[]> {
  const rows = await readPageSuspensions(executor, serviceIds, now)
  return rows.map(({ key, service_ids: serviceIds, start_time: startAt, end_time: endAt }) => ({
    ...{ id: `suspension-${key}`, series: null, startAt, endAt, serviceIds },
  }))
}

/** Each time has an id of its own, the same for as long as the suspension stays. */
async function weekly(
  executor: Executor,
  ownerId: number,
  { serviceIds, now }: Pick<Behind, 'serviceIds' | 'now'>,
): Promise<readonly Planned[]> {
  const rows = await readPageWeeklySuspensions(executor, serviceIds)
  if (rows.length === 0) return []
  const zone = timeZoneName((await readAccountWords(executor, ownerId)).time_zone_id ?? '') ?? 'UTC'
  return rows.flatMap(({ start_minute: start, end_minute: end, service_ids: ids }) => {
    const series = `weekly-${start}-${end}`
    return weeklyOccurrences({ start, end, zone }, now, now + weeklyAheadMs).map(({ startAt, endAt }) => ({
      ...{ id: `${series}-${startAt / 1000}`, series, startAt, endAt, serviceIds: ids },
    }))
  })
}

/** A suspension has a description for the owner's eyes; the page tells only of its time. */
function maintenance(
  { id, series, startAt, endAt }: Planned,
  components: readonly ComponentRow[],
  page: PageRow,
  now: number,
): PublishedIncident {
  const isUnderWay = startAt <= now
  // Nothing says when it was planned.
  const createdAt = Math.min(startAt, page.created_at)
  return {
    ...{ id, series, name: statusPageText('maintenance', languageOf(page.language_id)), impact: 'none' },
    ...{ isMaintenance: true, componentIds: components.map((one) => one.id), updates: [] },
    ...{ status: isUnderWay ? 'in_progress' : 'scheduled', monitoringAt: null, resolvedAt: null },
    ...{ scheduledFor: startAt, scheduledUntil: endAt, startedAt: startAt },
    ...{ createdAt, updatedAt: isUnderWay ? startAt : createdAt },
  }
}
