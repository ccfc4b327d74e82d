import { isDeepStrictEqual } from 'node:util'
import sql, { raw } from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { lacksPermission } from '../../domain/access/lacking-right.ts'
import { mayWrite, ownOrParents, tagPermissions } from '../../domain/access/permissions.ts'
import { periodProblems } from '../../domain/calendars/period.ts'
import { type WeekMinute, weeklyRangeProblems } from '../../domain/calendars/suspension.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { holds, type Row } from '../../domain/queries/condition.ts'
import type { Call } from '../../rest/call.ts'
import type { Configuration } from '../../rest/configuration.ts'
import { one, type Resource, resource, table, type Writing } from '../../rest/declare.ts'
import { identifier, integer, moment, text } from '../../rest/fields.ts'
import { weekMinute } from '../services/weekly-suspensions.ts'

/** Times in which nobody is told: of a contact, who is off duty then, or of an escalation, whose steps wait. */

/** The object to which the times belong. */
export interface Absent {
  readonly parent: 'contacts' | 'escalations'
  readonly singular: 'contact' | 'escalation'
  readonly about: { readonly once: string; readonly weekly: string }
  /** How many there may be of one parent. */
  readonly most: { readonly once: number; readonly weekly: number }
  /** After a time has come, gone or moved. */
  readonly speaksAnew?: (transaction: Executor, call: Call, row: Row) => Promise<void>
}

interface Facts {
  /** The parent is one that the caller may change. */
  readonly isOwn: boolean
}

function writing(
  { parent, singular, speaksAnew }: Absent,
  count: number,
  rules: (row: Row) => readonly Problem[],
  defaults: (call: Call) => Row,
): Writing<Row, Facts> {
  const key = `${singular}_id`
  return {
    countLimit: { count, per: key },
    allowed: ({ caller }) => mayWrite(caller),
    explain: (_row, flag, { caller }) => (flag === 'create' ? [lacksPermission(caller, 'update')] : []),
    // The parent is held against deletion.
    async facts(transaction, { caller }, given, before) {
      const id = before?.[key] ?? given[key]
      if (typeof id !== 'number') return { isOwn: false }
      const [found] = await transaction.query<{ owner_id: number }>(sql`
        select owner_id from ${raw(parent)} where id = ${id} for key share`)
      return { isOwn: found !== undefined && holds(ownOrParents(caller), { ...found }) }
    },
    complete: (given, before, _facts, call) => ({
      row: before === null ? { ...defaults(call), ...given } : given,
      problems: [],
    }),
    rules: (row, { isOwn }) => [
      ...(isOwn || row[key] === undefined
        ? []
        : [{ error: 'incorrect_value', field: `data.${key}`, facts: { detail: 'object_of_owner' } } as const]),
      ...rules(row),
    ],
    ...(speaksAnew === undefined ? {} : heardBy(speaksAnew)),
  }
}

const times = ['start_time', 'end_time', 'start_minute', 'end_minute']

/** Every new time, every one that is gone, and what has moved. */
function heardBy(
  speaksAnew: NonNullable<Absent['speaksAnew']>,
): Pick<Writing<Row, Facts>, 'created' | 'changed' | 'removed'> {
  return {
    created: speaksAnew,
    async changed(transaction, call, row, before) {
      const isMoved = times.some((name) => !isDeepStrictEqual(row[name], before[name]))
      if (isMoved) await speaksAnew(transaction, call, row)
    },
    removed: speaksAnew,
  }
}

const description = text({ multiline: true, maximumLength: 5000, contains: true, example: 'Holidays' })
const time = { filter: true, sort: true } as const

function commonOf({ parent, singular }: Absent) {
  return {
    relations: { [singular]: one(parent, `${singular}_id`) },
    embed: [singular, 'permissions'],
    subresources: [singular],
    search: ['id', 'description'],
    scope: 'notifications',
    visible: ownOrParents,
    permissions: tagPermissions,
    operations: ['list', 'search', 'read', 'create', 'update', 'remove', 'permissions'],
  } as const
}

function configurationOf({ parent, singular }: Absent, member: string): Configuration {
  const field = `${singular}_id`
  return { within: { resource: parent, member, field }, ownerOf: { table: parent, field }, title: 'description' }
}

function sourceOf(name: string, { parent, singular }: Absent) {
  return table(
    name,
    () =>
      sql`select part.*, p.owner_id from ${raw(name)} part join ${raw(parent)} p on p.id = part.${raw(`${singular}_id`)}`,
  )
}

function fieldsOf({ singular }: Absent) {
  return {
    id: identifier(),
    [`${singular}_id`]: integer({ required: true, immutable: true, filter: true, sort: true, example: 1 }),
    description,
    owner_id: integer({ internal: true }),
  }
}

function once(absent: Absent): Resource {
  const name = `${absent.singular}_suspensions`
  return resource(name, {
    ...commonOf(absent),
    configuration: configurationOf(absent, 'suspensions'),
    about: absent.about.once,
    singular: `${absent.singular} suspension`,
    source: sourceOf(name, absent),
    fields: {
      ...fieldsOf(absent),
      start_time: moment({ ...time, about: 'Inclusive; default now.', typical: true, example: '2030-12-24T08:00:00Z' }),
      end_time: moment({ ...time, required: true, about: 'Exclusive.', example: '2030-12-24T10:00:00Z' }),
    },
    write: writing(
      absent,
      absent.most.once,
      ({ start_time: start, end_time: end }) =>
        periodProblems(start as number | undefined, end as number | undefined, 'data.end_time'),
      ({ nowAt }) => ({ start_time: Math.floor(nowAt / 1000) * 1000, description: '' }),
    ),
  })
}

function weekly(absent: Absent): Resource {
  const name = `${absent.singular}_weekly_suspensions`
  return resource(name, {
    ...commonOf(absent),
    configuration: configurationOf(absent, 'weekly_suspensions'),
    about: absent.about.weekly,
    singular: `weekly ${absent.singular} suspension`,
    source: sourceOf(name, absent),
    fields: {
      ...fieldsOf(absent),
      start_minute: weekMinute('start_minute', 'Inclusive.', { day_of_week: 6, hour: 0, minute: 0 }),
      end_minute: weekMinute('end_minute', 'Exclusive; before the start: in the next week.', {
        ...{ day_of_week: 1, hour: 6, minute: 0 },
      }),
      start_minute_of_week: integer({ internal: true, storedIn: 'start_minute' }),
      end_minute_of_week: integer({ internal: true, storedIn: 'end_minute' }),
    },
    write: writing(
      absent,
      absent.most.weekly,
      ({ start_minute: start, end_minute: end }) => weeklyRangeProblems(start as WeekMinute, end as WeekMinute),
      () => ({ description: '' }),
    ),
  })
}

/** `{singular}_suspensions` and `{singular}_weekly_suspensions`. */
export function absencesOf(absent: Absent): readonly Resource[] {
  return [once(absent), weekly(absent)]
}
