import { isOver } from '../domain/status-page.ts'
import type { ShownStatus } from '../domain/status-page-state.ts'
import { formatMoment } from '../domain/time.ts'
import { headlineOf } from './page-html.ts'
import type { PublishedIncident, ShownComponent, Snapshot } from './snapshot.ts'

/** The read API that clients of status pages know as version 2. Every id is a text, every moment has an offset. */

/** It has no word for what nobody watches now, which is planned by whoever stopped it. */
function apiStatus(status: ShownStatus): Exclude<ShownStatus, 'unknown'> {
  return status === 'unknown' ? 'under_maintenance' : status
}

const moment = (at: number | null) => (at === null ? null : formatMoment(at))

function pageOf({ page, zone, updatedAt }: Snapshot, url: string) {
  return { id: String(page.id), name: page.title, url, time_zone: zone, updated_at: formatMoment(updatedAt) }
}

function componentOf(component: ShownComponent, { page, components }: Snapshot) {
  const parts = components.filter(({ parentId }) => parentId === component.id).map(({ id }) => String(id))
  return {
    id: String(component.id),
    name: component.name,
    status: apiStatus(component.status),
    created_at: formatMoment(component.createdAt),
    updated_at: formatMoment(component.updatedAt),
    position: component.position,
    description: component.description === '' ? null : component.description,
    showcase: component.bars.length > 0,
    start_date: component.startDate,
    group_id: component.parentId === null ? null : String(component.parentId),
    page_id: String(page.id),
    group: component.isGroup,
    only_show_if_degraded: component.isOnlyShownIfDegraded,
    ...(component.isGroup ? { components: parts } : {}),
  }
}

function updatesOf(incident: PublishedIncident, { components }: Snapshot) {
  const last = new Map<number, string>()
  const shown = incident.updates.map((update) => ({
    id: update.id,
    status: update.status,
    body: update.body,
    incident_id: incident.id,
    created_at: formatMoment(update.created_at),
    updated_at: formatMoment(update.updated_at),
    display_at: formatMoment(update.display_at),
    affected_components: update.affected_components.flatMap(({ component_id: id, status }) => {
      const name = components.find((one) => one.id === id)?.name
      const old = last.get(id) ?? 'operational'
      last.set(id, status)
      return name === undefined ? [] : [{ code: String(id), name, old_status: old, new_status: status }]
    }),
  }))
  return shown.toReversed()
}

function incidentOf(incident: PublishedIncident, snapshot: Snapshot, url: string) {
  const { page, components } = snapshot
  return {
    id: incident.id,
    name: incident.name,
    status: incident.status,
    impact: incident.impact,
    created_at: formatMoment(incident.createdAt),
    updated_at: formatMoment(incident.updatedAt),
    monitoring_at: moment(incident.monitoringAt),
    resolved_at: moment(incident.resolvedAt),
    started_at: formatMoment(incident.startedAt),
    shortlink: `${url}#incident-${incident.id}`,
    page_id: String(page.id),
    components: components
      .filter(({ id }) => incident.componentIds.includes(id))
      .map((component) => componentOf(component, snapshot)),
    incident_updates: updatesOf(incident, snapshot),
    ...(incident.isMaintenance
      ? { scheduled_for: moment(incident.scheduledFor), scheduled_until: moment(incident.scheduledUntil) }
      : {}),
  }
}

type Part = (snapshot: Snapshot, url: string) => Readonly<Record<string, unknown>>

const status: Part = (snapshot) => ({
  status: { indicator: snapshot.indicator, description: headlineOf(snapshot) },
})
const components: Part = (snapshot) => ({
  components: snapshot.components.map((component) => componentOf(component, snapshot)),
})

function incidents(isMeant: (incident: PublishedIncident) => boolean): Part {
  return (snapshot, url) => ({
    incidents: snapshot.incidents.filter(isMeant).map((incident) => incidentOf(incident, snapshot, url)),
  })
}

function maintenances(isMeant: (incident: PublishedIncident) => boolean): Part {
  return (snapshot, url) => ({
    scheduled_maintenances: snapshot.maintenances
      .filter(isMeant)
      .map((incident) => incidentOf(incident, snapshot, url)),
  })
}

const isUnresolved = ({ status: at }: PublishedIncident) => !isOver(at)
const isUnderWay = ({ status: at }: PublishedIncident) => at === 'in_progress' || at === 'verifying'

const documents: Readonly<Record<string, readonly Part[]>> = {
  summary: [status, components, incidents(isUnresolved), maintenances(isUnresolved)],
  status: [status],
  components: [components],
  incidents: [incidents(() => true)],
  'incidents/unresolved': [incidents(isUnresolved)],
  'scheduled-maintenances': [maintenances(() => true)],
  'scheduled-maintenances/upcoming': [maintenances(({ status: at }) => at === 'scheduled')],
  'scheduled-maintenances/active': [maintenances(isUnderWay)],
}

/** Names of the documents below `api/v2/`, without `.json`. */
export const apiDocuments = Object.keys(documents)

export function apiDocument(name: string, snapshot: Snapshot, url: string): string {
  const parts = (documents[name] ?? []).map((part) => part(snapshot, url))
  return JSON.stringify(Object.assign({ page: pageOf(snapshot, url) }, ...parts))
}
