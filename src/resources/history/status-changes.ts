import sql from 'sql-template-tag'
import { parseAnalysisId } from '../../database/analysis-id.ts'
import { all, always, any, before, from, is } from '../../domain/condition.ts'
import { ownersOrShared } from '../../domain/permissions.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { resource, table } from '../../rest/declare.ts'
import { boolean, integer, list, moment, object, text } from '../../rest/fields.ts'
import { readBody } from '../../rest/input.ts'
import { locatedRow } from '../../rest/locate.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { ApiError, problemBody, refuse, refuseAny } from '../../rest/problems.ts'
import { schemaOf } from '../../rest/schemas.ts'

const column = { readOnly: true, filter: true, sort: true } as const
const path = '/services/{_id}/history/status_changes'
const descriptionField = text({ about: 'A note on what happened.', maximumLength: 5000, contains: true, example: '' })

export const statusChanges = resource('status_changes', {
  about: 'Periods in one state; neighbours touch, only the last is open.',
  singular: 'status change',
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
  range: {
    // A change that ends where the range begins is not in it: ends are exclusive, moments whole milliseconds.
    within: (fromAt, toAt) =>
      all(
        fromAt === null ? always(true) : any(is('end_time', null), from('end_time', fromAt + 1)),
        toAt === null ? always(true) : before('start_time', toAt),
      ),
    defaultFrom: () => null,
    maximumSeconds: null,
  },
  fields: {
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
    change_key: integer({ internal: true }),
    owner_id: integer({ internal: true }),
    group_id: integer({ internal: true }),
  },
  embed: ['permissions'],
  search: ['description'],
  visible: () => always(true),
  permissions: (caller) => ({ read: always(true), update: ownersOrShared(caller, 'can_modify_services') }),
  operations: ['list', 'read', 'update', 'permissions'],
  actions: [
    {
      id: 'status_changes.stats',
      method: 'GET',
      path: `${path}/{_change_id}/stats`,
      tag: 'status_changes',
      summary: 'Checks of each sensor during a status change',
      access: 'customer',
      parameters: pathParameters(`${path}/{_change_id}`),
      answers: {
        200: {
          about: 'One element per sensor; empty for a pause.',
          schema: schemaOf(
            list(object({ sensor_id: integer({}), ok: integer({}), error: integer({}), unknown: integer({}) }, {}), {}),
          ),
        },
      },
      handle: stats,
    },
    bulkUpdate(),
  ],
})

async function stats(call: Call) {
  const change = await locatedRow(call.registry.get('status_changes'), call, { flags: [] })
  const ended = change['end_time'] === null ? call.nowAt : Number(change['end_time'])
  if (change['status'] === 'paused') return { status: 200, body: [] }
  const body = await call.database.query(sql`
    select sensor_id, count(*) filter (where result = 'o')::int as ok, count(*) filter (where result = 'e')::int as error,
      count(*) filter (where result = 'u')::int as unknown
    from analyses_hot a, unnest(a.sensor_ids, a.results) as c (sensor_id, result)
    where a.service_id = ${change['service_id']} and a.analysis_id >= ${change['change_key']}
      and a.analysis_id < ${Math.floor(ended) * 100}
    group by sensor_id order by sensor_id`)
  return { status: 200, body }
}

function bulkUpdate(): Operation {
  const body = {
    ids: list(text({}), { required: true, maximumLength: 1000, example: ['179539278012300'] }),
    description: { ...descriptionField, required: true },
  }
  const outcome = object({ id: text({}), ok: boolean({}), problems: list(object({}, {}), {}) }, {})
  return {
    id: 'status_changes.bulk_update',
    method: 'POST',
    path: `${path}/bulk_update`,
    tag: 'status_changes',
    summary: 'Update the description of many status changes',
    access: 'customer',
    parameters: pathParameters(path),
    body,
    answers: { 200: { about: 'One element per id, in the order given.', schema: schemaOf(list(outcome, {})) } },
    async handle(call) {
      const { values, problems } = readBody(body, call.body, call.nowAt)
      refuseAny(problems)
      await locatedRow(call.registry.get('services'), call, { flags: [] })
      const results = []
      for (const id of values['ids'] as readonly string[])
        results.push(await describeOne(call, id, String(values['description'])))
      return { status: 200, body: results }
    },
  }
}

async function describeOne(call: Call, id: string, description: string) {
  const resource = call.registry.get('status_changes')
  try {
    const change = parseAnalysisId(id) ?? refuse('not_found')
    await call.database.transaction(async (transaction) => {
      const one = { ...call, parameters: { ...call.parameters, _change_id: String(change) } }
      const row = await lockForWrite(resource, transaction, one, 'update')
      await transaction.execute(sql`
        update status_changes set description = ${description}
        where service_id = ${row['service_id']} and change_id = ${change}`)
    })
    return { id, ok: true, problems: [] }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { id, ok: false, problems: problemBody(error.problems, call.language) }
  }
}
