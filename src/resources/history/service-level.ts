import sql from 'sql-template-tag'
import type { Problem } from '../../domain/problem.ts'
import { type LevelChange, type LevelCorrection, serviceLevel as levelOf } from '../../domain/service-level.ts'
import { parseMoment } from '../../domain/time.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer, object } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuseAny } from '../../rest/problems.ts'
import { schemaOf } from '../../rest/schemas.ts'

const defaultDays = 30
const path = '/services/{_id}/history/service_level'
const seconds = integer({ required: true, minimum: 0, about: 'Seconds.' })
const answer = object({ ok: seconds, failure: seconds, paused: seconds }, {})

function readRange(call: Call): { fromAt: number; toAt: number } {
  const problems: Problem[] = []
  const moment = (name: string, fallback: number) => {
    const written = call.query.get(name)
    const at = written === null ? fallback : parseMoment(written, call.nowAt)
    if (typeof at === 'number') return at
    problems.push({ error: at, field: `query.${name}`, facts: { expected: 'date-time' } })
    return fallback
  }
  const toAt = moment('to', call.nowAt)
  const fromAt = moment('from', toAt - defaultDays * 86_400_000)
  if (problems.length === 0 && fromAt > toAt) problems.push({ error: 'incorrect_value', field: 'query.from' })
  for (const name of call.query.keys()) {
    if (name !== 'from' && name !== 'to') problems.push({ error: 'incorrect_value', field: `query.${name}` })
  }
  refuseAny(problems)
  return { fromAt, toAt }
}

/** Periods that touch the range. */
function readChanges(call: Call, serviceId: unknown, fromAt: number, toAt: number): Promise<LevelChange[]> {
  return call.database.query<LevelChange>(sql`
    select status, start_time as "startedAt", end_time as "endedAt" from status_changes
    where service_id = ${serviceId} and start_time < ${new Date(toAt)} and (end_time is null or end_time > ${new Date(fromAt)})
    order by start_time`)
}

/** Corrections that touch the range. */
function readCorrections(call: Call, serviceId: unknown, fromAt: number, toAt: number): Promise<LevelCorrection[]> {
  return call.database.query<LevelCorrection>(sql`
    select id, status, start_time as "startAt", end_time as "endAt" from corrections
    where service_id = ${serviceId} and start_time < ${new Date(toAt)} and end_time > ${new Date(fromAt)}`)
}

/** `GET /services/{_id}/history/service_level` (specification: Service Level result; choices §9) */
export const serviceLevel: Operation = {
  id: 'services.service_level',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Seconds in each state over a time range',
  about: 'Half-open range, clipped to now and to the creation of the service; by default the last 30 days.',
  access: 'customer',
  parameters: [
    ...pathParameters(path),
    { name: 'from', in: 'query', about: 'Start, inclusive.', schema: { type: 'string' }, example: '-86400' },
    { name: 'to', in: 'query', about: 'End, exclusive.', schema: { type: 'string' }, example: '2026-11-21T11:13:00Z' },
  ],
  answers: { 200: { about: 'Seconds.', schema: schemaOf(answer) } },
  async handle(call) {
    const { fromAt, toAt } = readRange(call)
    const service = await locatedRow(call.registry.get('services'), call, { flags: [] })
    const changes = await readChanges(call, service['id'], fromAt, toAt)
    const corrections = await readCorrections(call, service['id'], fromAt, toAt)
    const createdAt = Number(service['created_at'])
    return { status: 200, body: levelOf({ changes, corrections, createdAt, fromAt, toAt, now: call.nowAt }) }
  },
}
