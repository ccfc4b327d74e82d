import sql, { type Sql } from 'sql-template-tag'
import { ownersOrShared } from '../../domain/access/permissions.ts'
import { coreSensorId } from '../../domain/judging/analysis.ts'
import { analysisTimeOf } from '../../domain/judging/analysis-id.ts'
import { all, always, any, before, from, is } from '../../domain/queries/condition.ts'
import { sectionsOf } from '../../domain/service-level/chart.ts'
import { sensorChecksOf } from '../../history/roll-up-reads.ts'
import type { Call } from '../../rest/call.ts'
import { one, type RangeParameters, resource, table } from '../../rest/declare.ts'
import { type ColumnContext, integer, list, moment, object, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { bulkByIds } from '../../rest/operations/bulk.ts'
import { update } from '../../rest/operations/update.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { lockPlans } from '../../service-state/statuses.ts'
import { acknowledgementFields, acknowledgements } from './acknowledgement.ts'
import { goodScreenshotField, goodScreenshotOperation } from './good-screenshot.ts'

const column = { readOnly: true, filter: true, sort: true } as const
const path = '/services/{_id}/history/status_changes'
const descriptionField = text({
  about: 'A note on what happened.',
  multiline: true,
  maximumLength: 5000,
  contains: true,
  example: '',
})

/** The fields of every list of status changes; rows have the number of the change as `change_key`. */
export const periodFields = {
  change_id: text({
    ...column,
    sortBy: 'change_key',
    example: '179539278012300',
    column: ({ alias }) => sql`lpad(${alias}.change_key::text, 15, '0')`,
  }),
  service_id: integer(column),
  first_analysis_id: text({
    ...column,
    nullable: true,
    about: 'The analysis that began it; null for a pause.',
    example: '179539278012300',
    column: ({ alias }) => sql`lpad(${alias}.first_analysis_id::text, 15, '0')`,
  }),
  status: text({ ...column, oneOf: ['ok', 'failure', 'paused'], example: 'ok' }),
  description: descriptionField,
  pause_reason: text({
    ...column,
    nullable: true,
    about: 'user, suspension, weekly_suspension, suspension_hours, archived or account_blocked.',
    example: null,
  }),
  start_time: moment({ ...column, sortBy: 'change_key' }),
  end_time: moment({ ...column, computed: true, nullable: true, about: 'Null while it lasts.' }),
  duration: integer({
    ...column,
    computed: true,
    minimum: 0,
    about: 'Seconds, until now while it lasts.',
    column: ({
      alias,
      nowAt,
    }) => sql`(floor(extract(epoch from coalesce(${alias}.end_time, ${new Date(nowAt)}::timestamptz)))
      - floor(extract(epoch from ${alias}.start_time)))::int`,
  }),
}

/** The range chooses the changes that touch it. */
export const touchedPeriods: RangeParameters = {
  // A change whose displayed end is the beginning of the range is not in it, because ends are exclusive. A change
  // shorter than a second counts where it began.
  within: (fromAt, toAt) =>
    all(
      fromAt === null
        ? always(true)
        : any(is('end_time', null), from('end_time', fromAt + 1000), from('start_time', fromAt)),
      toAt === null ? always(true) : before('start_time', toAt),
    ),
  defaultFrom: () => null,
  maximumSeconds: null,
}

/**
 * Corrections over the change, in the whole seconds of the service level: from the displayed start to the displayed end
 * (`shownSecond`). Covered seconds count once (answers §15).
 */
function correctionsStats({ alias, nowAt }: ColumnContext): Sql {
  const end = sql`coalesce(${alias}.end_time, ${new Date(nowAt)}::timestamptz)`
  return sql`(
    select jsonb_build_object('count', count(*), 'seconds', coalesce((
      select sum(upper(span) - lower(span)) from unnest(range_agg(int8range(first_second, last_second))) as span), 0))
    from (
      select greatest(floor(extract(epoch from c.start_time)), floor(extract(epoch from ${alias}.start_time)))::bigint as first_second,
        least(floor(extract(epoch from c.end_time)), floor(extract(epoch from ${end})))::bigint as last_second
      from corrections c
      where c.service_id = ${alias}.service_id and c.start_time < ${end} and c.end_time > ${alias}.start_time) clipped
    where first_second < last_second)`
}

export const statusChanges = resource('status_changes', {
  about: 'Periods in one state; neighbours touch, only the last is open.',
  singular: 'status change',
  tag: 'history',
  path,
  parent: 'services',
  bound: { _id: 'service_id', _change_id: 'change_key' },
  key: ['change_key'],
  storedKey: { service_id: 'service_id', change_id: 'change_key' },
  source: table(
    'status_changes',
    () =>
      sql`select c.*, c.change_id as change_key, s.owner_id, s.group_id from status_changes c join services s on s.id = c.service_id`,
  ),
  range: touchedPeriods,
  fields: {
    ...periodFields,
    ...acknowledgementFields,
    corrections_stats: object(
      {
        count: integer({ about: 'Corrections that affect the change.' }),
        seconds: integer({ about: 'Covered by them.' }),
      },
      {
        readOnly: true,
        computed: true,
        embedOnly: true,
        column: correctionsStats,
        example: { count: 1, seconds: 3600 },
      },
    ),
    last_good_screenshot: goodScreenshotField,
    change_key: integer({ internal: true }),
    owner_id: integer({ internal: true }),
    group_id: integer({ internal: true }),
  },
  relations: { acknowledged_by: one('accounts', 'acknowledged_by_account_id') },
  embed: ['corrections_stats', 'last_good_screenshot', 'acknowledged_by', 'permissions'],
  search: ['description'],
  visible: () => always(true),
  permissions: (caller) => ({ read: always(true), update: ownersOrShared(caller, 'can_modify_services') }),
  operations: ['list', 'read', 'update', 'permissions'],
  write: { lockedBy: { field: 'service_id', lock: (transaction, serviceId) => lockPlans(transaction, [serviceId]) } },
  actions: [
    ...acknowledgements,
    goodScreenshotOperation,
    {
      id: 'status_changes.stats',
      method: 'GET',
      path: `${path}/{_change_id}/stats`,
      tag: 'history',
      summary: 'Checks of each station during a status change',
      access: 'customer',
      parameters: pathParameters(`${path}/{_change_id}`),
      answers: {
        200: {
          about: 'One element per station; empty for a pause.',
          schema: schemaOf(
            list(
              object(
                { sensor_id: integer({ nullable: true }), ok: integer({}), error: integer({}), unknown: integer({}) },
                {},
              ),
              {},
            ),
            'shown',
          ),
        },
      },
      handle: stats,
    },
    bulkByIds({
      resource: 'status_changes',
      path,
      name: 'bulk_update',
      summary: 'Update the description of many status changes',
      id: text({ example: '179539278012300' }),
      parameter: '_change_id',
      fields: { description: { ...descriptionField, required: true } },
      each: update,
    }),
  ],
})

async function stats(call: Call) {
  const change = await locatedRow(call.registry.get('status_changes'), call, { flags: [] })
  const ended = change['end_time'] === null ? call.nowAt : Number(change['end_time'])
  if (change['status'] === 'paused') return { status: 200, body: [] }
  const firstId = Number(change['change_key'])
  // Moments of analyses are whole milliseconds, those of changes are what an analysis or a pause made them.
  const range = { fromAt: analysisTimeOf(firstId), toAt: Math.floor(ended) }
  const body = await sensorChecksOf(call.database, Number(change['service_id']), {
    firstId,
    sections: sectionsOf(range, ['days']),
  })
  // Zero stands for the core, which judged what a heartbeat reported.
  const shown = body.map((sums) => ({ ...sums, sensor_id: sums.sensor_id === coreSensorId ? null : sums.sensor_id }))
  return { status: 200, body: shown }
}
