/** Words and rules of public status pages. */
import * as z from 'zod'
import type { Problem } from '../input/problem.ts'

export const componentStatuses = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
] as const
export type ComponentStatus = (typeof componentStatuses)[number]

export const incidentImpacts = ['none', 'minor', 'major', 'critical'] as const
export type IncidentImpact = (typeof incidentImpacts)[number]

export const pageAccesses = ['public', 'password', 'link', 'addresses', 'login'] as const
export type PageAccess = (typeof pageAccesses)[number]

const ofIncidents = ['investigating', 'identified', 'monitoring', 'resolved', 'postmortem'] as const
const ofMaintenance = ['scheduled', 'in_progress', 'verifying', 'completed'] as const

export const incidentStatuses = [...ofIncidents, ...ofMaintenance] as const
export type IncidentStatus = (typeof incidentStatuses)[number]

/** Statuses after which nothing of an incident counts any more. */
export function isOver(status: IncidentStatus): boolean {
  return status === 'resolved' || status === 'postmortem' || status === 'completed'
}

/** Problems: incorrect_value if an incident has a status of maintenance, or the other way round. */
export function statusProblems(status: IncidentStatus, isMaintenance: boolean, pointer: string): readonly Problem[] {
  const fitting: readonly string[] = isMaintenance ? ofMaintenance : ofIncidents
  return fitting.includes(status)
    ? []
    : [{ error: 'incorrect_value', field: pointer, facts: { detail: 'incident_status' } }]
}

/** The document of an incident, below the address of its page. */
export function incidentDocument(id: string): string {
  return `incidents/${id}.html`
}

export const slugPattern = /^[a-z0-9]([a-z0-9-]{0,58}[a-z0-9])?$/

const hostLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** An address as URL parsers read it: they refuse false `xn--` labels, and take `a.0x1` for an IP address. */
const readUrl = z.url({ normalize: true })

/** True for a name of several parts that is no IP address, and that URL parsers leave as it is. */
export function isPageHost(host: string): boolean {
  const labels = host.split('.')
  const last = labels.at(-1) ?? ''
  const isName = labels.length > 1 && /[a-z]/.test(last) && labels.every((label) => hostLabel.test(label))
  return host.length <= 253 && isName && readUrl.safeParse(`http://${host}/`).data === `http://${host}/`
}

/** The source of a component's status; at most one member is not null. */
export interface ComponentSource {
  readonly service_id: number | null
  readonly group_id: number | null
  readonly tag: string | null
  readonly status: ComponentStatus | null
}

/** Problems: incorrect_value. */
export function sourceProblems(source: Partial<ComponentSource>): readonly Problem[] {
  const names = (['service_id', 'group_id', 'tag', 'status'] as const).filter((name) => source[name] != null)
  const [, second] = names
  return second === undefined
    ? []
    : [{ error: 'incorrect_value', field: `data.${second}`, facts: { detail: 'component_source' } }]
}

/** One published message of an incident. Moments in Unix milliseconds. */
export interface IncidentUpdate {
  readonly id: string
  readonly status: IncidentStatus
  readonly body: string
  readonly display_at: number
  readonly created_at: number
  readonly updated_at: number
  readonly affected_components: readonly { readonly component_id: number; readonly status: ComponentStatus }[]
}

/** The columns of an incident that its updates decide. Moments in Unix milliseconds. */
export interface IncidentProgress {
  readonly status: IncidentStatus
  readonly monitoring_at: number | null
  readonly resolved_at: number | null
}

/** The moments of an incident with this status from `now` on. An incident that goes on again has no end. */
export function progressTo(status: IncidentStatus, before: IncidentProgress | null, now: number): IncidentProgress {
  return {
    status,
    monitoring_at: status === 'monitoring' ? (before?.monitoring_at ?? now) : (before?.monitoring_at ?? null),
    resolved_at: isOver(status) ? (before?.resolved_at ?? now) : null,
  }
}
