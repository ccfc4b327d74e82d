import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { digestOf, newToken } from '../../auth/tokens.ts'
import type { Executor } from '../../database/connect.ts'
import { addSensorToken, revokeSensorTokens } from '../../database/services/sensor-tokens.ts'
import { sensorSilenceSeconds } from '../../database/services/sensors.ts'
import { tell } from '../../database/services/stream-events.ts'
import { always } from '../../domain/queries/condition.ts'
import { type Coordinates, coordinateNames, coordinateProblems, nowhere } from '../../domain/services/coordinates.ts'
import { type Operation, secretHeaders } from '../../rest/call.ts'
import { resource, table, type Writing } from '../../rest/declare.ts'
import { boolean, type Fields, identifier, list, moment, object, text } from '../../rest/fields.ts'
import { lockForWrite } from '../../rest/operations/write.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { noContent } from '../../rest/routes.ts'
import { coordinateFields, recentRoundsField } from '../dictionaries/sensor-fields.ts'

interface Sensor extends Coordinates, Readonly<Record<string, unknown>> {
  readonly id: number
  readonly name: string
}

interface Facts {
  readonly isNameFree: boolean
}

const tellSensor = (transaction: Executor, id: number) => tell(transaction, [{ kind: 'sensor', subjectId: id }])

const newSensor = { city: '', country: '', ...nowhere, links: [], category_ids: ['default'] }

const write: Writing<Sensor, Facts> = {
  async facts(transaction, _call, { name }, before) {
    const others = await transaction.query(sql`
      select 1 from sensors where name = ${name ?? null} and id is distinct from ${before?.id ?? null}`)
    return { isNameFree: others.length === 0 }
  },
  rules: (_row, { isNameFree }) => (isNameFree ? [] : [{ error: 'value_is_not_unique', field: 'data.name' }]),
  complete(given, before, _facts, { body }) {
    // A number that was refused already is not missed as well.
    const isRefused = coordinateNames.some((name) => Object.hasOwn(Object(body), name) && given[name] === undefined)
    const problems = isRefused ? [] : coordinateProblems({ ...(before ?? nowhere), ...given })
    // The station itself reports its categories once it connects.
    return { row: before === null ? { ...newSensor, ...given } : given, problems }
  },
  created: (transaction, _call, { id }) => tellSensor(transaction, id),
  async changed(transaction, _call, row, before) {
    if (!isDeepStrictEqual(row, before)) await tellSensor(transaction, row.id)
  },
}

const tokenPath = '/admin/sensors/{_id}/token'

const issueToken: Operation = {
  id: 'admin_sensors.issue_token',
  method: 'POST',
  path: tokenPath,
  tag: 'admin',
  summary: 'Issue a token for a station',
  about:
    'Shown this once. The token in use holds until a station connects with the new one; a new one that was never used gives way.',
  access: 'administrator',
  parameters: pathParameters('{_id}'),
  answers: {
    201: {
      about: 'The token.',
      schema: {
        type: 'object',
        properties: { token: { type: 'string', description: 'For `latarnik sensor --token TOKEN`.' } },
        required: ['token'],
        example: { token: 'TOKEN' },
      },
    },
  },
  async handle(call) {
    const token = newToken()
    await call.database.transaction(async (transaction) => {
      const { id } = await lockForWrite(call.registry.get('admin/sensors'), transaction, call, 'update')
      await addSensorToken(transaction, { sensorId: Number(id), digest: digestOf(token), now: call.nowAt })
    })
    return { status: 201, body: { token }, headers: secretHeaders }
  },
}

const revokeTokens: Operation = {
  id: 'admin_sensors.revoke_token',
  method: 'DELETE',
  path: tokenPath,
  tag: 'admin',
  summary: 'Revoke the tokens of a station',
  about: 'Its connection ends within five seconds.',
  access: 'administrator',
  parameters: pathParameters('{_id}'),
  answers: noContent,
  async handle(call) {
    await call.database.transaction(async (transaction) => {
      const { id } = await lockForWrite(call.registry.get('admin/sensors'), transaction, call, 'update')
      await revokeSensorTokens(transaction, Number(id))
    })
    return { status: 204 }
  },
}

const link = { name: text({ required: true, maximumLength: 200 }), url: text({ required: true, maximumLength: 2000 }) }
const shown = { filter: true, contains: true, sort: true } as const
const place = { ...shown, maximumLength: 200 } as const

export const adminSensors = resource<Fields, Sensor>('admin/sensors', {
  about:
    'Monitoring stations as administrators see and enter them. They belong to the whole installation, and none is deleted, because the history names it.',
  tag: 'admin',
  singular: 'sensor',
  source: table('sensors'),
  access: 'administrator',
  fields: {
    id: identifier(),
    name: text({ ...place, required: true, unique: true, minimumLength: 1, example: 'Gdańsk' }),
    city: text({ ...place, typical: true, example: 'Gdańsk' }),
    country: text({ ...place, typical: true, example: 'Polska' }),
    ...coordinateFields({ typical: true }),
    links: list(object(link, {}), { stored: 'json', maximumLength: 20, example: [] }),
    ip_address: text({
      ...shown,
      about: 'Where it last connected from.',
      readOnly: true,
      computed: true,
      example: '192.0.2.1',
    }),
    version: text({
      ...shown,
      about: 'The version of the program of a remote station.',
      readOnly: true,
      computed: true,
      example: '0.1.0',
    }),
    category_ids: list(text({}), {
      about: 'Categories of service types that it says it can serve.',
      readOnly: true,
      computed: true,
      filter: true,
      example: ['default'],
    }),
    is_available: boolean({
      about: 'True while it reports in.',
      readOnly: true,
      computed: true,
      filter: true,
      sort: true,
      column: ({ alias, nowAt }) =>
        sql`(${alias}.lost_at is null and coalesce(${alias}.last_seen_at > ${new Date(nowAt - sensorSilenceSeconds * 1000)}, false))`,
    }),
    last_seen_at: moment({
      about: 'Null: never.',
      readOnly: true,
      computed: true,
      nullable: true,
      filter: true,
      sort: true,
    }),
    has_token: boolean({
      about: 'A station elsewhere may connect as this one.',
      readOnly: true,
      computed: true,
      filter: true,
      sort: true,
      column: ({ alias }) => sql`exists (select 1 from sensor_tokens held where held.sensor_id = ${alias}.id)`,
    }),
    recent_rounds: recentRoundsField,
  },
  embed: ['recent_rounds', 'permissions'],
  search: ['id', 'name', 'city', 'country'],
  visible: () => always(true),
  permissions: () => ({ own: always(false), read: always(true), update: always(true), delete: always(false) }),
  operations: ['list', 'search', 'read', 'create', 'update', 'permissions'],
  write,
  actions: [issueToken, revokeTokens],
})
