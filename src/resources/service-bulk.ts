import type { Answer, Call, Operation } from '../rest/call.ts'
import type { Resource } from '../rest/declare.ts'
import { integer } from '../rest/fields.ts'
import { bulkByIds } from '../rest/operations/bulk.ts'
import { remove } from '../rest/operations/remove.ts'
import { update } from '../rest/operations/update.ts'

function withActivity(isActive: boolean): (resource: Resource, call: Call) => Promise<Answer> {
  return (resource, call) => update(resource, { ...call, body: { is_active: isActive } })
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
      name: 'bulk_force_analysis',
      summary: 'Force an analysis of many services',
      each: (_resource, call) => forceAnalysis.handle(call),
    }),
  ]
}
