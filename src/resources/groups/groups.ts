import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { loadPackage } from '../../database/accounts/packages.ts'
import type { Executor } from '../../database/connect.ts'
import { type KnownSensorRow, readKnownSensors } from '../../database/services/sensors.ts'
import { type PackageLimits, sensorProblems } from '../../domain/access/limits.ts'
import {
  groupPermissions,
  groupVisible,
  mayMakeForAccount,
  mayWrite,
  ownOrParents,
} from '../../domain/access/permissions.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { type AssignedSensorIds, assignFirstSensors } from '../../domain/judging/assigned-sensors.ts'
import { holds, oneOf } from '../../domain/queries/condition.ts'
import { type SensorCategory, sensorCategories } from '../../domain/services/service-types.ts'
import type { Call } from '../../rest/call.ts'
import { by, one, resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, identifier, integer, list, object, text } from '../../rest/fields.ts'
import { bulkByIds } from '../../rest/operations/bulk.ts'
import { remove } from '../../rest/operations/remove.ts'
import { lockServicesOf, removeServices } from '../../service-state/services.ts'
import { gapsOfGroups, noteWarnings } from '../../service-state/warnings.ts'
import { availableSensors, canCheck } from '../dictionaries/sensors.ts'
import { sendTestSmsOf } from '../notifications/test-messages.ts'
import {
  contactFields,
  escalationField,
  type NotifiedPeople,
  peopleProblems,
  peopleReferences,
} from '../on-call/references.ts'
import { availableServiceTypesOf } from '../services/available-service-types.ts'
import { groupWarnings, warningOf } from '../services/warnings.ts'

interface Group extends Readonly<Record<string, unknown>>, NotifiedPeople {
  readonly id: number
  readonly owner_id: number
  readonly is_default: boolean
  readonly assigned_sensor_ids: AssignedSensorIds
  readonly sensor_ids: readonly number[]
}

interface Facts {
  readonly limits: PackageLimits | null
  readonly sensors: readonly KnownSensorRow[]
  /** The possible values of `owner_id`; the last one is the owner of a new group. */
  readonly possibleOwners: readonly number[]
  /** Problems of the people whom it is to notify. */
  readonly toldProblems: readonly Problem[]
}

async function facts(transaction: Executor, call: Call, given: Partial<Group>, before: Group | null): Promise<Facts> {
  const { caller, nowAt } = call
  const possibleOwners = [...caller.account_ids, caller.primary_account_id]
  const wanted = possibleOwners.find((id) => id === given.owner_id)
  const ownerId = before?.owner_id ?? wanted ?? caller.primary_account_id
  return {
    limits: await loadPackage(transaction, ownerId, { lock: false }),
    sensors: await readKnownSensors(transaction, nowAt),
    possibleOwners,
    toldProblems: await peopleProblems(transaction, call, ownerId, { given, before }),
  }
}

/**
 * The whole object replaces the old one. The legacy `sensor_ids` changes only its category `default`, and nothing if it
 * comes back as it was shown.
 */
function assignment(given: Partial<Group>, before: Group | null, known: Facts): AssignedSensorIds | undefined {
  const whole: Partial<AssignedSensorIds> | undefined = given.assigned_sensor_ids
  const isLegacy = given.sensor_ids !== undefined && !isDeepStrictEqual(given.sensor_ids, before?.sensor_ids)
  if (whole === undefined && !isLegacy && before !== null) return undefined
  const base = before?.assigned_sensor_ids ?? assignFirstSensors(known.sensors, known.limits?.maximum_sensors ?? null)
  const assigned = whole === undefined ? base : { default: [], ipv6: [], mobile: [], webappcheck: [], ...whole }
  return isLegacy ? { ...assigned, default: given.sensor_ids } : assigned
}

function complete(
  given: Partial<Group>,
  before: Group | null,
  known: Facts,
): { row: Partial<Group>; problems: Problem[] } {
  const { sensor_ids: _legacy, ...row } = given
  const assigned = assignment(given, before, known)
  const problems: Problem[] = []
  if (given.owner_id !== undefined && !known.possibleOwners.includes(given.owner_id)) {
    problems.push({ error: 'incorrect_value', field: 'data.owner_id', facts: { detail: 'owner' } })
  }
  problems.push(...known.toldProblems)
  return {
    row: {
      ...row,
      ...(assigned === undefined ? {} : { assigned_sensor_ids: assigned }),
      ...(before === null ? { owner_id: given.owner_id ?? known.possibleOwners.at(-1) } : {}),
    } as Partial<Group>,
    problems,
  }
}

function rules(
  { assigned_sensor_ids: assigned }: Partial<Group>,
  { limits, sensors }: Facts,
  before: Group | null,
): readonly Problem[] {
  if (limits === null || assigned === undefined) return []
  return sensorCategories.flatMap((category) => {
    // A sensor that was taken away from everybody later must not stop other changes.
    const unchanged = isDeepStrictEqual(before?.assigned_sensor_ids[category], assigned[category])
    const pointer = `data.assigned_sensor_ids.${category}`
    return unchanged ? [] : sensorProblems(limits, sensors, { ids: assigned[category], category, pointer })
  })
}

const write: Writing<Group, Facts> = {
  countLimit: { count: countLimits.groups, per: 'owner_id' },
  allowed: ({ caller }) => mayMakeForAccount(caller),
  facts,
  complete,
  rules,
  explain: (row, flag, { caller }) =>
    flag === 'delete' && row.is_default && holds(mayWrite(caller), row) && holds(ownOrParents(caller), row)
      ? [{ error: 'default_group_cannot_be_deleted' }]
      : [],
  async changed(transaction, { nowAt }, row, before) {
    if (isDeepStrictEqual(row.assigned_sensor_ids, before.assigned_sensor_ids)) return
    await noteWarnings(transaction, await lockServicesOf(transaction, sql`group_id = ${row.id}`), nowAt)
  },
  warnings: async (transaction, { language }, id) =>
    groupWarnings((await gapsOfGroups(transaction, [id])).get(id) ?? [], language),
  async removing(transaction, _call, { id }) {
    await removeServices(transaction, await lockServicesOf(transaction, sql`group_id = ${id}`))
    return []
  },
}

/** Sensors of the installation, by their name. */
const sensorReference = { to: 'sensors', isOpen: true } as const

const sensorList = list(integer({}), { maximumLength: 100, example: [1, 2, 3] })
const reportFlag = { filter: true, sort: true, example: true } as const

export const groups = resource('groups', {
  about: 'Groups of services, with the stations that check them and the addresses that they notify.',
  singular: 'group',
  source: table('groups'),
  alias: { my_default_group: ({ caller }) => caller.default_group_id },
  fields: {
    id: identifier(),
    name: text({
      required: true,
      minimumLength: 1,
      maximumLength: 200,
      filter: true,
      contains: true,
      sort: true,
      example: 'Sklep',
    }),
    owner_id: integer({ about: 'Owner of the group and of its services.', immutable: true, filter: true, sort: true }),
    is_default: boolean({
      about: 'New services go to the default group.',
      readOnly: true,
      filter: true,
      sort: true,
      example: false,
    }),
    periodic_daily_reports: boolean(reportFlag),
    periodic_weekly_reports: boolean(reportFlag),
    periodic_monthly_reports: boolean(reportFlag),
    archived_services_in_periodic_reports: boolean(reportFlag),
    assigned_sensor_ids: object(
      { default: sensorList, ipv6: sensorList, mobile: sensorList, webappcheck: sensorList },
      {
        about: 'Sensors by category; replaced as a whole.',
        example: { default: [1, 2, 3], ipv6: [], mobile: [], webappcheck: [] },
      },
    ),
    sensor_ids: list(integer({}), {
      about: 'The same as assigned_sensor_ids.default.',
      deprecated: true,
      maximumLength: 100,
      example: [1, 2, 3],
      column: ({ alias }) => sql`${alias}.assigned_sensor_ids->'default'`,
    }),
    ...contactFields,
    escalation_id: escalationField,
    warnings: list(warningOf(['no_sensor'], { category: text({ oneOf: sensorCategories }) }), {
      about: 'Categories in which active services of the group have no station, so that they are not checked.',
      readOnly: true,
      computed: true,
      example: [],
      column: () => sql`null::jsonb`,
      attached: gapsOfGroups,
      shown: (categories, _row, language) => groupWarnings((categories ?? []) as readonly SensorCategory[], language),
    }),
  },
  relations: { owner: one('accounts', 'owner_id') },
  embed: ['owner', 'permissions'],
  subresources: ['owner'],
  search: ['id', 'name'],
  forNarrowedKeys: true,
  visible: (caller) => groupVisible(caller),
  permissions: groupPermissions,
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: {
    references: {
      'assigned_sensor_ids.default': sensorReference,
      'assigned_sensor_ids.ipv6': sensorReference,
      'assigned_sensor_ids.mobile': sensorReference,
      'assigned_sensor_ids.webappcheck': sensorReference,
      ...peopleReferences,
    },
  },
  children: {
    services: by('services', 'group_id', 'Services in a group'),
    notification_addresses: by('notification_addresses', 'group_id', 'Notification addresses of a group'),
    periodic_report_addresses: by('periodic_report_addresses', 'group_id', 'Report addresses of a group'),
    sensors: {
      list: 'sensors',
      summary: "Group's stations in category default",
      where: (group) => oneOf('id', (group as Group).assigned_sensor_ids.default),
    },
    available_sensors: availableSensors('Sensors that a group can use'),
    available_sensors_by_service_type: {
      ...availableSensors('Sensors of a group that can check services of a type', (_group, { parameters }) =>
        canCheck(parameters['_service_type_id'] ?? ''),
      ),
      path: 'available_sensors/by_service_type/{_service_type_id}',
    },
  },
  write,
  actions: [
    availableServiceTypesOf('groups', 'owner_id'),
    sendTestSmsOf('groups'),
    bulkByIds({
      resource: 'groups',
      name: 'bulk_delete',
      summary: 'Delete many groups with all that is in them',
      each: remove,
    }),
  ],
})
