import sql from 'sql-template-tag'
import type { Executor } from '../../database/connect.ts'
import { keptAnalysesFrom } from '../../database/partitions.ts'
import { dayLength, hourLength } from '../../domain/calendars/durations.ts'
import { formatMoment } from '../../domain/calendars/time.ts'
import { analysisIdAt } from '../../domain/judging/analysis-id.ts'
import { type ChartRange, sectionsOf } from '../../domain/service-level/chart.ts'
import { sensorChecksOf } from '../../history/roll-up-reads.ts'
import type { Call, Operation } from '../../rest/call.ts'
import { boolean, integer, moment, object } from '../../rest/fields.ts'
import { locatedRow } from '../../rest/locate.ts'
import { pathParameters } from '../../rest/parameter-descriptions.ts'
import { schemaOf } from '../../rest/schemas.ts'
import { chartedRange } from './performance-chart.ts'
import { lastWholeSecond, timeRangeParameters } from './time-range.ts'

const charts = '/services/{_id}/charts'
const info = '/services/{_id}/history/time_range_info'

const side = { required: true, nullable: true } as const
const range = object(
  {
    start_time: moment({ ...side, about: 'Inclusive; null while there are no data.' }),
    end_time: moment({ ...side, about: 'Exclusive; null while there are no data.' }),
  },
  {},
)

async function livedService(call: Call) {
  const service = await locatedRow(call.registry.get('services'), call, { flags: [], columns: ['created_at'] })
  return { id: Number(service['id']), createdAt: Number(service['created_at']), now: lastWholeSecond(call.nowAt) }
}

function rangeShown(found: ChartRange | null) {
  return {
    start_time: found === null ? null : formatMoment(found.fromAt),
    end_time: found === null ? null : formatMoment(found.toAt),
  }
}

interface Edges {
  readonly first_day: number | null
  readonly last_day: number | null
  readonly first_hour: number | null
  readonly last_hour: number | null
}

/** From the first hour with a response time to the end of the last one; of older times the sums of days are kept. */
async function timedRange(executor: Executor, serviceId: number): Promise<ChartRange | null> {
  const [edges] = await executor.query<Edges>(sql`
    with days as (
      select min(day) as first_day, max(day) as last_day from daily_performance
      where service_id = ${serviceId} and timed_checks > 0),
    hours as (
      select min(hour) filter (where hour / 24 = first_day) as first_hour, max(hour) filter (where hour / 24 = last_day) as last_hour
      from hourly_performance, days
      where service_id = ${serviceId} and timed_checks > 0 and hour / 24 in (first_day, last_day))
    select first_day, last_day, first_hour, last_hour from days, hours`)
  const { first_day: firstDay = null, last_day: lastDay = null } = edges ?? {}
  if (firstDay === null || lastDay === null) return null
  const { first_hour: firstHour = null, last_hour: lastHour = null } = edges ?? {}
  return {
    fromAt: firstHour === null ? firstDay * dayLength : firstHour * hourLength,
    toAt: lastHour === null ? (lastDay + 1) * dayLength : (lastHour + 1) * hourLength,
  }
}

const described = { method: 'GET', tag: 'history', access: 'customer' } as const
const rangeAnswer = { 200: { about: 'The range.', schema: schemaOf(range) } }

/** `GET /services/{_id}/charts/availability/range` */
const availabilityRange: Operation = {
  ...described,
  id: 'services.availability_chart_range',
  path: `${charts}/availability/range`,
  summary: 'Time range for which the states of the service are known',
  about: 'The life of the service until now.',
  parameters: pathParameters(charts),
  answers: rangeAnswer,
  async handle(call) {
    const { createdAt, now } = await livedService(call)
    return { status: 200, body: rangeShown(createdAt < now ? { fromAt: createdAt, toAt: now } : null) }
  },
}

/** `GET /services/{_id}/charts/performance/range` */
const performanceRange: Operation = {
  ...described,
  id: 'services.performance_chart_range',
  path: `${charts}/performance/range`,
  summary: 'Time range for which response times are known',
  about: 'From the hour of the first response time to the hour of the last one.',
  parameters: pathParameters(charts),
  answers: rangeAnswer,
  async handle(call) {
    const { id, createdAt, now } = await livedService(call)
    const found = await timedRange(call.database, id)
    const lived = found && { fromAt: Math.max(found.fromAt, createdAt), toAt: Math.min(found.toAt, now) }
    return { status: 200, body: rangeShown(lived) }
  },
}

const knowledge = object(
  {
    start_time: moment({ required: true, about: 'The range within the life of the service: its start, inclusive.' }),
    end_time: moment({ required: true, about: 'Its end, exclusive.' }),
    analyses_kept_from: moment({
      required: true,
      about: 'Since when single analyses are kept; older times have sums.',
    }),
    has_data: boolean({ required: true, about: 'Whether anything was checked in the range.', example: true }),
    checks: integer({ required: true, minimum: 0, about: 'Checks in the range.', example: 4320 }),
  },
  {},
)

/** `GET /services/{_id}/history/time_range_info` */
const timeRangeInfo: Operation = {
  ...described,
  id: 'services.time_range_info',
  path: info,
  summary: 'The data that the history has of a time range',
  about: 'By default of the last 24 hours.',
  parameters: [...pathParameters(info), ...timeRangeParameters],
  answers: { 200: { about: 'The data that there is.', schema: schemaOf(knowledge) } },
  async handle(call) {
    const { service, range: lived } = await chartedRange(call)
    const sensors = await sensorChecksOf(call.database, Number(service['id']), {
      firstId: analysisIdAt(lived.fromAt),
      sections: sectionsOf(lived, ['days']),
    })
    const checks = sensors.reduce((sum, { ok, error, unknown }) => sum + ok + error + unknown, 0)
    const keptFrom = Math.max(await keptAnalysesFrom(call.database), Number(service['created_at']))
    const body = {
      ...rangeShown({ fromAt: lived.fromAt, toAt: Math.max(lived.fromAt, lived.toAt) }),
      analyses_kept_from: formatMoment(keptFrom),
      has_data: checks > 0,
      checks,
    }
    return { status: 200, body }
  },
}

export const dataRangeOperations: readonly Operation[] = [availabilityRange, performanceRange, timeRangeInfo]
