import { formatMoment } from '../domain/calendars/time.ts'
import { isOver } from '../domain/status-pages/status-page.ts'
import type { ShownStatus } from '../domain/status-pages/status-page-state.ts'
import { incidentName } from './incident-html.ts'
import { headlineOf } from './page-html.ts'
import { inSlices } from './slices.ts'
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

type Parts = ReadonlyMap<number, readonly string[]>

function componentOf(component: ShownComponent, { page }: Snapshot, parts: Parts) {
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
    ...(component.isGroup ? { components: parts.get(component.id) ?? [] } : {}),
  }
}

/** The components of a snapshot as JSON texts by their ids, which many incidents name. */
interface WrittenComponents {
  readonly texts: ReadonlyMap<number, string>
  readonly names: ReadonlyMap<number, string>
}

const written = new WeakMap<Snapshot, Promise<WrittenComponents>>()

function writtenComponents(snapshot: Snapshot): Promise<WrittenComponents> {
  const known = written.get(snapshot) ?? writeComponents(snapshot)
  written.set(snapshot, known)
  return known
}

async function writeComponents(snapshot: Snapshot): Promise<WrittenComponents> {
  const { components } = snapshot
  const parts = new Map<number, string[]>()
  for (const { id, parentId } of components) {
    if (parentId !== null) parts.set(parentId, [...(parts.get(parentId) ?? []), String(id)])
  }
  const texts = await inSlices(components, (one) => JSON.stringify(componentOf(one, snapshot, parts)))
  return {
    texts: new Map(components.map(({ id }, index) => [id, texts[index] ?? ''])),
    names: new Map(components.map(({ id, name }) => [id, name])),
  }
}

function updatesOf(incident: PublishedIncident, { names }: WrittenComponents) {
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
      const name = names.get(id)
      const old = last.get(id) ?? 'operational'
      last.set(id, status)
      return name === undefined ? [] : [{ code: String(id), name, old_status: old, new_status: status }]
    }),
  }))
  return shown.toReversed()
}

function incidentText(incident: PublishedIncident, { page }: Snapshot, url: string, known: WrittenComponents): string {
  const named = [...new Set(incident.componentIds)].flatMap((id) => known.texts.get(id) ?? [])
  const about = {
    id: incident.id,
    name: incident.name,
    status: incident.status,
    impact: incident.impact,
    created_at: formatMoment(incident.createdAt),
    updated_at: formatMoment(incident.updatedAt),
    monitoring_at: moment(incident.monitoringAt),
    resolved_at: moment(incident.resolvedAt),
    started_at: formatMoment(incident.startedAt),
    shortlink: `${url}/${incidentName(incident)}`,
    page_id: String(page.id),
    incident_updates: updatesOf(incident, known),
    ...(incident.isMaintenance
      ? { scheduled_for: moment(incident.scheduledFor), scheduled_until: moment(incident.scheduledUntil) }
      : {}),
  }
  return `${JSON.stringify(about).slice(0, -1)},"components":[${named.join(',')}]}`
}

/** Bytes of the incidents of one document: the newest that fit. */
const mostBytes = 2 * 2 ** 20

/** A member of a document, as text. */
type Part = (snapshot: Snapshot, url: string) => Promise<string>

const status: Part = async (snapshot) =>
  `"status":${JSON.stringify({ indicator: snapshot.indicator, description: headlineOf(snapshot) })}`
const components: Part = async (snapshot) => {
  const { texts } = await writtenComponents(snapshot)
  return `"components":[${[...texts.values()].join(',')}]`
}

async function incidentList(shown: readonly PublishedIncident[], snapshot: Snapshot, url: string): Promise<string> {
  const known = await writtenComponents(snapshot)
  let bytes = 0
  const texts = await inSlices(shown, (incident) => {
    if (bytes > mostBytes) return ''
    const text = incidentText(incident, snapshot, url, known)
    bytes += text.length
    return bytes > mostBytes ? '' : text
  })
  return texts.filter((text) => text !== '').join(',')
}

function incidents(isMeant: (incident: PublishedIncident) => boolean): Part {
  return async (snapshot, url) =>
    `"incidents":[${await incidentList(snapshot.incidents.filter(isMeant), snapshot, url)}]`
}

function maintenances(isMeant: (incident: PublishedIncident) => boolean): Part {
  return async (snapshot, url) =>
    `"scheduled_maintenances":[${await incidentList(snapshot.maintenances.filter(isMeant), snapshot, url)}]`
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

export async function apiDocument(name: string, snapshot: Snapshot, url: string): Promise<string> {
  const members = [`"page":${JSON.stringify(pageOf(snapshot, url))}`]
  for (const part of documents[name] ?? []) members.push(await part(snapshot, url))
  return `{${members.join(',')}}`
}
