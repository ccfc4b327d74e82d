import sql, { raw } from 'sql-template-tag'
import { minuteOfWeek, type WeekMinute, weeklyRangeProblems } from '../../domain/calendars/suspension.ts'
import { countLimits } from '../../domain/input/count-limits.ts'
import { resource } from '../../rest/declare.ts'
import { type Fields, identifier, integer, object } from '../../rest/fields.ts'
import { bulkByIds, bulkCreate } from '../../rest/operations/bulk.ts'
import { remove } from '../../rest/operations/remove.ts'
import { update } from '../../rest/operations/update.ts'
import {
  calendarWrite,
  onlyNotifications,
  type PartWriting,
  partConfiguration,
  partFields,
  partOfService,
  partWrite,
  servicePart,
} from './service-part.ts'

export const weekMinuteShape = {
  day_of_week: integer({ required: true, minimum: 1, maximum: 7, about: '1 is Monday.' }),
  hour: integer({ required: true, minimum: 0, maximum: 23 }),
  minute: integer({ required: true, minimum: 0, maximum: 59 }),
} as const

/** Stored as minutes since Monday 00:00. */
export function weekMinute(name: 'start_minute' | 'end_minute', about: string, example: WeekMinute) {
  const column = raw(name)
  return object(weekMinuteShape, {
    about,
    required: true,
    example,
    sort: true,
    sortBy: `${name}_of_week`,
    stored: (value) => minuteOfWeek(value as WeekMinute),
    column: ({ alias }) => sql`jsonb_build_object('day_of_week', ${alias}.${column} / 1440 + 1,
      'hour', ${alias}.${column} / 60 % 24, 'minute', ${alias}.${column} % 60)`,
  })
}

function writing(): PartWriting {
  const part = calendarWrite(partWrite({ flag: 'create_suspensions', isForArchived: false }))
  return {
    ...part,
    countLimit: { count: countLimits.weeklySuspensions, per: 'service_id' },
    rules: (row, service, before) => [
      ...(part.rules?.(row, service, before) ?? []),
      ...weeklyRangeProblems(row['start_minute'] as WeekMinute, row['end_minute'] as WeekMinute),
    ],
  }
}

const { service_id, description, ...whose } = partFields

const values = {
  start_minute: weekMinute('start_minute', 'Inclusive.', { day_of_week: 7, hour: 22, minute: 30 }),
  end_minute: weekMinute('end_minute', 'Exclusive; before the start: in the next week.', {
    day_of_week: 1,
    hour: 6,
    minute: 0,
  }),
  only_notifications: onlyNotifications,
  description,
} satisfies Fields

const optional = Object.fromEntries(
  Object.entries(values).map(([name, field]) => [name, { ...field, required: false }]),
)

export const weeklySuspensions = resource('weekly_suspensions', {
  ...servicePart,
  about: 'Stops of monitoring that come back every week, or quiet hours, in the zone of the owner.',
  singular: 'weekly suspension',
  source: partOfService('weekly_suspensions'),
  fields: {
    id: identifier(),
    service_id,
    ...values,
    ...whose,
    start_minute_of_week: integer({ internal: true, storedIn: 'start_minute' }),
    end_minute_of_week: integer({ internal: true, storedIn: 'end_minute' }),
  },
  search: ['id', 'description'],
  operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  configuration: partConfiguration,
  write: writing(),
  actions: [
    bulkCreate({
      resource: 'weekly_suspensions',
      summary: 'Add a weekly suspension to many services',
      fields: values,
      selects: 'create_suspensions',
    }),
    bulkByIds({
      resource: 'weekly_suspensions',
      name: 'bulk_update',
      summary: 'Modify many weekly suspensions',
      fields: optional,
      each: update,
    }),
    bulkByIds({
      resource: 'weekly_suspensions',
      name: 'bulk_delete',
      summary: 'Delete many weekly suspensions',
      each: remove,
    }),
  ],
})
