import sql from 'sql-template-tag'
import { usualChannelIds } from '../../channels/index.ts'
import { loadPackage } from '../../database/accounts/packages.ts'
import { type AvailableServiceType, minimumInterval, remainingServices } from '../../domain/access/limits.ts'
import { always } from '../../domain/queries/condition.ts'
import { serviceDefaults } from '../../domain/services/service-defaults.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { resource, rowsOf } from '../../rest/declare.ts'
import { integer, list, text } from '../../rest/fields.ts'
import { readParent } from '../../rest/locate.ts'
import { listRows } from '../../rest/operations/list.ts'
import { listParameters, pathParameters } from '../../rest/parameter-descriptions.ts'
import { listAnswer } from '../../rest/routes.ts'
import { usualChannelsOf } from './usual-channels.ts'

const where = 'Of a new service of the type that says nothing of it.'

/** Only listed below an account or a group. */
export const availableServiceTypes = resource('available_service_types', {
  about: 'Service types of a package, with how many more services fit.',
  singular: 'available service type',
  source: rowsOf(() => []),
  key: ['service_type_id'],
  fields: {
    service_type_id: text({ readOnly: true, filter: true, sort: true, example: 'http' }),
    minimum_interval: integer({ about: 'Seconds.', readOnly: true, filter: true, sort: true, example: 60 }),
    default_interval: integer({ about: `Seconds. ${where}`, readOnly: true, filter: true, sort: true, example: 600 }),
    default_notification_channel_ids: list(text({}), { about: where, readOnly: true, example: ['email'] }),
    default_notification_condition_ids: list(text({}), {
      about: where,
      readOnly: true,
      example: ['failure', 'recovery'],
    }),
    default_notification_mode_id: text({ about: where, readOnly: true, example: 'default' }),
    default_recovery_notification_mode_id: text({ about: where, readOnly: true, example: 'default' }),
    remaining_services: integer({
      about: '0: fully used; null: nothing limits it.',
      nullable: true,
      readOnly: true,
      filter: true,
      sort: true,
    }),
  },
  search: ['service_type_id'],
  forNarrowedKeys: true,
  visible: () => always(true),
  operations: [],
})

async function typesOf(
  call: Call,
  accountId: number,
  groupId: number | null,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const limits = await loadPackage(call.database, accountId, { lock: false })
  if (limits === null) return []
  const channels = groupId === null ? usualChannelIds : await usualChannelsOf(call.database, groupId)
  const counts = await call.database.query<{ type_id: string; count: number }>(sql`
    select type_id, count(*)::int as count from services where owner_id = ${accountId} and not is_archived group by type_id`)
  const total = counts.reduce((sum, { count }) => sum + count, 0)
  return limits.available_service_types.map(({ service_type_id: id }: AvailableServiceType) => ({
    service_type_id: id,
    minimum_interval: minimumInterval(limits, id),
    ...Object.fromEntries(
      Object.entries(serviceDefaults(limits, id, channels)).map(([name, value]) => [`default_${name}`, value]),
    ),
    remaining_services: remainingServices(limits, id, {
      total,
      ofType: counts.find((entry) => entry.type_id === id)?.count ?? 0,
    }),
  }))
}

/** `GET /{parent}/{_id}/available_service_types`; `ownerField` names the account in the parent's row. */
export function availableServiceTypesOf(parent: 'accounts' | 'groups', ownerField: string): Operation {
  return {
    id: `${parent}.available_service_types`,
    method: 'GET',
    path: `/${parent}/{_id}/available_service_types`,
    tag: 'service_types',
    summary: `Service types usable in the ${parent === 'accounts' ? "account's package" : "package of the group's owner"}`,
    access: 'customer',
    parameters: [...pathParameters('{_id}'), ...listParameters(availableServiceTypes)],
    answers: listAnswer(availableServiceTypes),
    async handle(call) {
      const row = await readParent(call.registry.get(parent), call)
      const groupId = parent === 'groups' ? Number(row['id']) : null
      const types = await typesOf(call, Number(row[ownerField]), groupId)
      return listRows(availableServiceTypes, call, types)
    },
  }
}
