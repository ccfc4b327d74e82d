import type { Executor } from '../../database/connect.ts'
import { publishIncident, writeUpdates } from '../../database/status-pages/status-page-incidents.ts'
import { componentsOf, pageChanged } from '../../database/status-pages/status-pages.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import {
  type IncidentProgress,
  type IncidentUpdate,
  progressTo,
  statusProblems,
} from '../../domain/status-pages/status-page.ts'
import { tellOfIncident } from '../../outbox/incident-notices.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { readBody } from '../../rest/input.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse, refuseAny } from '../../rest/problems.ts'
import { noContent } from '../../rest/routes.ts'
import { affectedProblems, updateFields } from './incident-fields.ts'

const tag = 'status_page_incidents'

interface Locked extends IncidentProgress {
  readonly id: number
  readonly status_page_id: number
  readonly is_maintenance: boolean
  readonly updates: readonly IncidentUpdate[]
}

async function lockIncident(transaction: Executor, call: Call): Promise<Locked> {
  const row = await lockForWrite(call.registry.get(tag), transaction, call, 'update')
  return row as unknown as Locked
}

const publish: Operation = {
  id: 'status_page_incidents.publish',
  method: 'POST',
  path: '/status_page_incidents/{_id}/publish',
  tag,
  summary: 'Publish an incident',
  about: 'From now on the page shows it. One that is published already stays as it is.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  answers: noContent,
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const { id, status_page_id: pageId } = await lockIncident(transaction, call)
      await publishIncident(transaction, id, call.nowAt)
      await tellOfIncident(transaction, id, call.nowAt)
      await pageChanged(transaction, pageId, call.nowAt)
    })
    return { status: 204 }
  },
}

type Given = Pick<IncidentUpdate, 'status' | 'body'> & Partial<IncidentUpdate>

async function updateProblems(transaction: Executor, incident: Locked, given: Given): Promise<readonly Problem[]> {
  const known = new Set((await componentsOf(transaction, incident.status_page_id)).map(({ id }) => id))
  return [
    ...statusProblems(given.status, incident.is_maintenance, 'data.status'),
    ...affectedProblems(given.affected_components, known),
  ]
}

function givenUpdate(call: Call): Given {
  const { values, problems } = readBody(updateFields, call.body, call.nowAt)
  refuseAny(problems)
  return values as unknown as Given
}

/** The last update says where the incident stands. */
async function write(transaction: Executor, incident: Locked, updates: readonly IncidentUpdate[], now: number) {
  const progress = progressTo(updates.at(-1)?.status ?? incident.status, incident, now)
  await writeUpdates(transaction, incident.id, { updates, progress, now })
  await tellOfIncident(transaction, incident.id, now)
}

const updatesPath = '/status_page_incidents/{_id}/updates'

const addUpdate: Operation = {
  id: 'status_page_incidents.add_update',
  method: 'POST',
  path: updatesPath,
  tag,
  summary: 'Say how an incident goes on',
  about: 'The incident takes the status of the update.',
  access: 'customer',
  parameters: pathParameters('{_id}'),
  body: updateFields,
  answers: {
    201: {
      about: 'Added.',
      schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'], example: { id: '7-1' } },
    },
  },
  async handle(call) {
    const given = givenUpdate(call)
    const id = await call.database.transaction(async (transaction) => {
      const incident = await lockIncident(transaction, call)
      const { updates, status_page_id: pageId } = incident
      if (updates.length >= countLimits.statusPageUpdates) {
        refuse('limit_exceeded', undefined, { limit: 'updates', value: countLimits.statusPageUpdates })
      }
      refuseAny(await updateProblems(transaction, incident, given))
      const now = call.nowAt
      const made = `${incident.id}-${updates.length + 1}`
      const update = { display_at: now, affected_components: [], ...given, id: made, created_at: now, updated_at: now }
      await write(transaction, incident, [...updates, update], now)
      await pageChanged(transaction, pageId, now)
      return made
    })
    return { status: 201, body: { id } }
  },
}

/** A publication of an incident, and what people say of it. */
export const incidentActions: readonly Operation[] = [publish, addUpdate]
