import type { Database } from '../database/connect.ts'
import { readLogos } from '../database/page-logos.ts'
import {
  type ComponentRow,
  type IncidentRow,
  type PageRow,
  readComponents,
  readIncidents,
  readPageServices,
  readStateMarks,
} from '../database/status-page-rows.ts'
import { lastDays } from '../domain/history-bars.ts'
import { isOver } from '../domain/status-page.ts'
import { pageIndicator, statusAt, statusWithIncidents, worstStatus } from '../domain/status-page-state.ts'
import { timeZoneName } from '../domain/time-zones.ts'
import { languageOf } from '../wording/language.ts'
import { type ComponentState, componentState, readHistories, rememberedBars } from './component-states.ts'
import { leavesOf, type PublishedIncident, type ShownComponent, type ShownLogos, type Snapshot } from './snapshot.ts'
import { suspensionIncidents } from './suspensions.ts'

/** Days of the bars. */
const shownDays = 90
/** Incidents that are over. */
const shownIncidents = 100

/** Makes a page from its rows and the ledger. */
export async function makeSnapshot(database: Database, page: PageRow, now: number): Promise<Snapshot> {
  const zone = timeZoneName(page.time_zone_id) ?? 'UTC'
  const rows = await readComponents(database, page.id)
  const services = await readPageServices(database, page.owner_id, rows)
  const serviceIds = services.map(({ id }) => id)
  const marks = await readStateMarks(database, serviceIds)
  const days = lastDays(now, shownDays, zone)
  const histories = await readHistories(database, serviceIds, { days, now })
  const barsOfService = rememberedBars({ histories, days, now })
  const watched = { services, histories, days, barsOfService, delayMs: page.publish_after_seconds * 1000, now }
  const states = new Map(rows.map((row) => [row.id, componentState(row, watched)]))
  const language = languageOf(page.language_id)
  const published = [
    ...(await readIncidents(database, page.id, shownIncidents)).map((row) => publishedIncident(row, now)),
    ...(await suspensionIncidents(database, page, { components: rows, serviceIds, now })),
  ].toSorted((one, other) => other.startedAt - one.startedAt)
  const components = shownComponents(rows, states, published)
  const incidents = published.filter(({ isMaintenance }) => !isMaintenance)
  const lasting = incidents.filter(({ status }) => !isOver(status))
  const statuses = leavesOf({ components }).map(({ status }) => status)
  const moments = [...components, ...published].map(({ updatedAt }) => updatedAt)
  return {
    ...{ page, language, zone, madeAt: now, components, incidents, serviceIds, marks },
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
    name: row.name,
    status,
    impact: row.impact,
    isMaintenance: row.is_maintenance,
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

/** A group that is named stands for its parts. */
function withParts(ids: readonly number[], rows: readonly ComponentRow[]): readonly number[] {
  return [...ids, ...rows.flatMap(({ id, parent_id: parent }) => (parent !== null && ids.includes(parent) ? [id] : []))]
}

/** Groups come where they are placed, each before its parts. */
function shownComponents(
  rows: readonly ComponentRow[],
  states: ReadonlyMap<number, ComponentState>,
  published: readonly PublishedIncident[],
): readonly ShownComponent[] {
  const lasting = published
    .filter(({ status }) => !isOver(status))
    .map((one) => ({ ...one, componentIds: withParts(one.componentIds, rows) }))
  const parents = new Set(rows.flatMap(({ parent_id: id }) => id ?? []))
  const leaf = (row: ComponentRow): ShownComponent => {
    const state = states.get(row.id) ?? { status: 'unknown', since: null, bars: [], uptime: null }
    const status = statusWithIncidents(row.id, state.status, lasting)
    const told = lasting.filter(({ componentIds }) => componentIds.includes(row.id)).map(({ updatedAt }) => updatedAt)
    return {
      ...{ id: row.id, parentId: row.parent_id, isGroup: false, position: row.position },
      ...{ name: row.name, description: row.description, status },
      ...{ isOnlyShownIfDegraded: row.only_show_if_degraded, startDate: row.start_date },
      ...{ createdAt: row.created_at, updatedAt: Math.max(row.updated_at, state.since ?? 0, ...told) },
      ...{ bars: state.bars, uptime: state.uptime },
    }
  }
  const isShown = ({ isOnlyShownIfDegraded, status }: ShownComponent) =>
    !isOnlyShownIfDegraded || (status !== 'operational' && status !== 'unknown')
  return rows
    .filter(({ parent_id: parent }) => parent === null)
    .flatMap((row) => {
      if (!parents.has(row.id)) return [leaf(row)].filter(isShown)
      const parts = rows
        .filter(({ parent_id: parent }) => parent === row.id)
        .map(leaf)
        .filter(isShown)
      if (parts.length === 0) return []
      const status = worstStatus(parts.map((part) => part.status))
      const updatedAt = Math.max(row.updated_at, ...parts.map((part) => part.updatedAt))
      return [{ ...leaf(row), isGroup: true, status, updatedAt, bars: [], uptime: null }, ...parts]
    })
}
