import sql from 'sql-template-tag'
import { countLimits } from '../../domain/input/count-limits.ts'
import type { Writing } from '../../rest/declare.ts'
import { resource } from '../../rest/declare.ts'
import { type Fields, identifier, moment } from '../../rest/fields.ts'
import { bulkByIds, bulkCreate } from '../../rest/operations/bulk.ts'
import { remove } from '../../rest/operations/remove.ts'
import { update } from '../../rest/operations/update.ts'
import {
  calendarWrite,
  onlyNotifications,
  partConfiguration,
  partFields,
  partOfService,
  periodWrite,
  servicePart,
  touchedTimes,
} from './service-part.ts'

const operations = ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'] as const

/** One-off suspensions begin now unless told otherwise. */
function writing(start: string, end: string): Writing {
  return {
    ...calendarWrite(periodWrite({ flag: 'create_suspensions', isForArchived: false, start, end })),
    countLimit: { count: countLimits.suspensions, per: 'service_id' },
    complete: (given, before, _facts, { nowAt }) => ({
      row: before === null ? { [start]: Math.floor(nowAt / 1000) * 1000, ...given } : given,
      problems: [],
    }),
  }
}

const time = { filter: true, sort: true } as const
/** Examples lie long after today: they can be planned whenever they are pasted, and stop nothing meanwhile. */
const startTime = { ...time, about: 'Inclusive; default now.', typical: true, example: '2030-12-24T08:00:00Z' } as const
const endTime = { ...time, required: true, about: 'Exclusive.', example: '2030-12-24T10:00:00Z' } as const
const { service_id, description, ...whose } = partFields

const suspensionFields = {
  service_id,
  start_time: moment(startTime),
  end_time: moment(endTime),
  only_notifications: onlyNotifications,
  description,
}

const scheduledFields = {
  service_id,
  description,
  start: moment({ ...startTime, storedIn: 'start_time' }),
  end: moment({ ...endTime, storedIn: 'end_time' }),
}

function withoutService({ service_id: _service, ...fields }: Fields): Fields {
  return fields
}

function optional(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, required: false }]))
}

export const suspensions = resource('suspensions', {
  ...servicePart,
  about: 'One-off stops of monitoring of a service, or its quiet hours.',
  singular: 'suspension',
  making:
    'Once, from now on unless `start_time` says otherwise; `weekly_suspensions` come back every week. The time shows as paused in the history, the charts and the service level.',
  source: partOfService('suspensions'),
  range: touchedTimes,
  fields: { id: identifier(), ...suspensionFields, ...whose },
  search: ['id', 'description'],
  operations,
  configuration: partConfiguration,
  write: writing('start_time', 'end_time'),
  actions: [
    bulkCreate({
      resource: 'suspensions',
      summary: 'Add a suspension to many services',
      fields: withoutService(suspensionFields),
      selects: 'create_suspensions',
    }),
    bulkByIds({
      resource: 'suspensions',
      name: 'bulk_update',
      summary: 'Modify many suspensions',
      fields: optional(withoutService(suspensionFields)),
      each: update,
    }),
    bulkByIds({ resource: 'suspensions', name: 'bulk_delete', summary: 'Delete many suspensions', each: remove }),
  ],
})

export const scheduledSuspensions = resource('scheduled_suspensions', {
  ...servicePart,
  about: 'The older view of those suspensions that stop monitoring.',
  singular: 'scheduled suspension',
  deprecated: true,
  source: partOfService('suspensions', sql`where not part.only_notifications`),
  fields: { id: identifier(), ...scheduledFields, ...whose },
  search: ['id', 'description'],
  operations,
  write: writing('start', 'end'),
  actions: [
    bulkCreate({
      resource: 'scheduled_suspensions',
      summary: 'Add a scheduled suspension to many services',
      deprecated: true,
      fields: withoutService(scheduledFields),
    }),
    bulkByIds({
      resource: 'scheduled_suspensions',
      name: 'bulk_delete',
      summary: 'Delete many scheduled suspensions',
      deprecated: true,
      each: remove,
    }),
  ],
})
