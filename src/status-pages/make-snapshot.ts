import type { Database } from '../database/connect.ts'
import { readLogos } from '../database/status-pages/page-logos.ts'
import {
  type ComponentRow,
  type IncidentRow,
  type PageRow,
  readComponents,
  readIncidents,
  readPageServices,
  readStateMarks,
} from '../database/status-pages/status-page-rows.ts'
import { timeZoneName } from '../domain/calendars/time-zones.ts'
import { lastDays } from '../domain/service-level/history-bars.ts'
import { isOver } from '../domain/status-pages/status-page.ts'
import { pageIndicator, statusAt, statusWithIncidents, worstStatus } from '../domain/status-pages/status-page-state.ts'
import { inReadingOrder } from '../domain/text/one-line.ts'
import { languageOf } from '../wording/language.ts'
import { type ComponentState, componentStates } from './component-states.ts'
import { readHistories } from './page-histories.ts'
import { confirmedServices, shownServices } from './shown-services.ts'
import { inSlices } from './slices.ts'
import { leavesOf, type PublishedIncident, type ShownComponent, type ShownLogos, type Snapshot } from './snapshot.ts'
import { suspensionIncidents } from './suspensions.ts'

/** Days of the bars. */
const shownDays = 90
/** Incidents that are over, those that last, and maintenance to come: so many of each. */
const shownIncidents = 100

/** Makes a page from its rows and the ledger. */
export async function makeSnapshot(database: Database, page: PageRow, now: number): Promise<Snapshot> {
  const zone = timeZoneName(page.time_zone_id) ?? 'UTC'
  const rows = await readComponents(database, page.id)
  const services = await readPageServices(database, page.owner_id, rows)
  const { shown, ids: serviceIds, sourceOf } = shownServices(rows, services)
  const marks = await readStateMarks(database, serviceIds)
  const days = lastDays(now, shownDays, zone)
  const histories = await readHistories(database, serviceIds, { days, now })
  const confirmed = confirmedServices(rows, shown)
  const watched = { shown, sourceOf, histories, days, confirmed, delayMs: page.publish_after_seconds * 1000, now }
  const states = await componentStates(rows, watched)
  const language = languageOf(page.language_id)
  const published = [
    ...(await readIncidents(database, page.id, { most: shownIncidents, now })).map((row) =>
      publishedIncident(row, now),
    ),
    ...(await suspensionIncidents(database, page, now)),
  ].toSorted((one, other) => other.startedAt - one.startedAt)
  const components = await shownComponents(rows, states, published)
  const incidents = published.filter(({ isMaintenance }) => !isMaintenance)
  const lasting = published.filter(({ status }) => !isOver(status))
  const statuses = leavesOf({ components }).map(({ status }) => status)
  const moments = [...components, ...published].map(({ updatedAt }) => updatedAt)
  return {
    ...{
      page: { ...page, title: inReadingOrder(page.title) },
      language,
      zone,
      madeAt: now,
      components,
      incidents,
      serviceIds,
      marks,
    },
    logos: await logosOf(database, page),
    updatedAt: moments.reduce((latest, at) => Math.max(latest, at), page.updated_at),
    indicator: pageIndicator(statuses, lasting),
    maintenances: published.filter(({ isMaintenance }) => isMaintenance),
  }
}

async function logosOf(database: Database, { owner_id: ownerId, theme }: PageRow): Promise<ShownLogos> {
  const ids = [theme.logo_artifact, theme.logo_dark_artifact]
  const found = await readLogos(
    database,
    ownerId,
    ids.flatMap((id) => id ?? []),
  )
  const [light = null, dark = null] = ids.map((wanted) => found.find(({ id }) => id === wanted) ?? null)
  return { light, dark }
}

function publishedIncident(row: IncidentRow, now: number): PublishedIncident {
  const { status, at } = row.is_maintenance ? statusAt(row, now) : { status: row.status, at: null }
  return {
    id: String(row.id),
    series: null,
    name: inReadingOrder(row.name),
    status,
    impact: row.impact,
    isMaintenance: row.is_maintenance,
    isSuspension: false,
    startedAt: row.scheduled_for ?? row.started_at,
    monitoringAt: row.monitoring_at,
    resolvedAt: row.resolved_at ?? (status === 'completed' ? at : null),
    scheduledFor: row.scheduled_for,
    scheduledUntil: row.scheduled_until,
    componentIds: row.component_ids,
    updates: row.updates.toSorted((one, other) => one.display_at - other.display_at),
    createdAt: row.created_at,
    updatedAt: Math.max(row.updated_at, at ?? 0),
  }
}

function byParent(rows: readonly ComponentRow[]): ReadonlyMap<number | null, readonly ComponentRow[]> {
  const found = new Map<number | null, ComponentRow[]>()
  for (const row of rows) {
    const known = found.get(row.parent_id)
    if (known === undefined) found.set(row.parent_id, [row])
    else known.push(row)
  }
  return found
}

type Lasting = PublishedIncident & { readonly componentIds: readonly number[] }

/** Incidents that are not over, by the components that they name. A group that is named stands for its parts. */
async function lastingByComponent(
  published: readonly PublishedIncident[],
  partsOf: ReadonlyMap<number | null, readonly ComponentRow[]>,
): Promise<ReadonlyMap<number, readonly Lasting[]>> {
  const found = new Map<number, Lasting[]>()
  const lasting = published.filter(({ status }) => !isOver(status))
  await inSlices(lasting, (incident) => {
    const { componentIds: ids, updates } = incident
    const componentIds = [...ids, ...ids.flatMap((id) => (partsOf.get(id) ?? []).map((part) => part.id))]
    const said = updates.flatMap(({ affected_components: affected }) => affected.map((one) => one.component_id))
    const one = { ...incident, componentIds }
    for (const id of new Set([...componentIds, ...said])) {
      const known = found.get(id)
      if (known === undefined) found.set(id, [one])
      else known.push(one)
    }
  })
  return found
}

/** Groups come where they are placed, each before its parts. */
async function shownComponents(
  rows: readonly ComponentRow[],
  states: ReadonlyMap<number, ComponentState>,
  published: readonly PublishedIncident[],
): Promise<readonly ShownComponent[]> {
  const partsOf = byParent(rows)
  const lasting = await lastingByComponent(published, partsOf)
  const leaf = (row: ComponentRow): ShownComponent => {
    const state = states.get(row.id) ?? { status: 'unknown', since: null, bars: [], uptime: null }
    const own = lasting.get(row.id) ?? []
    const said = own.filter(({ isSuspension }) => !isSuspension)
    const status = statusWithIncidents(row.id, state.status, said)
    const told = own.filter(({ componentIds }) => componentIds.includes(row.id)).map(({ updatedAt }) => updatedAt)
    return {
      ...{ id: row.id, parentId: row.parent_id, isGroup: false, position: row.position },
      ...{ name: inReadingOrder(row.name), description: row.description, status },
      ...{ isOnlyShownIfDegraded: row.only_show_if_degraded, startDate: row.start_date },
      ...{ createdAt: row.created_at, updatedAt: Math.max(row.updated_at, state.since ?? 0, ...told) },
      ...{ bars: state.bars, uptime: state.uptime },
    }
  }
  const isShown = ({ isOnlyShownIfDegraded, status }: ShownComponent) =>
    !isOnlyShownIfDegraded || (status !== 'operational' && status !== 'unknown')
  const leaves = new Map((await inSlices(rows, leaf)).map((one) => [one.id, one]))
  const shownOf = (some: readonly ComponentRow[]) => some.flatMap(({ id }) => leaves.get(id) ?? []).filter(isShown)
  return (partsOf.get(null) ?? []).flatMap((row) => {
    const own = partsOf.get(row.id)
    if (own === undefined) return shownOf([row])
    const parts = shownOf(own)
    const group = leaves.get(row.id)
    if (parts.length === 0 || group === undefined) return []
    const status = worstStatus(parts.map((part) => part.status))
    const updatedAt = Math.max(row.updated_at, ...parts.map((part) => part.updatedAt))
    return [{ ...group, isGroup: true, status, updatedAt, bars: [], uptime: null }, ...parts]
  })
}
