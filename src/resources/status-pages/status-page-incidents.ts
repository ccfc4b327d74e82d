import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { componentsOf } from '../../database/status-pages.ts'
import { bounds } from '../../domain/bounds.ts'
import { periodProblems } from '../../domain/period.ts'
import { ownOrParents, tagPermissions } from '../../domain/permissions.ts'
import type { Problem } from '../../domain/problem.ts'
import {
  type IncidentProgress,
  type IncidentUpdate,
  incidentImpacts,
  incidentStatuses,
  progressTo,
  statusProblems,
} from '../../domain/status-page.ts'
import type { Call } from '../../rest/call.ts'
import { one, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, list, moment, text } from '../../rest/fields.ts'
import { ids, nameField } from '../on-call/references.ts'
import { incidentActions } from './incident-actions.ts'
import { updateShape } from './incident-fields.ts'
import { isDifferent, type PageFacts, pageFacts, pageField, pageProblems, partWriting } from './page-parts.ts'

interface Incident extends IncidentProgress, Readonly<Record<string, unknown>> {
  readonly id: number
  readonly status_page_id: number
  readonly is_published: boolean
  readonly is_maintenance: boolean
  readonly component_ids: readonly number[]
  readonly scheduled_for: number | null
  readonly scheduled_until: number | null
  readonly updates: readonly IncidentUpdate[]
}

interface Facts extends PageFacts {
  readonly components: ReadonlySet<number>
}

async function facts(
  transaction: Executor,
  call: Call,
  given: Partial<Incident>,
  before: Incident | null,
): Promise<Facts> {
  const page = await pageFacts(transaction, call, given, before)
  const components = await componentsOf(transaction, page.pageId)
  return { ...page, components: new Set(components.map(({ id }) => id)) }
}

function complete(given: Partial<Incident>, before: Incident | null, { now }: Facts) {
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

const write: Writing<Incident, Facts> = {
  ...partWriting,
  most: { count: bounds.statusPageIncidents, per: 'status_page_id' },
  facts,
  complete,
  rules: (row, known, before) => [
    ...pageProblems(row, known),
    ...(row.status === undefined ? [] : statusProblems(row.status, row.is_maintenance === true, 'data.status')),
    ...timeProblems(row),
    ...(row.component_ids ?? []).flatMap((id, index) =>
      known.components.has(id) || before?.component_ids.includes(id) === true
        ? []
        : [
            {
              error: 'incorrect_value',
              field: `data.component_ids[${index}]`,
              facts: { detail: 'component_of_page' } as const,
            },
          ],
    ),
  ],
}

const ofServer = { readOnly: true, computed: true, filter: true, sort: true } as const
const planned = { nullable: true, filter: true, sort: true, example: null } as const

export const statusPageIncidents = resource('status_page_incidents', {
  about:
    'Incidents and maintenance of a status page. One is a draft, which only its owner sees, until it is published. A failure of a service opens a draft by itself, or publishes it if the page says so.',
  singular: 'status page incident',
  making: 'Then `POST /status_page_incidents/{_id}/publish` shows it, and `…/updates` says how it goes on.',
  source: table(
    'status_page_incidents',
    () =>
      sql`select part.*, p.owner_id from status_page_incidents part join status_pages p on p.id = part.status_page_id`,
  ),
  fields: {
    id: identifier(),
    status_page_id: pageField,
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
    created_at: moment(ofServer),
    updated_at: moment(ofServer),
    owner_id: integer({ internal: true }),
  },
  relations: { status_page: one('status_pages', 'status_page_id') },
  embed: ['status_page', 'permissions'],
  subresources: ['status_page'],
  search: ['id', 'name'],
  visible: (caller) => ownOrParents(caller),
  permissions: tagPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  write,
  actions: incidentActions,
})
