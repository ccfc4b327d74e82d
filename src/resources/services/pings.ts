import sql from 'sql-template-tag'
import { always } from '../../domain/queries/condition.ts'
import { pingKinds } from '../../domain/services/heartbeat.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { resource, table } from '../../rest/declare.ts'
import { identifier, integer, moment, text } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuse } from '../../rest/problems.ts'
import { keptPings } from '../../service-state/heartbeats.ts'
import { downloadGuards } from '../history/download.ts'

const column = { readOnly: true, filter: true, sort: true } as const

const path = '/services/{_id}/pings/{_ping_id}/body'

const body: Operation = {
  id: 'pings.body',
  method: 'GET',
  path,
  tag: 'services',
  summary: 'Body of a ping',
  about: 'The first 100 kB that came with it. Downloaded, never shown inline. 404 where there was none.',
  access: 'customer',
  parameters: pathParameters(path),
  answers: {
    200: {
      about: 'The bytes as they came.',
      contentType: 'text/plain',
      schema: { type: 'string' },
      headers: { 'Content-Disposition': 'File name.' },
    },
  },
  async handle(call: Call) {
    const ping = await locatedRow(call.registry.get('pings'), call, { flags: [] })
    const [found] = await call.database.query<{ body: Buffer | null }>(sql`
      select body from pings where service_id = ${ping['service_id']} and id = ${ping['id']}`)
    const bytes = found?.body ?? refuse('not_found')
    const name = `service-${ping['service_id']}-ping-${ping['id']}.txt`
    return {
      status: 200,
      bytes,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', ...downloadGuards(name) },
    }
  },
}

/** The last reports of a heartbeat. */
export const pings = resource('pings', {
  about: `The last ${keptPings} reports of a heartbeat, newest first.`,
  singular: 'ping',
  tag: 'services',
  path: '/services/{_id}/pings',
  parent: 'services',
  bound: { _id: 'service_id', _ping_id: 'id' },
  source: table('pings'),
  fields: {
    id: identifier(),
    time: moment({ ...column, about: 'When it arrived.' }),
    kind: text({ ...column, oneOf: pingKinds, about: 'An exit status is a success if it is 0.', example: 'success' }),
    exit_status: integer({ ...column, nullable: true, minimum: 0, maximum: 255, example: null }),
    ip_address: text({ ...column, example: '192.0.2.1' }),
    method: text({ ...column, oneOf: ['GET', 'HEAD', 'POST'], example: 'GET' }),
    user_agent: text({ ...column, contains: true, example: 'curl/8.5.0' }),
    run_time: integer({
      ...column,
      nullable: true,
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      about: 'Milliseconds since the start with the same rid; null without one.',
      example: 1500,
    }),
    body_size: integer({ ...column, minimum: 0, about: 'Bytes that are kept.', example: 0 }),
    service_id: integer({ internal: true }),
  },
  sort: ['-id'],
  search: ['user_agent'],
  visible: () => always(true),
  operations: ['list', 'read'],
  actions: [body],
})
