import sql from 'sql-template-tag'
import { formatMoment } from '../../domain/calendars/time.ts'
import { timeZoneName } from '../../domain/calendars/time-zones.ts'
import type { Problem } from '../../domain/input/problem.ts'
import { divideByCalendar, maximumPoints } from '../../domain/service-level/chart.ts'
import { serviceLevel } from '../../domain/service-level/service-level.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { list, moment, object } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { refuseAny } from '../../rest/problems.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { readCount } from './query-count.ts'
import { levelFacts, seconds } from './service-level.ts'
import { lastWholeSecond, livedRange, readTimeRange, timeRangeParameters } from './time-range.ts'

const path = '/services/{_id}/charts/availability'

const part = object(
  {
    start_time: moment({ required: true, about: 'Inclusive.' }),
    end_time: moment({ required: true, about: 'Exclusive.' }),
    ok: seconds,
    failure: seconds,
    paused: seconds,
  },
  {},
)

/** Days begin where the service's owner lives, whoever looks. */
async function ownersTimeZone(call: Call, ownerId: number): Promise<string> {
  const [owner] = await call.database.query<{ time_zone_id: string }>(sql`
    select time_zone_id from accounts where id = ${ownerId}`)
  return timeZoneName(owner?.time_zone_id ?? '') ?? 'UTC'
}

/** `GET /services/{_id}/charts/availability` (specification: History and charts; answers §12) */
export const availabilityChart: Operation = {
  id: 'services.availability_chart',
  method: 'GET',
  path,
  tag: 'history',
  summary: 'Seconds in each state, in steps over a time range',
  about:
    "Hours, days or weeks of the owner's time zone, or several weeks together: the shortest of which `limit` are enough. " +
    'Corrections are applied; the sums are the service level of the range. By default the last 30 days.',
  access: 'customer',
  parameters: [
    ...pathParameters(path),
    ...timeRangeParameters,
    {
      name: 'limit',
      in: 'query',
      about: 'The most steps.',
      schema: { type: 'integer', minimum: 1, maximum: maximumPoints, default: maximumPoints },
    },
  ],
  answers: { 200: { about: 'Steps in order; they touch.', schema: schemaOf(list(part, {})) } },
  async handle(call) {
    const problems: Problem[] = []
    const range = readTimeRange(call, problems, { days: 30, others: ['limit'] })
    const limit = readCount(call, problems, { name: 'limit', maximum: maximumPoints, fallback: maximumPoints })
    refuseAny(problems)
    const service = await locatedRow(call.registry.get('services'), call, {
      flags: [],
      columns: ['created_at', 'owner_id'],
    })
    const createdAt = Number(service['created_at'])
    const lived = livedRange(range, createdAt, call.nowAt)
    const facts = await levelFacts(call, Number(service['id']), lived)
    const parts = divideByCalendar(lived, await ownersTimeZone(call, Number(service['owner_id'])), limit)
    const body = parts.map((step) => ({
      start_time: formatMoment(step.fromAt),
      end_time: formatMoment(step.toAt),
      ...serviceLevel({ ...facts, ...step, createdAt, now: lastWholeSecond(call.nowAt) }),
    }))
    return { status: 200, body }
  },
}
