import sql from 'sql-template-tag'
import type { Problem } from '../../domain/input/problem.ts'
import type { State } from '../../domain/judging/status-change.ts'
import type { ChartRange } from '../../domain/service-level/chart.ts'
import {
  type LevelChange,
  type LevelCorrection,
  serviceLevel as levelOf,
} from '../../domain/service-level/service-level.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { integer, object } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuseAny } from '../../rest/problems.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { lastWholeSecond, readTimeRange, timeRangeParameters } from './time-range.ts'

const path = '/services/{_id}/history/service_level'
export const seconds = integer({ required: true, minimum: 0, about: 'Seconds.' })
const answer = object({ ok: seconds, failure: seconds, paused: seconds }, {})

interface LevelRow {
  /** Null for a period of the history. */
  readonly id: number | null
  readonly status: State
  readonly start_time: number
  readonly end_time: number | null
}

/**
 * The facts of the range's service level: the periods and corrections that touch it, as of one moment. Periods touch.
 * So the one at the beginning is the last that began before it, and older ones are not read.
 */
export async function levelFacts(call: Call, serviceId: number, { fromAt, toAt }: ChartRange) {
  const [from, to] = [sql`${new Date(fromAt)}::timestamptz`, sql`${new Date(toAt)}::timestamptz`]
  const rows = await call.database.query<LevelRow>(
    sql`
      select null::bigint as id, status, start_time, end_time from status_changes
      where service_id = ${serviceId} and start_time < ${to} and start_time >= coalesce(
        (select max(start_time) from status_changes where service_id = ${serviceId} and start_time <= ${from}), ${from})
      union all
      select id, status, start_time, end_time from corrections
      where service_id = ${serviceId} and start_time < ${to} and end_time > ${from}
      order by start_time, end_time`,
    'level-facts',
  )
  const changes: LevelChange[] = []
  const corrections: LevelCorrection[] = []
  for (const { id, status, start_time: startAt, end_time: endAt } of rows) {
    if (id === null) changes.push({ status, startedAt: startAt, endedAt: endAt })
    else if (endAt !== null) corrections.push({ id, status, startAt, endAt })
  }
  return { changes, corrections }
}

/** `GET /services/{_id}/history/service_level` (specification: Service Level result; answers §9) */
export const serviceLevel: Operation = {
  id: 'services.service_level',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Seconds in each state over a time range',
  about: 'Half-open range, clipped to now and to the creation of the service; by default the last 30 days.',
  access: 'customer',
  parameters: [...pathParameters(path), ...timeRangeParameters],
  answers: { 200: { about: 'Seconds.', schema: schemaOf(answer) } },
  async handle(call) {
    const problems: Problem[] = []
    const range = readTimeRange(call, problems, { days: 30 })
    refuseAny(problems)
    const service = await locatedRow(call.registry.get('services'), call, { flags: [], columns: ['created_at'] })
    const facts = await levelFacts(call, Number(service['id']), range)
    const createdAt = Number(service['created_at'])
    return { status: 200, body: levelOf({ ...facts, ...range, createdAt, now: lastWholeSecond(call.nowAt) }) }
  },
}
