import type { Answer, Call, Operation } from '../../rest/call.ts'
import type { Resource } from '../../rest/declare.ts'
import { type Fields, integer, object } from '../../rest/fields.ts'
import { bulkByIds } from '../../rest/operations/bulk.ts'
import { remove } from '../../rest/operations/remove.ts'
import { update } from '../../rest/operations/update.ts'
import { ApiError } from '../../rest/problems.ts'
import { serviceFields } from './services.ts'

function withActivity(isActive: boolean): (resource: Resource, call: Call) => Promise<Answer> {
  return (resource, call) => update(resource, { ...call, body: { is_active: isActive } })
}

/** The members that a change of a service may send, each optional. */
function changeable(fields: Fields): Fields {
  const chosen = Object.entries(fields).filter(([, { readOnly, immutable, internal }]) => {
    return !(readOnly || immutable || internal)
  })
  return Object.fromEntries(chosen.map(([name, field]) => [name, { ...field, required: false }]))
}

const member = 'set'

/** The change of one service; its problems point into the member of the body that holds the change. */
async function updateWithin(resource: Resource, call: Call): Promise<Answer> {
  const { [member]: body } = call.body as Readonly<Record<string, unknown>>
  try {
    return await update(resource, { ...call, body })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(
      error.problems.map(({ field, ...problem }) =>
        field === undefined ? problem : { ...problem, field: field.replace(/^data\b/, `data.${member}`) },
      ),
      error.headers,
    )
  }
}

/** The bulk forms of services; forcing is handed in, since its limits are configuration (answers §8). */
export function bulkServices(forceAnalysis: Operation): readonly Operation[] {
  const resource = 'services'
  return [
    bulkByIds({
      resource,
      name: 'bulk_activate',
      summary: 'Switch monitoring of many services on',
      each: withActivity(true),
    }),
    bulkByIds({
      resource,
      name: 'bulk_pause',
      summary: 'Switch monitoring of many services off',
      each: withActivity(false),
    }),
    bulkByIds({ resource, name: 'bulk_delete', summary: 'Delete many services', each: remove }),
    bulkByIds({
      resource,
      name: 'bulk_change_group',
      summary: 'Move many services to a group',
      fields: { group_id: integer({ required: true, example: 1 }) },
      each: update,
    }),
    bulkByIds({
      resource,
      name: 'bulk_update',
      summary: 'Change many services in the same way',
      fields: {
        [member]: object(changeable(serviceFields), {
          required: true,
          about: 'The fields to change, as in a change of one service.',
          example: { interval: 300, tags: ['web'] },
        }),
      },
      each: updateWithin,
    }),
    bulkByIds({
      resource,
      name: 'bulk_force_analysis',
      summary: 'Force an analysis of many services',
      each: (_resource, call) => forceAnalysis.handle(call),
    }),
  ]
}
