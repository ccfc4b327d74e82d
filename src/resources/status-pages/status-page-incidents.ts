import type { Executor } from '../../database/connect.ts'
import { writeUpdates } from '../../database/status-pages/status-page-incidents.ts'
import { periodProblems } from '../../domain/calendars/period.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import {
  type IncidentProgress,
  type IncidentUpdate,
  incidentImpacts,
  incidentStatuses,
  progressTo,
  statusProblems,
} from '../../domain/status-pages/status-page.ts'
import { tellOfIncident } from '../../outbox/incident-notices.ts'
import type { Call } from '../../rest/call.ts'
import { resource, type Writing } from '../../rest/declare.ts'
import { boolean, list, moment, text } from '../../rest/fields.ts'
import { ids, nameField } from '../on-call/references.ts'
import { incidentActions } from './incident-actions.ts'
import { affectedProblems, firstUpdateFields, updateShape } from './incident-fields.ts'
import {
  firstFields,
  isDifferent,
  lastFields,
  type NamingFacts,
  namingFacts,
  namingProblems,
  ofServer,
  pageProblems,
  partOf,
  partWriting,
} from './page-parts.ts'

interface Incident extends IncidentProgress, Readonly<Record<string, unknown>> {
  readonly id: number
  readonly status_page_id: number
  readonly is_published: boolean
  readonly is_maintenance: boolean
  readonly component_ids: readonly number[]
  readonly scheduled_for: number | null
  readonly scheduled_until: number | null
  readonly updates: readonly IncidentUpdate[]
  readonly body?: string
  readonly affected_components?: IncidentUpdate['affected_components']
}

function complete(given: Partial<Incident>, before: Incident | null, { now }: NamingFacts) {
  const isMaintenance = before?.is_maintenance ?? given.is_maintenance ?? false
  const status = given.status ?? before?.status ?? (isMaintenance ? 'scheduled' : 'investigating')
  const progress = before?.status === status ? {} : progressTo(status, before, now)
  const started = given.is_maintenance === true ? given.scheduled_for : null
  const fresh = {
    ...{ impact: isMaintenance ? 'none' : 'minor', is_published: false, is_maintenance: isMaintenance },
    ...{ started_at: started ?? now, component_ids: [], created_at: now },
  }
  const touched = isDifferent(given, before) ? { updated_at: now } : {}
  return {
    row: { ...(before === null ? fresh : {}), ...given, ...progress, ...touched } as Partial<Incident>,
    problems: [],
  }
}

/** Maintenance has a time, and nothing else has. */
function timeProblems(row: Partial<Incident>): readonly Problem[] {
  const names = ['scheduled_for', 'scheduled_until'] as const
  if (row.is_maintenance !== true) {
    return names.flatMap((name) => (row[name] == null ? [] : [{ error: 'incorrect_value', field: `data.${name}` }]))
  }
  const missing = names.filter((name) => row[name] == null)
  return [
    ...missing.map((name) => ({ error: 'missing_value', field: `data.${name}`, facts: { name } })),
    ...periodProblems(row.scheduled_for ?? undefined, row.scheduled_until ?? undefined, 'data.scheduled_until'),
  ]
}

/** A message says the statuses of components, and later messages are updates of their own. */
function firstUpdateProblems(row: Partial<Incident>, isNew: boolean): readonly Problem[] {
  if (isNew) {
    return row.affected_components !== undefined && row.body === undefined
      ? [{ error: 'missing_value', field: 'data.body', facts: { name: 'body' } }]
      : []
  }
  return (['body', 'affected_components'] as const).flatMap((name) =>
    row[name] === undefined ? [] : [{ error: 'field_is_immutable', field: `data.${name}` }],
  )
}

/** The first message is written with its incident, so that nobody sees one without the other. */
async function writeFirstUpdate(transaction: Executor, { nowAt: now }: Call, row: Incident): Promise<void> {
  const { id, status, body, affected_components: affected = [] } = row
  if (body === undefined) return
  const moments = { display_at: now, created_at: now, updated_at: now }
  const update = { id: `${id}-1`, status, body, affected_components: affected, ...moments }
  await writeUpdates(transaction, id, { updates: [update], progress: row, now })
}

const write: Writing<Incident, NamingFacts> = {
  ...partWriting,
  async changed(transaction, call, row, before) {
    await partWriting.changed(transaction, call, row, before)
    await tellOfIncident(transaction, row.id, call.nowAt)
  },
  countLimit: { count: countLimits.statusPageIncidents, per: 'status_page_id' },
  async created(transaction, call, row) {
    await writeFirstUpdate(transaction, call, row)
    await partWriting.created(transaction, call, row)
    await tellOfIncident(transaction, row.id, call.nowAt)
  },
  facts: namingFacts,
  complete,
  rules: (row, known, before) => [
    ...pageProblems(row, known),
    ...(row.status === undefined ? [] : statusProblems(row.status, row.is_maintenance === true, 'data.status')),
    ...timeProblems(row),
    ...namingProblems(row.component_ids ?? [], known, before?.component_ids),
    ...affectedProblems(row.affected_components, known.components),
    ...firstUpdateProblems(row, before === null),
  ],
}

const planned = { nullable: true, filter: true, sort: true, example: null } as const

export const statusPageIncidents = resource('status_page_incidents', {
  ...partOf('status_page_incidents'),
  about:
    'Incidents and maintenance of a status page. One is a draft, which only its owner sees, until it is published. A failure of a service opens a draft by itself, or publishes it if the page says so.',
  singular: 'status page incident',
  making: 'Then `POST /status_page_incidents/{_id}/publish` shows it, and `…/updates` says how it goes on.',
  fields: {
    ...firstFields,
    name: { ...nameField, about: 'Public.', example: 'The shop is slow' },
    status: text({
      about: 'Default: investigating, or scheduled of maintenance, which begins and ends by itself.',
      oneOf: incidentStatuses,
      filter: true,
      example: 'investigating',
      untypical: true,
    }),
    impact: text({ oneOf: incidentImpacts, filter: true, example: 'minor' }),
    is_published: boolean({ about: 'False: a draft.', filter: true, example: false }),
    started_at: moment({ about: 'Default: now.', filter: true, sort: true, example: '2026-11-21T12:00:00Z' }),
    monitoring_at: moment({ ...ofServer, nullable: true }),
    resolved_at: moment({ ...ofServer, nullable: true }),
    component_ids: ids('Components of the page that it concerns.', 500),
    ...firstUpdateFields,
    updates: list(updateShape, {
      about: 'The oldest first.',
      readOnly: true,
      computed: true,
      stored: 'json',
      example: [],
    }),
    change_ids: list(text({}), {
      about: 'The failures that opened it, as in the history of status changes.',
      readOnly: true,
      computed: true,
      example: [],
    }),
    is_maintenance: boolean({ about: 'Planned work, with a time.', immutable: true, filter: true, example: false }),
    scheduled_for: moment({ about: 'When maintenance begins.', ...planned }),
    scheduled_until: moment({ about: 'When maintenance ends.', ...planned }),
    ...lastFields,
  },
  write,
  actions: incidentActions,
})
