import sql from 'sql-template-tag'
import { needsSensors, serviceTypeOf } from '../../checks/index.ts'
import { sensorSilenceSeconds } from '../../database/services/sensors.ts'
import { readOnlyPermissions } from '../../domain/access/permissions.ts'
import { always, type Condition, is, type Row } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import { resource, table } from '../../rest/declare.ts'
import { boolean, identifier, list, moment, object, text } from '../../rest/fields.ts'
import { coordinateFields, recentRoundsField } from './sensor-fields.ts'
import { sensorStatusOf } from './sensor-status.ts'

/** A list of the sensors that can be chosen. `within` narrows it to those of one category or one type. */
export function availableSensors(summary: string, within: (parent: Row, call: Call) => Condition = () => always(true)) {
  return { list: 'sensors', summary, where: within } as const
}

/** Sensors that can check services of a type; none for a type that no sensor checks, or that there is not. */
export function canCheck(typeId: string): Condition {
  const type = serviceTypeOf(typeId)
  return type === undefined || !needsSensors(typeId) ? always(false) : is('category_ids', type.category)
}

const link = { name: text({}), url: text({}) }
const shown = { readOnly: true, filter: true, contains: true, sort: true } as const

const sensorFields = {
  id: identifier(),
  name: text({ ...shown, example: 'Local 1' }),
  city: text({ ...shown, example: 'Warszawa' }),
  country: text({ ...shown, example: 'Polska' }),
  ...coordinateFields({ readOnly: true }),
  ip_address: text({ ...shown, example: '192.0.2.1' }),
  is_available: boolean({
    about: 'True while the station reports in.',
    readOnly: true,
    filter: true,
    sort: true,
    column: ({ alias, nowAt }) =>
      sql`(${alias}.lost_at is null and coalesce(${alias}.last_seen_at > ${new Date(nowAt - sensorSilenceSeconds * 1000)}, false))`,
  }),
  last_seen_at: moment({
    about: 'When it last reported in. Null: never.',
    readOnly: true,
    computed: true,
    nullable: true,
    filter: true,
    sort: true,
  }),
  links: list(object(link, {}), { readOnly: true, example: [] }),
  category_ids: list(text({}), {
    about: 'Categories of service types that it can serve.',
    readOnly: true,
    filter: true,
    example: ['default'],
  }),
  recent_rounds: recentRoundsField,
}

export const sensors = resource('sensors', {
  about: 'Monitoring stations, which this interface calls sensors. The list is public.',
  singular: 'sensor',
  source: table('sensors'),
  access: 'public',
  fields: sensorFields,
  embed: ['recent_rounds', 'permissions'],
  search: ['id', 'name', 'city', 'country'],
  forNarrowedKeys: true,
  visible: () => always(true),
  permissions: readOnlyPermissions,
  operations: ['list', 'search', 'read', 'permissions'],
  actions: [sensorStatusOf(sensorFields)],
})
